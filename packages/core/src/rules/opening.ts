import { err, ok, type Result } from 'neverthrow'
import { isExpired } from '../entities/secret.ts'
import type { FormAlreadyUsed, LinkLocked, LinkNotFound } from '../errors.ts'
import type { LinkChange, LinkRecord, LinkState } from '../ports/link-store.ts'
import {
  countCutOff,
  countWrong,
  isDisabled,
  releaseAttempt,
  reserveAttempt,
  withoutFuture,
} from './attempts.ts'

/**
 * For how many opens a link without limit remembers the form. Without a bound, anybody who has the link could make it store more and more
 * forms. A form that is sent again after that counts as another open.
 */
export const rememberedFormsMax = 100_000

/** Whether a link can be opened at all, its password aside: not expired, not used up, not destroyed, not disabled by guessing. */
export function isOpenable({ secret, state }: LinkRecord, nowMicros: number): boolean {
  if (isExpired(secret.link.expiresAtMicros, nowMicros) || !state.hasNote) return false
  return opensLeft(secret.openLimit, state.opens) !== 0 && !isDisabled(state.attempts)
}

/** Opens that remain after `opens` of them; `undefined` without limit. */
export function opensLeft(openLimit: number | undefined, opens: number): number | undefined {
  return openLimit === undefined ? undefined : Math.max(0, openLimit - opens)
}

/** A reserved attempt; or the reason for a refusal, with a change that has to be stored all the same. */
export type Reservation = LinkChange & { readonly refused?: LinkLocked | LinkNotFound }

/**
 * First step of an open with a password: reserves an attempt, before the password is verified. Times that a wrong clock left in the future
 * are corrected, also when the attempt is refused. If attempts that were cut off by a crash disable the link, that is stored, and the note
 * is destroyed as in {@link settleOpen}.
 */
export function reserveOpen(
  record: LinkRecord,
  { attemptId, nowMicros }: { readonly attemptId: string; readonly nowMicros: number },
): Result<Reservation, LinkNotFound | LinkLocked> {
  if (!isOpenable(record, nowMicros)) return err({ code: 'link_not_found' })
  const corrected = withoutFuture(record.state.attempts, nowMicros)
  const settled = countCutOff(corrected, nowMicros)
  if (isDisabled(settled))
    return ok({ attempts: settled, destroyNote: true, refused: { code: 'link_not_found' } })
  const reserved = reserveAttempt(corrected, attemptId, nowMicros)
  if (reserved.isOk()) return ok({ attempts: reserved.value })
  const refused = { code: 'link_locked', ...reserved.error } as const
  const isCorrected = corrected !== record.state.attempts
  return isCorrected ? ok({ attempts: corrected, refused }) : err(refused)
}

/** A claimed open: the change, with the number of opens after it. */
export type Claim = LinkChange & { readonly opens: number }

/**
 * Claims one open: counts it, releases its attempt, and destroys the note if it was the last permitted one.
 * @param claim.attemptId of an open with a password: the attempt that was reserved for it
 */
export function claimOpen(
  record: LinkRecord,
  { attemptId, nowMicros }: { readonly attemptId: string | undefined; readonly nowMicros: number },
): Result<Claim, LinkNotFound | FormAlreadyUsed> {
  const { secret, state } = record
  if (!isOpenable(record, nowMicros)) return err({ code: 'link_not_found' })
  if (state.formUsed) return err({ code: 'form_already_used' })
  const opens = state.opens + 1
  return ok({
    opens,
    openedAtMicros: nowMicros,
    destroyNote: opensLeft(secret.openLimit, opens) === 0,
    rememberForm: secret.openLimit !== undefined || state.opens < rememberedFormsMax,
    ...(attemptId === undefined ? {} : { attempts: releaseAttempt(state.attempts, attemptId) }),
  })
}

/**
 * Settles a reserved attempt whose open failed: a wrong password counts, any other failure is not the recipient's and releases it. The
 * note of a link that is disabled thereby is destroyed: nobody could ever open it, and the link is then found like a used-up one.
 */
export function settleOpen(
  { attempts }: Pick<LinkState, 'attempts'>,
  settling: { readonly attemptId: string; readonly isPasswordWrong: boolean; readonly nowMicros: number },
): LinkChange {
  const { attemptId, isPasswordWrong, nowMicros } = settling
  const settled = isPasswordWrong
    ? countWrong(attempts, attemptId, nowMicros)
    : releaseAttempt(attempts, attemptId)
  return { attempts: settled, destroyNote: isDisabled(settled) }
}
