import { minute, type Attempts, type Limits } from './model.ts'

/** 5 wrong results within 10 minutes lock a link for 30 minutes; 100 in all disable it. */
export const linkLimits: Limits = { wrong: 5, window: 10 * minute, lock: 30 * minute, fromFirst: false }
/** 5 failures in 10 minutes lock an account for 15 minutes. */
export const accountLimits: Limits = { wrong: 5, window: 10 * minute, lock: 15 * minute, fromFirst: false }
/** An address has 20 failures an hour. */
export const addressLimits: Limits = { wrong: 20, window: 60 * minute, lock: 60 * minute, fromFirst: true }

/** What lies in the future counts as now, because the clock was set back. A lock ends after its full length from now, at the latest. */
export function correct(attempts: Attempts, limits: Limits, now: number): void {
  attempts.wrongAt = attempts.wrongAt.map((at) => Math.min(at, now))
  if (attempts.lockedUntil !== undefined) {
    attempts.lockedUntil = Math.min(attempts.lockedUntil, now + limits.lock)
  }
}

/** In how many seconds another attempt is possible; `undefined` when one is possible now. */
export function lockedFor({ lockedUntil }: Attempts, now: number): number | undefined {
  return lockedUntil !== undefined && lockedUntil > now
    ? Math.ceil((lockedUntil - now) / 1_000_000)
    : undefined
}

/** An attempt begins: what is over is forgotten. */
export function forget(attempts: Attempts, limits: Limits, now: number): void {
  attempts.wrongAt = attempts.wrongAt.filter((at) => at > now - limits.window)
  attempts.lockedUntil = undefined
}

/** The attempt was wrong. True when it locks. */
export function countWrong(attempts: Attempts, limits: Limits, now: number): boolean {
  attempts.wrongAt.push(now)
  attempts.total += 1
  if (attempts.wrongAt.length < limits.wrong) return false
  const [first = now, ...others] = attempts.wrongAt
  attempts.lockedUntil = (limits.fromFirst ? first : now) + limits.lock
  attempts.wrongAt = limits.fromFirst ? others : []
  return true
}
