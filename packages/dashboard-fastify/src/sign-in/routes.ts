import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { nextPath } from '../shared/next-path.ts'
import type { LoginNotice } from './login-page.ts'
import { heldSignIn, lockedSignIn, showLogin, type LoginAgain } from './login.ts'
import type { Router } from '../shared/router.ts'
import type { SignInWay } from '../shared/sign-in-way.ts'
import { endOlderSessions, endSentSessions, sentTokensMax } from '../sessions/sent-sessions.ts'
import type { SessionCookie } from '../sessions/cookies.ts'
import { ssoNotice } from '../single-sign-on/sso.ts'
import type { Visit } from '../shared/visit.ts'

export interface SignInRoutesOptions {
  readonly router: Router
  readonly sotto: Pick<DashboardUseCases, 'signIn' | 'authenticateSession' | 'endSession'>
  readonly cookie: SessionCookie
  /** What one can sign in with besides the password. */
  readonly ways: readonly SignInWay[]
}

/** `/`, `/login` and `/logout`. */
export function addSignInRoutes(options: SignInRoutesOptions): void {
  const { router, sotto, cookie, ways } = options
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
    get: (visit) => {
      const { query } = visit
      const next = query['next'] && nextPath(query['next'])
      return showLogin(ways, visit, { next, notice: noticeOf(query) })
    },
    post: (visit, fields) => signIn(options, visit, fields),
  })
  router.anyone('/logout', { post: (visit) => signOut(sotto, cookie, visit) })
}

function noticeOf(query: Visit['query']): LoginNotice | undefined {
  if (query['account-deleted'] !== undefined) return 'accountDeleted'
  if (query['signed-out'] !== undefined) return 'signedOut'
  if (query['reset-asked'] !== undefined) return 'resetAsked'
  return query['next'] === undefined ? undefined : 'toContinue'
}

async function signIn(
  { sotto, cookie, ways }: SignInRoutesOptions,
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
  const again: LoginAgain = (notice, ...how) => showLogin(ways, visit, { next, email, notice }, ...how)
  switch (error.code) {
    case 'sign_in_wrong':
      audit(visit, 'sign_in_refused', {})
      return again('wrong', 401)
    case 'sign_in_locked':
      return lockedSignIn(visit, error, again)
    case 'password_sign_in_off':
      return ssoNotice(visit, 'password_sign_in_off', 403)
    case 'sign_in_held':
      return heldSignIn(visit, error)
    default:
      return errorAnswer(visit, error)
  }
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
