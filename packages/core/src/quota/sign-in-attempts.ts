import { ok, err, type Result } from 'neverthrow'
import type { SignInLocked } from './errors.ts'
import type { AttemptBucket, AttemptsChange } from './attempt-buckets.ts'
import {
  attemptTimeoutMicros,
  countWrong,
  linkAttemptLimits,
  noAttempts,
  releaseAttempt,
  reserveAttempt,
  withoutFuture,
  type AttemptLimits,
  type AttemptState,
} from '../shared/attempts.ts'

const minuteMicros = 60 * 1_000_000

/**
 * 5 failed attempts in 10 minutes lock for 15. They are counted at one account from the addresses that it does not know, at one account
 * from one address that it knows, or in one session.
 */
export const accountAttemptLimits: AttemptLimits = {
  wrongToLock: 5,
  windowMicros: 10 * minuteMicros,
  lockMicros: 15 * minuteMicros,
  lockFrom: 'last',
}

/** Failed attempts to sign in from one address, to whatever account: never more than 20 within an hour. */
export const addressAttemptLimits: AttemptLimits = {
  wrongToLock: 20,
  windowMicros: 60 * minuteMicros,
  lockMicros: 60 * minuteMicros,
  lockFrom: 'first',
}

/**
 * Mails to people who are not signed in, or to addresses that nobody has confirmed. At most 3 an hour are sent for an account, known or
 * not, 20 from one network address, or for one owner, and 10 to one recipient, whoever asks for them.
 */
export const mailLimits = {
  account: { ...addressAttemptLimits, wrongToLock: 3 },
  address: addressAttemptLimits,
  recipient: { ...addressAttemptLimits, wrongToLock: 10 },
} as const satisfies Readonly<Record<string, AttemptLimits>>

/** A reserved attempt; or the reason for a refusal, with a correction of the attempts that has to be stored all the same. */
export type SignInReservation = AttemptsChange & { readonly refused?: SignInLocked }

/**
 * First step of every sign-in: reserves an attempt in each bucket, before the password is verified, or in none when one of them refuses.
 * @param limits of the buckets, in their order
 */
export function reserveSignIn(
  attempts: readonly AttemptState[],
  limits: readonly AttemptLimits[],
  { attemptId, nowMicros }: { readonly attemptId: string; readonly nowMicros: number },
): Result<SignInReservation, SignInLocked> {
  const corrected = attempts.map((state, at) => withoutFuture(state, nowMicros, limits[at]))
  const reserved: AttemptState[] = []
  for (const [at, state] of corrected.entries()) {
    const reservation = reserveAttempt(state, attemptId, nowMicros, limits[at])
    if (reservation.isOk()) {
      reserved.push(reservation.value)
      continue
    }
    const refused = { code: 'sign_in_locked', ...reservation.error } as const
    const isCorrected = corrected.some((state, at) => state !== attempts[at])
    return isCorrected ? ok({ buckets: bucketsOf(corrected, limits), refused }) : err(refused)
  }
  return ok({ buckets: bucketsOf(reserved, limits) })
}

/** Last step of every sign-in: counts the reserved attempt as wrong, or releases it. */
export function settleSignIn(
  attempts: readonly AttemptState[],
  limits: readonly AttemptLimits[],
  settling: { readonly attemptId: string; readonly isWrong: boolean; readonly nowMicros: number },
): AttemptsChange {
  const { attemptId, isWrong, nowMicros } = settling
  const settled = attempts.map((state, at) =>
    isWrong ? countWrong(state, attemptId, nowMicros, limits[at]) : releaseAttempt(state, attemptId),
  )
  return { buckets: bucketsOf(settled, limits) }
}

/** Counts a mail that somebody asks for in each bucket, or in none when one of them refuses. */
export function countMail(
  attempts: readonly AttemptState[],
  limits: readonly AttemptLimits[],
  counted: { readonly attemptId: string; readonly nowMicros: number },
): Result<SignInReservation, SignInLocked> {
  return reserveSignIn(attempts, limits, counted).map((reservation) => {
    if (reservation.refused !== undefined) return reservation
    const reserved = reservation.buckets.map((bucket) => bucket?.attempts ?? noAttempts)
    return settleSignIn(reserved, limits, { ...counted, isWrong: true })
  })
}

function bucketsOf(
  attempts: readonly AttemptState[],
  limits: readonly AttemptLimits[],
): readonly (AttemptBucket | undefined)[] {
  return attempts.map((state, at) => bucketOf(state, limits[at]))
}

function bucketOf(
  state: AttemptState,
  { windowMicros, lockMicros }: AttemptLimits = linkAttemptLimits,
): AttemptBucket | undefined {
  const { underWay, wrongAtMicros, lockedUntilMicros = 0 } = state
  const cutOff = underWay.map(({ sinceMicros }) => sinceMicros + attemptTimeoutMicros)
  const latest = Math.max(0, ...wrongAtMicros, ...cutOff)
  if (latest === 0 && lockedUntilMicros === 0) return undefined
  // The total number of wrong passwords locks nothing here.
  const attempts = { ...state, wrongTotal: noAttempts.wrongTotal }
  // An attempt that was cut off by a crash may lock, although nobody has counted it yet.
  const eraseAtMicros = Math.max(latest + Math.max(windowMicros, lockMicros), lockedUntilMicros)
  return { attempts, eraseAtMicros }
}
