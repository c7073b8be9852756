import { isReauthenticationFresh, type PasskeyRefused } from '@sotto/identity'
import { filledText } from '@sotto/html'
import { logError, type FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import type { Answer } from './answers.ts'
import { audit } from './audit.ts'
import { errorAnswer, statusAnswer } from './errors.ts'
import type { PasskeyRequest } from './passkey-request.ts'
import { passkeyProof } from './passkey-form.ts'
import { formOf } from './form.ts'
import type { OwnerVisit, Visit } from './visit.ts'

/** The use-cases that make sure who an owner is. */
export type ReauthenticationUseCases = Pick<
  DashboardUseCases,
  'ensureReauthentication' | 'reauthenticateWithPasskey' | 'beginPasskeyProof'
>

/** What a form has to ask for: the password again, or a passkey where the account has one. */
export interface ReauthenticationNeed {
  readonly passkey: PasskeyRequest | undefined
  /** Whether the account has no password: the form leads to the identity provider. */
  readonly isByIdentity: boolean
}

/** `undefined` when a form has to ask for nothing. An application that signs its users in asks for a fresh re-authentication itself. */
export async function reauthenticationNeed(
  sotto: Pick<ReauthenticationUseCases, 'beginPasskeyProof'>,
  { accountId, session, nowMicros, relyingParty, request, proveWithIdentity }: OwnerVisit,
): Promise<ReauthenticationNeed | undefined> {
  if (session === undefined || isReauthenticationFresh(session, nowMicros)) return undefined
  const isByIdentity = proveWithIdentity !== undefined
  if (relyingParty === undefined) return { passkey: undefined, isByIdentity }
  const { id: rpId } = relyingParty
  const begun = await sotto.beginPasskeyProof({ accountId, sessionId: session.id, rpId })
  if (begun.isOk()) return { passkey: begun.value && { ...begun.value, rpId }, isByIdentity }
  // The password can be asked for all the same.
  logError(request.log, begun.error, 503)
  return { passkey: undefined, isByIdentity }
}

/** `undefined` when the owner is proven; what to say at the field for the password; or another answer. */
export type ReauthenticationOutcome =
  undefined | { readonly problem: string; readonly status: number } | Answer

/**
 * Proves who sends a form; called before everything that a stolen session must not do. @param fields of the form: it asks for the password,
 * or a passkey, as `proof`
 */
export async function prove(
  sotto: Omit<ReauthenticationUseCases, 'beginPasskeyProof'>,
  visit: OwnerVisit,
  fields: FormFields,
): Promise<ReauthenticationOutcome> {
  const { accountId, session, address, localized, relyingParty, proveWithIdentity } = visit
  if (session === undefined) return undefined
  const proof = fields.find(([name]) => name === 'proof')?.[1] ?? ''
  const assertion = passkeyProof(proof)
  const given = { accountId, session, address }
  const proven =
    relyingParty === undefined || assertion === undefined
      ? await sotto.ensureReauthentication({ ...given, password: proof })
      : await sotto.reauthenticateWithPasskey({ ...given, passkey: { assertion, relyingParty } })
  if (proven.isOk()) return undefined
  const { fieldErrors } = localized.texts.common
  const { locked, crowded } = localized.texts.signIn
  switch (proven.error.code) {
    case 'proof_required':
      if (proveWithIdentity !== undefined) return proveWithIdentity(fields)
      return { problem: fieldErrors.empty, status: 400 }
    case 'password_wrong':
      audit(visit, 'password_refused', { account_id: accountId })
      return { problem: fieldErrors.wrong_password, status: 400 }
    case 'passkey_refused':
      auditPasskey(visit, { accountId, ...proven.error })
      return { problem: passkeyProblem(localized, proven.error), status: 400 }
    case 'sign_in_locked': {
      audit(visit, 'sign_in_locked', { account_id: accountId })
      const when = localized.fromNow(proven.error.retryAfterSeconds)
      const isLocked = proven.error.reason === 'wrong_passwords'
      return { problem: isLocked ? filledText(locked, { when }) : crowded, status: 429 }
    }
    default:
      return errorAnswer(visit, proven.error)
  }
}

/** Says in the log why a passkey was refused. */
export function auditPasskey(visit: Visit, { reason, accountId }: PasskeyRefused): void {
  audit(visit, 'passkey_refused', { account_id: accountId, reason })
}

/** What the person is told, who is at fault only for a page that was open too long. */
export function passkeyProblem({ texts }: Visit['localized'], error: PasskeyRefused): string {
  return isPageTooOld(error) ? texts.passkeys.expired : texts.passkeys.refused
}

/** Whether nothing is wrong but the page, which was open too long or was sent before. */
export function isPageTooOld({ reason }: PasskeyRefused): boolean {
  return reason === 'challenge' || reason === 'challenge_used'
}

/** The answer when a form with nothing but the password proves no owner. @param again asks for the password once more */
export async function refusedReauthentication(
  sotto: Omit<ReauthenticationUseCases, 'beginPasskeyProof'>,
  visit: OwnerVisit,
  fields: FormFields,
  again: (problem: string, status: number) => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  const form = formOf(fields, ['proof'])
  if (form.isErr()) return statusAnswer(visit.localized, form.error.status)
  const outcome = await prove(sotto, visit, fields)
  if (outcome === undefined || 'kind' in outcome) return outcome
  return again(outcome.problem, outcome.status)
}
