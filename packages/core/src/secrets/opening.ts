import { err, ok, type Result } from 'neverthrow'
import { isExpired, opensLeft } from './secret.ts'
import type { Uuid } from '../shared/uuid.ts'
import {
  formAlreadyUsed,
  linkNotFound,
  type FormAlreadyUsed,
  type LinkLocked,
  type LinkNotFound,
} from './errors.ts'
import type { NewTicket } from '../files/secret-file-store.ts'
import type { LinkChange, LinkRecord } from './link-store.ts'
import {
  becomesLocked,
  countCutOff,
  countWrong,
  isDisabled,
  isLocked,
  releaseAttempt,
  reserveAttempt,
  withoutFuture,
  type AttemptState,
} from '../shared/attempts.ts'
import { lockedEvent, openedEvent } from './secret-events.ts'

/**
 * The number of opens for which a link without limit remembers the form. Without a bound, anybody who has the link could make it store more
 * and more forms. A form that is sent again after that counts as another open.
 */
export const rememberedFormsMax = 100_000

/** Whether a link can be opened at all, its password aside: not expired, not used up, not destroyed, not disabled by guessing. */
export function isOpenable({ secret, state }: LinkRecord, nowMicros: number): boolean {
  if (isExpired(secret.link.expiresAtMicros, nowMicros) || !state.hasNote) return false
  return opensLeft(secret.openLimit, state.opens) !== 0 && !isDisabled(state.attempts)
}

/** A step of an open, and who takes it. */
interface Step {
  readonly nowMicros: number
  /** The id of the event that the step causes, if it causes one; `undefined` for a secret without `notify`, which has no events. */
  readonly eventId: Uuid | undefined
}

/** A reserved attempt; or the reason for a refusal, with a change that has to be stored all the same. */
export type Reservation = LinkChange & { readonly refused?: LinkLocked | LinkNotFound }

/**
 * First step of an open with a password: reserves an attempt, before the password is verified. Times that a wrong clock left in the future
 * are corrected, also when the attempt is refused. If attempts that were cut off by a crash disable the link, that is stored, and the note
 * is destroyed as in {@link settleOpen}; if they lock it, that is stored when its owner hears of it.
 */
export function reserveOpen(
  record: LinkRecord,
  { attemptId, nowMicros, eventId }: Step & { readonly attemptId: string },
): Result<Reservation, LinkNotFound | LinkLocked> {
  if (!isOpenable(record, nowMicros)) return err(linkNotFound)
  const corrected = withoutFuture(record.state.attempts, nowMicros)
  const settled = countCutOff(corrected, nowMicros)
  const reported = lockEvents(record, corrected, settled, { nowMicros, eventId })
  if (isDisabled(settled))
    return ok({ attempts: settled, destroyNote: true, ...reported, refused: { code: 'link_not_found' } })
  const reserved = reserveAttempt(corrected, attemptId, nowMicros)
  if (reserved.isOk()) return ok({ attempts: reserved.value })
  const { lockedUntilMicros } = settled
  const isLock = reserved.error.reason === 'wrong_passwords' && lockedUntilMicros !== undefined
  const refused = { code: 'link_locked', ...reserved.error, ...(isLock && { lockedUntilMicros }) } as const
  if (reported.events !== undefined) return ok({ attempts: settled, ...reported, refused })
  const isCorrected = corrected !== record.state.attempts
  return isCorrected ? ok({ attempts: corrected, refused }) : err(refused)
}

/** What an open is claimed with. */
interface OpenClaim extends Step {
  readonly attemptId: string | undefined
  /** The ticket for its files. */
  readonly ticket?: NewTicket | undefined
}

/** A claimed open: the change, with the number of `opens` after it. */
export type Claim = LinkChange & { readonly opens: number }

/**
 * Claims one open: counts it, releases its attempt, and destroys the note if it was the last permitted one. The owner of a secret with
 * `notify` hears of it.
 * @param claim.attemptId of an open with a password: the attempt that was reserved for it
 */
export function claimOpen(
  record: LinkRecord,
  { attemptId, nowMicros, eventId, ticket }: OpenClaim,
): Result<Claim, LinkNotFound | FormAlreadyUsed> {
  const { secret, state } = record
  if (!isOpenable(record, nowMicros)) return err(linkNotFound)
  if (state.formUsed) return err(formAlreadyUsed)
  const opens = state.opens + 1
  const isReported = secret.notify && eventId !== undefined
  return ok({
    opens,
    openedAtMicros: nowMicros,
    destroyNote: opensLeft(secret.openLimit, opens) === 0,
    rememberForm: secret.openLimit !== undefined || state.opens < rememberedFormsMax,
    ...(attemptId === undefined ? {} : { attempts: releaseAttempt(state.attempts, attemptId) }),
    ...(ticket === undefined ? {} : { ticket }),
    ...(isReported ? { events: [openedEvent(secret, opens, { id: eventId, atMicros: nowMicros })] } : {}),
  })
}

/**
 * Settles a reserved attempt whose open failed: a wrong password counts, any other failure is not the recipient's and releases it. The
 * note of a link that is disabled thereby is destroyed: nobody could ever open it, and the link is then found like a used-up one. The
 * owner of a secret with `notify` hears of the wrong password that locks or disables the link.
 */
export function settleOpen(
  record: LinkRecord,
  settling: Step & { readonly attemptId: string; readonly isPasswordWrong: boolean },
): LinkChange {
  const { attemptId, isPasswordWrong, nowMicros } = settling
  const { attempts } = record.state
  if (!isPasswordWrong)
    return { attempts: releaseAttempt(attempts, attemptId), destroyNote: isDisabled(attempts) }
  const settled = countWrong(attempts, attemptId, nowMicros)
  const before = withoutFuture(attempts, nowMicros)
  return {
    attempts: settled,
    destroyNote: isDisabled(settled),
    ...lockEvents(record, before, settled, settling),
  }
}

/** What ends a lock. */
export type Unlocked = LinkChange & { readonly wasLocked: boolean }

/**
 * Ends the lock of a link, and forgets the recent wrong passwords, those of attempts that were cut off too. The sum of all stays. A link that
 * is disabled for good is not changed.
 */
export function unlock({ state: { attempts } }: LinkRecord, nowMicros: number): Result<Unlocked, never> {
  const settled = countCutOff(withoutFuture(attempts, nowMicros), nowMicros)
  const wasLocked = isLocked(settled, nowMicros)
  if (isDisabled(settled)) return ok({ wasLocked: false })
  return ok({ attempts: { ...settled, wrongAtMicros: [], lockedUntilMicros: undefined }, wasLocked })
}

/** The event of a secret with `notify` that becomes locked or disabled. */
function lockEvents(
  record: LinkRecord,
  before: AttemptState,
  after: AttemptState,
  { nowMicros, eventId }: Step,
): Pick<LinkChange, 'events'> {
  const isReported = record.secret.notify && becomesLocked(before, after, nowMicros)
  if (!isReported || eventId === undefined) return {}
  return { events: [lockedEvent(record, { id: eventId, atMicros: nowMicros })] }
}
