import type { SignInHeld } from '@sotto/identity'
import type { SignInLocked } from '@sotto/core'
import type { Page } from '@sotto/html'
import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { nextPath } from '../shared/next-path.ts'
import { loginPage, type LoginNotice } from './login-page.ts'
import type { PasskeyRequest } from '../shared/passkey-request.ts'
import { sentAssertion } from '../shared/passkey-form.ts'
import { auditPasskey, isPageTooOld } from '../shared/reauthentication.ts'
import type { Router } from '../shared/router.ts'
import { endOlderSessions, endSentSessions, sentTokensMax } from '../sessions/sent-sessions.ts'
import type { SessionCookie } from '../sessions/cookies.ts'
import { ssoNotice } from '../single-sign-on/sso.ts'
import type { Visit } from '../shared/visit.ts'

export interface SignInRoutesOptions {
  readonly router: Router
  readonly sotto: Pick<
    DashboardUseCases,
    'signIn' | 'authenticateSession' | 'endSession' | 'beginPasskeySignIn' | 'signInWithPasskey'
  >
  readonly cookie: SessionCookie
}

/** `/`, `/login`, `/login/passkey` and `/logout`. */
export function addSignInRoutes({ router, sotto, cookie }: SignInRoutesOptions): void {
  router.anyone('/', {
    get: async (visit) => {
      const token = cookie.read(visit.request.raw)
      const signedIn = token === undefined ? undefined : await sotto.authenticateSession({ token })
      if (signedIn?.isErr() === true && signedIn.error.code !== 'session_invalid') {
        return errorAnswer(visit, signedIn.error)
      }
      return redirect(signedIn?.isOk() === true ? '/dashboard' : '/login')
    },
  })
  router.anyone('/login', {
    get: (visit) => showLogin(sotto, visit),
    post: (visit, fields) => signIn(sotto, cookie, visit, fields),
  })
  router.anyone('/login/passkey', {
    post: (visit, fields) => signInWithPasskey(sotto, cookie, visit, fields),
  })
  router.anyone('/logout', { post: (visit) => signOut(sotto, cookie, visit) })
}

async function showLogin(sotto: SignInRoutesOptions['sotto'], visit: Visit): Promise<Answer> {
  const { localized, query } = visit
  const passkey = await passkeyToSignIn(sotto, visit)
  const next = query['next'] && nextPath(query['next'])
  return show(loginPage(localized, { next, notice: noticeOf(query), passkey }))
}

function noticeOf(query: Visit['query']): LoginNotice | undefined {
  if (query['account-deleted'] !== undefined) return 'accountDeleted'
  if (query['signed-out'] !== undefined) return 'signedOut'
  if (query['reset-asked'] !== undefined) return 'resetAsked'
  return query['next'] === undefined ? undefined : 'toContinue'
}

async function signIn(
  sotto: SignInRoutesOptions['sotto'],
  cookie: SessionCookie,
  visit: Visit,
  fields: FormFields,
): Promise<Answer> {
  const { localized, address } = visit
  const form = formOf(fields, ['email', 'password', 'next'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { email, password } = form.value
  const next = nextPath(form.value.next)
  const signedIn = await sotto.signIn({ email, password, address })
  if (signedIn.isOk()) {
    const { token, accountId, id } = signedIn.value
    audit(visit, 'signed_in', { account_id: accountId, session_id: id })
    await endOlderSessions({ sotto, cookie, visit })
    return redirect(next, cookie.store(token))
  }
  const { error } = signedIn
  const passkey = await passkeyToSignIn(sotto, visit)
  const again = (notice: LoginNotice) => loginPage(localized, { next, email, notice, passkey })
  switch (error.code) {
    case 'sign_in_wrong':
      audit(visit, 'sign_in_refused', {})
      return show(again('wrong'), 401)
    case 'sign_in_locked':
      return locked(visit, error, again)
    case 'password_sign_in_off':
      return ssoNotice(visit, 'password_sign_in_off', 403)
    case 'sign_in_held':
      return held(visit, error)
    default:
      return errorAnswer(visit, error)
  }
}

async function signInWithPasskey(
  sotto: SignInRoutesOptions['sotto'],
  cookie: SessionCookie,
  visit: Visit,
  fields: FormFields,
): Promise<Answer> {
  const { localized, address, relyingParty } = visit
  const form = formOf(fields, ['passkey', 'next'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  if (relyingParty === undefined) return statusAnswer(localized, 404)
  const next = nextPath(form.value.next)
  const assertion = sentAssertion(form.value.passkey)
  const signedIn = await sotto.signInWithPasskey({ assertion, relyingParty, address })
  if (signedIn.isOk()) {
    const { token, accountId, id, passkeyId } = signedIn.value
    audit(visit, 'signed_in', { account_id: accountId, session_id: id, passkey_id: passkeyId })
    await endOlderSessions({ sotto, cookie, visit })
    return redirect(next, cookie.store(token))
  }
  const { error } = signedIn
  const passkey = await passkeyToSignIn(sotto, visit)
  const again = (notice: LoginNotice) => loginPage(localized, { next, notice, passkey })
  switch (error.code) {
    case 'passkey_refused':
      auditPasskey(visit, error)
      return show(again(isPageTooOld(error) ? 'passkeyExpired' : 'passkeyRefused'), 401)
    case 'sign_in_held':
      return held(visit, error)
    case 'sign_in_locked':
      return locked(visit, error, again)
    default:
      return errorAnswer(visit, error)
  }
}

/** The answer for a held account: only somebody who has the password or passkey learns that it is held. */
function held(visit: Visit, { code, accountId }: SignInHeld): Answer {
  audit(visit, code, { account_id: accountId })
  return ssoNotice(visit, code, 403)
}

/** What a browser is asked for that may have a passkey. Nobody is known yet, so it may be of any account. */
async function passkeyToSignIn(
  sotto: SignInRoutesOptions['sotto'],
  { relyingParty }: Visit,
): Promise<PasskeyRequest | undefined> {
  if (relyingParty === undefined) return undefined
  const begun = await sotto.beginPasskeySignIn()
  return { rpId: relyingParty.id, challenge: begun.unwrapOr(''), known: [] }
}

function locked(
  visit: Visit,
  { reason, retryAfterSeconds }: SignInLocked,
  again: (notice: LoginNotice) => Page,
): Answer {
  audit(visit, 'sign_in_locked', {})
  const notice = reason === 'wrong_passwords' ? { lockedForSeconds: retryAfterSeconds } : 'crowded'
  return show(again(notice), 429, { 'retry-after': String(retryAfterSeconds) })
}

/** Signs a browser out. It works for everybody, so that a session that has ended already is signed out too. */
async function signOut(
  sotto: SignInRoutesOptions['sotto'],
  cookie: SessionCookie,
  visit: Visit,
): Promise<Answer> {
  const { request, localized } = visit
  if (cookie.readAll(request.raw).length > sentTokensMax) return statusAnswer(localized, 400)
  const ended = await endSentSessions({ sotto, cookie, visit })
  // The cookie stays: nobody could end a session that is still there without it.
  if (ended.isErr()) return errorAnswer(visit, ended.error)
  for (const { accountId, id } of ended.value) {
    audit(visit, 'signed_out', { account_id: accountId, session_id: id })
  }
  return redirect('/login?signed-out=1', cookie.remove)
}
