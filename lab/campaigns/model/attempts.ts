import { minute, type Attempts, type Limits, type Secret } from './model.ts'

/** 5 wrong results within 10 minutes lock a link for 30 minutes; 100 in all disable it. */
export const linkLimits: Limits = { wrong: 5, window: 10 * minute, lock: 30 * minute, fromFirst: false }
/** Wrong passwords that disable a draft or link for good. */
export const wrongToDisable = 100

/** 5 failures in 10 minutes lock an account for 15 minutes. */
export const accountLimits: Limits = { wrong: 5, window: 10 * minute, lock: 15 * minute, fromFirst: false }
/** An address has 20 failures an hour. */
export const addressLimits: Limits = { wrong: 20, window: 60 * minute, lock: 60 * minute, fromFirst: true }

export const noAttempts = (): Attempts => ({ wrongAt: [], total: 0, lockedUntil: undefined })

/** What lies further in the future than it counts for is now, because the clock was set back. So is the beginning of a lock. */
export function correct(attempts: Attempts, limits: Limits, now: number): void {
  attempts.wrongAt = attempts.wrongAt.map((at) => (at > now + limits.window ? now : at))
  if (attempts.lockedUntil !== undefined && attempts.lockedUntil > now + 2 * limits.lock) {
    attempts.lockedUntil = now + limits.lock
  }
}

/** Whether so many wrong passwords were given that the draft or link is disabled. */
export function isDisabled({ total }: Attempts): boolean {
  return total >= wrongToDisable
}

/** What becomes of an attempt at the password of a draft or link. A wrong one is counted. */
export function attemptPassword(
  { attempts, password: right }: Secret,
  password: string,
  now: number,
): 'right' | { readonly retryAfterSeconds: number } | { readonly locks: boolean } {
  correct(attempts, linkLimits, now)
  const retryAfterSeconds = lockedFor(attempts, linkLimits, now)
  if (retryAfterSeconds !== undefined) return { retryAfterSeconds }
  forget(attempts, linkLimits, now)
  return password.normalize('NFC') === right ? 'right' : { locks: countWrong(attempts, linkLimits, now) }
}

/** The seconds until another attempt is possible; `undefined` when one is possible now. */
export function lockedFor({ lockedUntil }: Attempts, limits: Limits, now: number): number | undefined {
  return lockedUntil !== undefined && lockedUntil > now
    ? Math.ceil(Math.min(lockedUntil - now, limits.lock) / 1_000_000)
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
