const secondMicros = 1_000_000
const minuteMicros = 60 * secondMicros
const hourMicros = 60 * minuteMicros

/** How long to wait after the first failed attempt to deliver a message, after the second, and so on. After one more it is given up. */
export const retryDelaysMicros: readonly number[] = [
  5 * secondMicros,
  5 * minuteMicros,
  30 * minuteMicros,
  2 * hourMicros,
  5 * hourMicros,
  10 * hourMicros,
  14 * hourMicros,
  20 * hourMicros,
  24 * hourMicros,
]

/** How long a receiver can make a message wait at most. */
export const retryAfterMaxMicros = 24 * hourMicros

/** How long a caller has the deliveries that it leased to itself: longer than any attempt to send takes. */
export const leaseMicros = 30 * secondMicros

/** How long opens of a secret without limit are collected after a mail about one: 10 minutes. */
export const pauseMicros = 10 * minuteMicros

/** No message waits for longer than this: 27 hours, more than the longest wait with its jitter. */
export const waitMaxMicros = 27 * hourMicros

/** The share of itself by which jitter lengthens a wait at most, so that what failed together is not tried again together. */
const jitterShare = 0.1

/** A failed attempt to deliver a message. */
export interface FailedAttempt {
  /** Failed attempts before it. */
  readonly attempts: number
  readonly nowMicros: number
  /** 0 to 255: how much longer to wait, from nothing to a tenth. */
  readonly jitter: number
  /** The seconds after which the receiver wants to be asked again, at the earliest. */
  readonly retryAfterSeconds?: number | undefined
}

/** When to try a message again; `undefined` when it is given up. */
export function nextAttemptMicros({
  attempts,
  nowMicros,
  jitter,
  retryAfterSeconds = 0,
}: FailedAttempt): number | undefined {
  const delayMicros = retryDelaysMicros[attempts]
  if (delayMicros === undefined) return undefined
  const longerMicros = delayMicros * (1 + (jitterShare * jitter) / 255)
  const wishedMicros = Math.min(retryAfterSeconds * 1_000_000, retryAfterMaxMicros)
  return nowMicros + Math.round(Math.max(longerMicros, wishedMicros))
}
