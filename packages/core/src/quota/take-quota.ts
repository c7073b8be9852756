import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { QuotaExceeded } from './errors.ts'
import type { StorageError } from '../shared/errors.ts'
import type { Policy, QuotaLimits } from '../policy.ts'
import { type QuotaStore, type QuotaWindow, quotaWindowMicros, type QuotaWindows } from './quota-store.ts'
import type { Clock } from '../shared/clock.ts'
import type { Digests } from '../shared/digests.ts'

const { minute: minuteMicros, day: dayMicros } = quotaWindowMicros

/**
 * How many tests of its mails and webhooks an owner may have sent from the pages, all targets together. Each test makes this service send
 * something to an address that the owner has chosen, so that without a bound it could be used to flood others. No setting changes it.
 */
export const testLimits: QuotaLimits = { perMinute: 5, perDay: 50 }

/**
 * The calls that are counted together: an account's, all of its tokens together; what its owner changes on the pages; what its owner
 * withdraws or ends on the pages, for each session, so that somebody with a stolen session cannot use up what the owner needs to end it;
 * the tests that its owner has sent, up to {@link testLimits}; or those of an address without valid credentials.
 */
export type QuotaBucket =
  | { readonly kind: 'account'; readonly accountId: Uuid }
  | { readonly kind: 'pages'; readonly accountId: Uuid }
  | { readonly kind: 'session'; readonly sessionId: Uuid }
  | { readonly kind: 'tests'; readonly accountId: Uuid }
  | { readonly kind: 'address'; readonly address: string }

/** What a caller may still call. */
export interface Quota {
  /** Calls a minute. */
  readonly limit: number
  /** Calls that remain in this minute: the smaller of what the minute and the day leave. */
  readonly remaining: number
}

export type TakeQuotaDeps = {
  readonly quota: Pick<QuotaStore, 'peek' | 'take'>
  readonly digests: Pick<Digests, 'addressBucket'>
  readonly clock: Clock
} & {
  readonly policy: Pick<Policy, 'quota'>
}
export interface TakeQuotaInput {
  readonly bucket: QuotaBucket
}
export type TakeQuotaError = QuotaExceeded | StorageError

export type PeekQuotaDeps = TakeQuotaDeps
export type PeekQuotaInput = TakeQuotaInput
export type PeekQuotaError = StorageError

/**
 * Counts one call.
 * @errors `quota_exceeded` when a window is full; the call is then not counted
 */
export function takeQuota(
  deps: TakeQuotaDeps,
  { bucket }: TakeQuotaInput,
): ResultAsync<Quota, TakeQuotaError> {
  return new ResultAsync(take(deps, bucket))
}

/** The current quota. Counts no call. */
export function peekQuota(
  { quota, digests, clock, policy }: PeekQuotaDeps,
  { bucket }: PeekQuotaInput,
): ResultAsync<Quota, PeekQuotaError> {
  return quota
    .peek(bucketName(bucket, digests), clock.nowMicros())
    .map((windows) => quotaOf(windows, limitsOf(bucket, policy)))
}

/** What counting an owner's tests takes. */
export interface CountTestDeps {
  readonly quota: Pick<QuotaStore, 'take'>
  readonly clock: Clock
}

/**
 * Counts one test that an owner has sent.
 * @errors `quota_exceeded` when {@link testLimits} are reached
 */
export async function countTest(
  deps: CountTestDeps,
  accountId: Uuid,
): Promise<Result<Quota, QuotaExceeded | StorageError>> {
  return takeFrom(deps, ownerBucket({ kind: 'tests', accountId }), testLimits)
}

function take(deps: TakeQuotaDeps, bucket: QuotaBucket): Promise<Result<Quota, TakeQuotaError>> {
  return takeFrom(deps, bucketName(bucket, deps.digests), limitsOf(bucket, deps.policy))
}

async function takeFrom(
  { quota, clock }: CountTestDeps,
  name: string,
  limits: QuotaLimits,
): Promise<Result<Quota, TakeQuotaError>> {
  const nowMicros = clock.nowMicros()
  const answer = await quota.take(name, nowMicros, limits)
  if (answer.isErr()) return err(answer.error)
  return answer.value.taken
    ? ok(quotaOf(answer.value, limits))
    : err(exceeded(answer.value, limits, nowMicros))
}

function limitsOf({ kind }: QuotaBucket, { quota }: Pick<Policy, 'quota'>): QuotaLimits {
  return kind === 'tests' ? testLimits : quota
}

function bucketName(bucket: QuotaBucket, digests: Pick<Digests, 'addressBucket'>): string {
  switch (bucket.kind) {
    case 'address':
      return `address/${digests.addressBucket(bucket.address)}`
    case 'session':
      return `session/${bucket.sessionId}`
    default:
      return ownerBucket(bucket)
  }
}

function ownerBucket({ kind, accountId }: Extract<QuotaBucket, { readonly accountId: Uuid }>): string {
  return `${kind}/${accountId}`
}

function quotaOf({ minute, day }: QuotaWindows, { perMinute, perDay }: QuotaLimits): Quota {
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
