import type { DashboardUseCases } from '../use-cases.ts'
import { logCorruption } from '@sotto/http-fastify/plugin'
import { show, type Answer } from '../shared/answers.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { doneOf } from '../shared/done.ts'
import type { PasskeysAgain } from '../passkeys/routes.ts'
import { signInSettingsPage, type SignInSettingsInput } from './settings-page.ts'
import { reauthenticationNeed } from '../shared/reauthentication.ts'
import type { Router } from '../shared/router.ts'
import type { SessionVisit } from '../shared/visit.ts'

export type SignInSettingsUseCases = Pick<
  DashboardUseCases,
  'showAuthenticators' | 'beginPasskey' | 'listPasskeys' | 'beginPasskeyProof'
>

export interface SignInSettingsOptions {
  readonly router: Router
  readonly sotto: SignInSettingsUseCases
}

/** `/settings/sign-in`: the authenticators of an owner. */
export function addSignInSettings({ router, sotto }: SignInSettingsOptions): void {
  router.session('/settings/sign-in', { get: (visit) => showSignInSettings(sotto, visit) })
}

/** What is said about a form of the page that was refused. */
export interface SignInSettingsAgain {
  readonly passkeys?: PasskeysAgain
  /** What is wrong with the password in the form that connects an identity. */
  readonly connectProblem?: string
}

export async function showSignInSettings(
  sotto: SignInSettingsUseCases,
  visit: SessionVisit,
  again: SignInSettingsAgain = {},
  status = 200,
): Promise<Answer> {
  const { accountId, localized, query, request, relyingParty, session } = visit
  if (relyingParty === undefined && localized.singleSignOn === undefined) return statusAnswer(localized, 404)
  const reauthentication = await reauthenticationNeed(sotto, visit)
  let input: SignInSettingsInput = { done: doneOf(localized, query['done']) }
  if (localized.singleSignOn !== undefined) {
    const shown = await sotto.showAuthenticators({ accountId })
    if (shown.isErr()) return errorAnswer(visit, shown.error)
    const { isHeld, identities } = shown.value
    logCorruption(request.log, identities.corrupted)
    const problem = again.connectProblem
    input = { ...input, identities: { identities: identities.items, isHeld, reauthentication, problem } }
  }
  if (relyingParty !== undefined) {
    const passkeys = await sotto.listPasskeys({ accountId })
    if (passkeys.isErr()) return errorAnswer(visit, passkeys.error)
    const { items, corrupted } = passkeys.value
    logCorruption(request.log, corrupted)
    const beginning = await sotto.beginPasskey({ accountId, sessionId: session.id })
    if (beginning.isErr()) return errorAnswer(visit, beginning.error)
    const shown = { passkeys: items, corruptedCount: corrupted.length, relyingParty, reauthentication }
    const form = { name: '', problems: {}, ...again.passkeys }
    input = { ...input, passkeys: { ...shown, beginning: beginning.value, ...form } }
  }
  return show(signInSettingsPage(localized, input), status)
}
