import assert from 'node:assert/strict'
import type { QuotaLimits, QuotaStore, QuotaWindows } from '@sotto/core'
import {
  caseOf,
  type CaseOf,
  type ContractCase,
  type Harness,
  type Unit,
  type UnnamedCase,
} from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'

/**
 * What a quota store can do beyond the minimum:
 * - `reopen`: counts survive the end of the store that counted them.
 * - `beside`: several stores count on the same data at the same time, as several processes do.
 */
export type QuotaCapability = 'reopen' | 'beside'

/** A quota store, for its contract. */
export interface QuotaUnderTest extends Unit {
  readonly quota: QuotaStore

  /** Closes the store, then removes its data. Once closed, every method answers an Err. */
  dispose(): Promise<void>

  /**
   * Ends, for `reopen`, this store abruptly and opens another one on the same data. This one is neither used nor disposed of afterwards.
   */
  reopen?(): Promise<QuotaUnderTest>

  /** Opens, for `beside`, another store on the same data. It is disposed of before this one, and its disposal leaves the data alone. */
  beside?(): Promise<QuotaUnderTest>
}

/** Makes the quota stores that the contract is run on. */
export type QuotaHarness = Harness<QuotaUnderTest, QuotaCapability>

/** One case of the contract of the quota store. */
export type QuotaCase = ContractCase<QuotaHarness>

export const minuteMicros = 60 * 1_000_000
export const dayMicros = 86_400 * 1_000_000

/** The bucket of most cases, and its limits. */
export const bucket = 'account/019a0000-0000-7000-8000-000000000001'
export const limits = { perMinute: 3, perDay: 5 }

/** A case on a store that has counted nothing, and on one bucket of it. */
export function quotaCase({
  check,
  ...about
}: Omit<CaseOf<QuotaUnderTest, QuotaCapability>, 'check'> & {
  check(quota: QuotaStore, one: Bucket): Promise<void>
}): UnnamedCase<QuotaHarness> {
  return caseOf({ ...about, check: ({ quota }) => check(quota, bucketOf(quota)) })
}

/** A case on two stores that are open on the same data. */
export function quotaBesideCase({
  check,
  ...about
}: Pick<QuotaCase, 'rule'> & {
  check(quota: QuotaStore, beside: QuotaStore): Promise<void>
}): UnnamedCase<QuotaHarness> {
  return caseOf({
    ...about,
    needs: ['beside'],
    async check(store: QuotaUnderTest) {
      assert.ok(store.beside, 'the harness supports beside, but its store has no such method')
      const beside = await store.beside()
      try {
        await check(store.quota, beside.quota)
      } finally {
        await beside.dispose()
      }
    },
  })
}

/** Windows as the store answers them. */
export function windows(
  minuteStart: number,
  minuteCount: number,
  dayStart: number,
  dayCount: number,
): QuotaWindows {
  return {
    minute: { startedAtMicros: minuteStart, count: minuteCount },
    day: { startedAtMicros: dayStart, count: dayCount },
  }
}

/** Takes `count` calls at one time, each of which must be counted. */
export async function takeAll(
  quota: QuotaStore,
  bucket: string,
  { nowMicros, count, limits }: { nowMicros: number; count: number; limits: QuotaLimits },
): Promise<void> {
  for (let call = 0; call < count; call += 1) {
    const { taken } = expectOk(await quota.take(bucket, nowMicros, limits), 'taking a call')
    same(taken, true, `whether call ${call + 1} of ${count} was counted`)
  }
}

/** What the cases do with one bucket. */
export type Bucket = ReturnType<typeof bucketOf>

export function bucketOf(quota: QuotaStore, within: QuotaLimits = limits) {
  const answers = async (nowMicros: number, expected: unknown, what?: string) =>
    same(expectOk(await quota.take(bucket, nowMicros, within)), expected, what)
  return {
    /** Takes `count` calls at one time, each of which must be counted. */
    takeAll: (nowMicros: number, count: number) =>
      takeAll(quota, bucket, { nowMicros, count, limits: within }),
    /** Holds when a call is counted, and answered with these windows. */
    takes: (nowMicros: number, seen: QuotaWindows, what?: string) =>
      answers(nowMicros, { ...seen, taken: true }, what),
    /** Holds when a call is not counted, and answered with these windows. */
    refuses: (nowMicros: number, seen: QuotaWindows, what?: string) =>
      answers(nowMicros, { ...seen, taken: false }, what),
    /** Holds when the bucket has these windows. */
    shows: async (nowMicros: number, seen: QuotaWindows, what?: string) =>
      same(expectOk(await quota.peek(bucket, nowMicros)), seen, what),
  }
}
