import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { done, redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import type { SessionCookie } from '../sessions/cookies.ts'
import { errorAnswer } from '../shared/errors.ts'
import { homePath, nextPath } from '../shared/next-path.ts'
import { keptFormPage } from '../shared/notices.ts'
import { reportMail } from '../shared/report-mail.ts'
import type { Router } from '../shared/router.ts'
import { endOlderSessions } from '../sessions/sent-sessions.ts'
import { addIdentityRoutes, type IdentityRoutesOptions } from './identity-routes.ts'
import { callbackPath, refusedSso, ssoNotice, type Sso } from './sso.ts'
import type { SsoAttempt } from './sso-attempt.ts'
import type { Visit } from '../shared/visit.ts'
import { refusedInvitation } from '../shared/refused-invitation.ts'

type UseCases = Pick<
  DashboardUseCases,
  | 'signInWithIdentity'
  | 'connectIdentity'
  | 'previewInvitation'
  | 'takeInvitation'
  | 'reauthenticateWithIdentity'
  | 'endSessionsOfIdentity'
  | 'authenticateSession'
  | 'endSession'
>

interface SsoRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly cookie: SessionCookie
  readonly sso: Sso
}

export interface SingleSignOnOptions extends Omit<SsoRoutesOptions & IdentityRoutesOptions, 'sso'> {
  readonly sso: Sso | undefined
}

/** All paths of single sign-on; none where nobody signs in with an identity provider. */
export function addSingleSignOn({ sso, ...others }: SingleSignOnOptions): void {
  if (sso === undefined) return
  addSsoRoutes({ ...others, sso })
  addIdentityRoutes({ ...others, sso })
}

/** What a browser came back with, and why it had gone. */
interface Return {
  readonly attempt: SsoAttempt
  readonly callback: { readonly callbackUrl: string; readonly pending: string }
}

/** `/login/sso`, `/login/sso/callback`, `/login/sso/logout` and `/welcome/{token}/sso`. */
function addSsoRoutes(options: SsoRoutesOptions): void {
  const { router, sotto, sso } = options
  router.anyone('/login/sso', {
    get: (visit) =>
      sso.begin(visit, { purpose: 'sign_in', boundTo: '', next: nextPath(visit.query['next']) }),
  })
  router.anyone(callbackPath, { get: (visit) => comeBack(options, visit) })
  router.anyone('/login/sso/logout', { post: (visit, fields) => logOut(sotto, visit, fields) })
  router.anyone('/welcome/:token/sso', { post: (visit) => beginInvitation(options, visit) })
}

/** Leads to the identity provider. The link is not spent before somebody comes back from there. */
async function beginInvitation({ sotto, sso }: SsoRoutesOptions, visit: Visit): Promise<Answer> {
  const token = visit.params['token'] ?? ''
  const preview = await sotto.previewInvitation({ token })
  if (preview.isErr()) return refusedInvitation(visit, preview.error)
  return sso.begin(visit, { purpose: 'invitation', boundTo: token, next: homePath })
}

/** Takes a browser that comes back. An attempt is over with its first return, whatever comes of it. Others of this browser go on. */
async function comeBack(options: SsoRoutesOptions, visit: Visit): Promise<Answer> {
  const { attempts, callbackUrlOf } = options.sso
  const state = visit.query['state'] ?? ''
  const attempt = attempts.read(visit.request.raw, state)
  if (attempt === undefined) {
    audit(visit, 'sso_refused', { reason: 'cookie' })
    return ssoNotice(visit, 'doesNotFit', 400)
  }
  const callback = { callbackUrl: callbackUrlOf(visit), pending: attempt.pending }
  return withoutAttempt(await finish(options, visit, { attempt, callback }), attempts.remove(state))
}

function withoutAttempt(answer: Answer, remove: string): Answer {
  switch (answer.kind) {
    case 'redirect':
      return { ...answer, cookies: [...(answer.cookies ?? []), remove] }
    case 'page':
      return { ...answer, headers: { ...answer.headers, 'set-cookie': remove } }
    default:
      return answer
  }
}

function finish(options: SsoRoutesOptions, visit: Visit, returned: Return): Promise<Answer> {
  switch (returned.attempt.purpose) {
    case 'sign_in':
      return signIn(options, visit, returned)
    case 'invitation':
      return takeInvitation(options, visit, returned)
    case 'connect':
    case 'proof':
      return inSession(options, visit, returned)
  }
}

