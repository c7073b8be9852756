import { err, ok, type Result } from 'neverthrow'
import type { QuotaLimits } from '../policy.ts'
import type { StorageError } from '../shared/errors.ts'
import type { DepsOf } from '../shared/use-case.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { QuotaExceeded } from './errors.ts'
import { quotaWindowMicros, type QuotaWindow, type QuotaWindows } from './quota-store.ts'

const { minute: minuteMicros, day: dayMicros } = quotaWindowMicros

/** What a caller may still call. */
export interface Quota {
  /** Calls a minute. */
  readonly limit: number
  /** Calls that remain in this minute: the smaller of what the minute and the day leave. */
  readonly remaining: number
}

/** What {@link countCall} and {@link countTest} need. */
export const countCallNeeds = ['quota.take', 'clock.nowMicros'] as const

type Deps = DepsOf<(typeof countCallNeeds)[number]>

/** Counts one call in the bucket of this name. */
export async function countCall(
  { quota, clock }: Deps,
  name: string,
  limits: QuotaLimits,
): Promise<Result<Quota, QuotaExceeded | StorageError>> {
  const nowMicros = clock.nowMicros()
  const answer = await quota.take(name, nowMicros, limits)
  if (answer.isErr()) return err(answer.error)
  return answer.value.taken
    ? ok(quotaOf(answer.value, limits))
    : err(exceeded(answer.value, limits, nowMicros))
}

/**
 * How many tests of its mails and webhooks an owner may have sent from the pages, all targets together. Each test makes this service send
 * something to an address that the owner has chosen, so that without a bound it could be used to flood others. No setting changes it.
 */
export const testLimits: QuotaLimits = { perMinute: 5, perDay: 50 }

/**
 * Counts one test that an owner has sent.
 * @errors `quota_exceeded` when {@link testLimits} are reached
 */
export function countTest(deps: Deps, accountId: Uuid): Promise<Result<Quota, QuotaExceeded | StorageError>> {
  return countCall(deps, ownerBucket({ kind: 'tests', accountId }), testLimits)
}

/** The name of a bucket in which calls of an account's owner are counted. */
export function ownerBucket({
  kind,
  accountId,
}: {
  readonly kind: string
  readonly accountId: Uuid
}): string {
  return `${kind}/${accountId}`
}

/** What the windows of a bucket leave. */
export function quotaOf({ minute, day }: QuotaWindows, { perMinute, perDay }: QuotaLimits): Quota {
  return { limit: perMinute, remaining: Math.max(0, Math.min(perMinute - minute.count, perDay - day.count)) }
}

function exceeded(
  { minute, day }: QuotaWindows,
  { perMinute, perDay }: QuotaLimits,
  nowMicros: number,
): QuotaExceeded {
  const resetAtMicros = Math.max(
    blockedUntil(minute, perMinute, minuteMicros),
    blockedUntil(day, perDay, dayMicros),
  )
  const retryAfterSeconds = Math.max(1, Math.ceil((resetAtMicros - nowMicros) / 1_000_000))
  return { code: 'quota_exceeded', resetAtMicros, retryAfterSeconds }
}

function blockedUntil({ startedAtMicros, count }: QuotaWindow, limit: number, lengthMicros: number): number {
  return count >= limit ? startedAtMicros + lengthMicros : 0
}
