import type { SignInHeld } from '@sotto/identity'
import type { SignInLocked } from '@sotto/core'
import { show, type Answer, type PageAnswer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import type { SignInWay } from '../shared/sign-in-way.ts'
import type { Visit } from '../shared/visit.ts'
import { ssoNotice } from '../single-sign-on/sso.ts'
import { loginPage, type LoginNotice, type LoginPageInput } from './login-page.ts'

/** The login page, with all ways to sign in. */
export async function showLogin(
  ways: readonly SignInWay[],
  visit: Visit,
  input: Omit<LoginPageInput, 'ways'>,
  status?: number,
  headers?: PageAnswer['headers'],
): Promise<PageAnswer> {
  const shown = await Promise.all(ways.map((way) => way(visit, input.next)))
  const page = loginPage(visit.localized, { ...input, ways: shown.filter((each) => each !== undefined) })
  return show(page, status, headers)
}

/** Shows the login page again, and what was wrong. */
export type LoginAgain = (
  notice: LoginNotice,
  status: number,
  headers?: PageAnswer['headers'],
) => Promise<PageAnswer>

/** The answer after too many failures. */
export function lockedSignIn(
  visit: Visit,
  { reason, retryAfterSeconds }: SignInLocked,
  again: LoginAgain,
): Promise<PageAnswer> {
  audit(visit, 'sign_in_locked', {})
  const notice = reason === 'wrong_passwords' ? { lockedForSeconds: retryAfterSeconds } : 'crowded'
  return again(notice, 429, { 'retry-after': String(retryAfterSeconds) })
}

/** The answer for a held account: only somebody who has the password or passkey learns that it is held. */
export function heldSignIn(visit: Visit, { code, accountId }: SignInHeld): Answer {
  audit(visit, code, { account_id: accountId })
  return ssoNotice(visit, code, 403)
}
