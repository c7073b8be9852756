import { isReauthenticationFresh } from '@sotto/core'
import { filledText } from '../design/html.ts'
import type { FormFields } from '../http/bodies/form.ts'
import type { DashboardUseCases } from '../use-cases.ts'
import type { Answer } from './answers.ts'
import { audit } from './audit.ts'
import { errorAnswer, statusAnswer } from './errors.ts'
import { formOf } from './form.ts'
import type { OwnerVisit } from './visit.ts'

/** Whether a form has to ask for the password again. An application that signs its users in asks for a fresh re-authentication itself. */
export function needsReauthentication({ session, nowMicros }: OwnerVisit): boolean {
  return session !== undefined && !isReauthenticationFresh(session, nowMicros)
}

/** `undefined` when the owner is proven; what to say at the field for the password; or another answer. */
export type ReauthenticationOutcome =
  undefined | { readonly problem: string; readonly status: number } | Answer

/** To be called before everything that a stolen session must not do. @param password what the form has; empty when it did not ask */
export async function prove(
  sotto: Pick<DashboardUseCases, 'ensureReauthentication'>,
  visit: OwnerVisit,
  password: string,
): Promise<ReauthenticationOutcome> {
  const { accountId, session, address, localized } = visit
  if (session === undefined) return undefined
  const proven = await sotto.ensureReauthentication({ accountId, session, password, address })
  if (proven.isOk()) return undefined
  const { fieldErrors } = localized.texts.common
  const { locked, crowded } = localized.texts.account.signIn
  switch (proven.error.code) {
    case 'proof_required':
      return { problem: fieldErrors.empty, status: 400 }
    case 'password_wrong':
      audit(visit, 'password_refused', { account_id: accountId })
      return { problem: fieldErrors.wrong_password, status: 400 }
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

/** The answer when a form with nothing but the password proves no owner. @param again asks for the password once more */
export async function refusedReauthentication(
  sotto: Pick<DashboardUseCases, 'ensureReauthentication'>,
  visit: OwnerVisit,
  fields: FormFields,
  again: (problem: string, status: number) => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  const form = formOf(fields, ['proof'])
  if (form.isErr()) return statusAnswer(visit.localized, form.error.status)
  const outcome = await prove(sotto, visit, form.value.proof)
  if (outcome === undefined || 'kind' in outcome) return outcome
  return again(outcome.problem, outcome.status)
}
