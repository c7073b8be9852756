import type { DraftDisabled, DraftLocked } from './errors.ts'
import {
  countCutOff,
  countWrong,
  isDisabled,
  releaseAttempt,
  reserveAttempt,
  withoutFuture,
  type AttemptState,
} from '../shared/attempts.ts'

/** A reserved attempt at a draft's password; or the reason for a refusal, with attempts that have to be stored all the same. */
export interface DraftReservation {
  readonly attempts: AttemptState
  readonly refused?: DraftLocked | DraftDisabled
}

/**
 * Whether so many wrong passwords were given for a draft that it is disabled. Its note can then be neither shown nor shared, because the
 * count goes over to the link. Only a new note makes it usable again.
 */
export function isDraftDisabled(attempts: AttemptState, nowMicros: number): boolean {
  return isDisabled(countCutOff(attempts, nowMicros))
}

/**
 * Reserves an attempt at a draft's password before it is verified, within the limits of a link's. The attempts are the same object when
 * nothing has changed.
 */
export function reserveDraftAttempt(
  attempts: AttemptState,
  attemptId: string,
  nowMicros: number,
): DraftReservation {
  const settled = countCutOff(withoutFuture(attempts, nowMicros), nowMicros)
  if (isDisabled(settled)) return { attempts: settled, refused: { code: 'draft_disabled' } }
  const reserved = reserveAttempt(settled, attemptId, nowMicros)
  return reserved.isOk()
    ? { attempts: reserved.value }
    : { attempts: settled, refused: { code: 'draft_locked', ...reserved.error } }
}

/** Settles a reserved attempt: a wrong password counts, anything else releases it. */
export function settleDraftAttempt(
  attempts: AttemptState,
  {
    attemptId,
    isPasswordWrong,
    nowMicros,
  }: { readonly attemptId: string; readonly isPasswordWrong: boolean; readonly nowMicros: number },
): AttemptState {
  return isPasswordWrong ? countWrong(attempts, attemptId, nowMicros) : releaseAttempt(attempts, attemptId)
}
