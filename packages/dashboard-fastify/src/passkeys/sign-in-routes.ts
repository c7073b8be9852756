import { markup } from '@sotto/html'
import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { homePath, keepingLanguage, loginPath, nextPath } from '../shared/next-path.ts'
import type { Router } from '../shared/router.ts'
import type { SignInWay } from '../shared/sign-in-way.ts'
import type { Visit } from '../shared/visit.ts'
import type { SessionCookie } from '../sessions/cookies.ts'
import { endOlderSessions } from '../sessions/sent-sessions.ts'
import { heldSignIn, lockedSignIn, showLogin, type LoginAgain } from '../sign-in/login.ts'
import { sentAssertion } from './passkey-form.ts'
import { auditPasskey, passkeyProblem } from './passkey-proof.ts'
import { passkeyRequest } from './passkey-request.ts'
import { relyingPartyOf } from './relying-party.ts'

/** The button for a passkey on the login page. Nobody is known yet, so the passkey may be of any account. */
export function passkeyWay(sotto: Pick<DashboardUseCases, 'beginPasskeySignIn'>, baseUrl: string): SignInWay {
  const relyingParty = relyingPartyOf(baseUrl)
  return async ({ localized }, next) => {
    if (relyingParty === undefined) return undefined
    const begun = await sotto.beginPasskeySignIn()
    const request = { rpId: relyingParty.id, challenge: begun.unwrapOr(''), known: [] }
    const freshPath = keepingLanguage(localized, loginPath(next ?? homePath))
    return {
      place: 'below',
      // The form stands apart from the other one, which needs an email address and a password.
      html: markup`<form method="post" action="${keepingLanguage(localized, '/login/passkey')}" data-fresh="${freshPath}">
      ${next !== undefined && markup`<input type="hidden" name="next" value="${next}">`}
      ${passkeyRequest(localized, request, { field: 'passkey', isConditional: true })}
    </form>`,
      autocomplete: 'webauthn',
    }
  }
}

export interface PasskeySignInOptions {
  readonly router: Router
  readonly sotto: Pick<DashboardUseCases, 'signInWithPasskey' | 'authenticateSession' | 'endSession'>
  readonly cookie: SessionCookie
  readonly baseUrl: string
  /** What the login page shows. */
  readonly ways: readonly SignInWay[]
}

/** `/login/passkey`. */
export function addPasskeySignIn(options: PasskeySignInOptions): void {
  options.router.anyone('/login/passkey', { post: (visit, fields) => signIn(options, visit, fields) })
}

async function signIn(
  { sotto, cookie, baseUrl, ways }: PasskeySignInOptions,
  visit: Visit,
  fields: FormFields,
): Promise<Answer> {
  const { localized, address } = visit
  const form = formOf(fields, ['passkey', 'next'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const relyingParty = relyingPartyOf(baseUrl)
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
  const again: LoginAgain = (notice, ...how) => showLogin(ways, visit, { next, notice }, ...how)
  switch (error.code) {
    case 'passkey_refused':
      auditPasskey(visit, error)
      return again({ problem: passkeyProblem(localized.texts, error) }, 401)
    case 'sign_in_held':
      return heldSignIn(visit, error)
    case 'sign_in_locked':
      return lockedSignIn(visit, error, again)
    default:
      return errorAnswer(visit, error)
  }
}