async function signIn(
  { sotto, cookie }: SsoRoutesOptions,
  visit: Visit,
  { attempt, callback }: Return,
): Promise<Answer> {
  const signedIn = await sotto.signInWithIdentity({ ...callback, address: visit.address })
  if (signedIn.isErr()) return refusedSso(visit, signedIn.error)
  const { token, accountId, id, identityId, isNewAccount } = signedIn.value
  const ids = { account_id: accountId, session_id: id, identity_id: identityId }
  if (isNewAccount) audit(visit, 'account_made', { account_id: accountId, identity_id: identityId })
  audit(visit, 'signed_in', ids)
  await endOlderSessions({ sotto, cookie, visit })
  return redirect(attempt.next, cookie.store(token))
}

async function takeInvitation(
  { sotto, cookie }: SsoRoutesOptions,
  visit: Visit,
  { attempt, callback }: Return,
): Promise<Answer> {
  const taken = await sotto.takeInvitation({ ...callback, token: attempt.boundTo, address: visit.address })
  if (taken.isErr())
    return taken.error.code === 'welcome_not_found'
      ? refusedInvitation(visit, taken.error)
      : refusedSso(visit, taken.error)
  const { accountId, id, token, removedWebhookHosts, mailed } = taken.value
  audit(visit, 'invitation_taken', { account_id: accountId, session_id: id })
  reportMail(visit, mailed)
  await endOlderSessions({ sotto, cookie, visit })
  const hadWebhooks = removedWebhookHosts.length > 0
  const did = hadWebhooks ? 'invitationWithIdentityWithoutWebhooks' : 'invitationWithIdentity'
  return redirect(`/dashboard?done=${did}`, cookie.store(token))
}

/** Ends an attempt in the session that began it, and in no other: nobody can make somebody else connect an identity, or be proven by it. */
async function inSession(
  options: SsoRoutesOptions,
  visit: Visit,
  { attempt, callback }: Return,
): Promise<Answer> {
  const { sotto, cookie } = options
  const token = cookie.read(visit.request.raw)
  const signedIn = token === undefined ? undefined : await sotto.authenticateSession({ token })
  if (signedIn?.isErr() === true && signedIn.error.code !== 'session_invalid')
    return errorAnswer(visit, signedIn.error)
  if (signedIn?.isOk() !== true || signedIn.value.session.id !== attempt.boundTo) {
    audit(visit, 'sso_refused', { reason: 'session' })
    return ssoNotice(visit, 'doesNotFit', 400)
  }
  const { caller, session } = signedIn.value
  const { accountId } = caller
  const ids = { account_id: accountId, session_id: session.id }
  if (attempt.purpose === 'connect') {
    const connected = await sotto.connectIdentity({ ...callback, accountId })
    if (connected.isErr()) return refusedSso(visit, connected.error)
    audit(visit, 'identity_connected', { ...ids, identity_id: connected.value.id })
    return redirect('/settings/sign-in?done=identityConnected')
  }
  const proven = await sotto.reauthenticateWithIdentity({ ...callback, accountId, sessionId: session.id })
  if (proven.isErr()) return refusedSso(visit, proven.error)
  audit(visit, 'reauthenticated', ids)
  const { kept, next } = attempt
  // A form that was too long for the cookie is filled in once more.
  if (kept === undefined) return redirect(nextPath(next))
  return show(
    keptFormPage(visit.localized, visit.localized.texts.singleSignOn.proven, { action: next, kept }),
  )
}

/** Answers a call of the provider itself: OpenID Connect Back-Channel Logout 1.0, section 2.8. */
async function logOut(sotto: UseCases, visit: Visit, fields: FormFields): Promise<Answer> {
  const logoutToken = fields.find(([name]) => name === 'logout_token')?.[1] ?? ''
  const ended = await sotto.endSessionsOfIdentity({ logoutToken })
  if (ended.isErr())
    return ended.error.code === 'sso_refused' || ended.error.code === 'identity_provider_unreachable'
      ? refusedSso(visit, ended.error)
      : errorAnswer(visit, ended.error)
  audit(visit, 'sessions_ended_by_provider', { count: String(ended.value.sessions) })
  return done
}
