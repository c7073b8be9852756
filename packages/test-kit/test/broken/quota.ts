import { defaultAddressesMax, type QuotaWindows } from '@sotto/core'
import { createMemoryQuota, type MemoryQuota, type QuotaHarness } from '@sotto/test-kit'
import { ok, okAsync } from 'neverthrow'
import { memoryQuotaHarness } from '../harnesses.ts'
import { brokenQuota, pause, slowly, type Broken } from './broken.ts'

const memory = memoryQuotaHarness()
const unlimited = { perMinute: Number.MAX_SAFE_INTEGER, perDay: Number.MAX_SAFE_INTEGER }

/** Flaws of opening, counting, buckets and erasing. */
export const brokenQuotas: readonly Broken<QuotaHarness>[] = [
  {
    flaw: 'shares its data with all others',
    breaks: ['quota-store/opens-apart'],
    harness: sharing(createMemoryQuota().data),
  },
  {
    flaw: 'supports less than its units do',
    breaks: ['quota-store/offers-what-it-declares'],
    harness: { ...memory, supports: [] },
  },
  {
    flaw: 'is not closed when it is disposed of',
    breaks: ['quota-store/closed-store-answers'],
    harness: sharing(createMemoryQuota().data),
  },
  {
    flaw: 'forgets everything when it is closed',
    breaks: ['quota-store/counts-are-found-after-reopening'],
    harness: memoryQuotaHarness({ reopened: () => new Map() }),
  },
  {
    flaw: 'opens a copy beside instead of the same data',
    breaks: ['quota-store/two-stores-count-exactly'],
    harness: memoryQuotaHarness({ beside: structuredClone }),
  },
  brokenQuota(
    'counts the first call in the minute only',
    ['quota-store/first-call-starts-both-windows'],
    (quota) => ({
      take: (bucket, nowMicros, limits) =>
        quota.take(bucket, nowMicros, limits).map((answer) => {
          const stored = { ...answer, day: { ...answer.day, count: answer.day.count - 1 } }
          quota.data.set(bucket, stored)
          return stored
        }),
    }),
  ),
  brokenQuota('starts unknown buckets at the epoch', ['quota-store/unknown-bucket-is-empty'], (quota) => ({
    peek: (bucket, nowMicros) => quota.peek(bucket, quota.data.has(bucket) ? nowMicros : 0),
  })),
  brokenQuota('counts a call in peek', ['quota-store/peek-counts-nothing'], (quota) => ({
    peek: (bucket, nowMicros) =>
      quota.take(bucket, nowMicros, unlimited).map(({ minute, day }) => ({ minute, day })),
  })),
  brokenQuota('starts windows in peek', ['quota-store/peek-counts-nothing'], (quota) => ({
    peek: (bucket, nowMicros) => quota.peek(bucket, nowMicros).map((seen) => stored(quota, bucket, seen)),
  })),
  ofBucket('ignores the case of a name', ['quota-store/buckets-count-apart'], (name) => name.toLowerCase()),
  ofBucket('cuts names at 64 characters', ['quota-store/buckets-count-apart'], (name) => name.slice(0, 64)),
  brokenQuota('uses the limits of the first call', ['quota-store/limits-are-those-of-the-call'], (quota) => {
    let first: typeof unlimited | undefined
    return { take: (bucket, nowMicros, limits) => quota.take(bucket, nowMicros, (first ??= limits)) }
  }),
  brokenQuota(
    'reads the count, then counts',
    ['quota-store/parallel-calls-are-counted-exactly', 'quota-store/two-stores-count-exactly'],
    (quota) => ({ take: takeInSteps(quota) }),
  ),
  brokenQuota('locks within one process only', ['quota-store/two-stores-count-exactly'], (quota) => {
    let last: Promise<unknown> = Promise.resolve()
    const inSteps = takeInSteps(quota)
    return {
      take: (...asked) =>
        slowly(() => {
          const turn = last.then(() => inSteps(...asked))
          last = turn
          return turn
        }),
    }
  }),
  brokenQuota('erases when the minute is over', ['quota-store/erase-takes-what-is-over'], (quota) => ({
    eraseOver(nowMicros, limit) {
      const over = [...quota.data].filter(
        ([, { minute }]) => nowMicros >= minute.startedAtMicros + 60_000_000,
      )
      for (const [bucket] of over.slice(0, limit)) quota.data.delete(bucket)
      return okAsync(Math.min(over.length, limit))
    },
  })),
  brokenQuota(
    'erases after the end only',
    ['quota-store/erase-takes-what-is-over', 'quota-store/erase-stops-at-the-limit'],
    (quota) => ({ eraseOver: (nowMicros, limit) => quota.eraseOver(nowMicros - 1, limit) }),
  ),
  brokenQuota('erases without limit', ['quota-store/erase-stops-at-the-limit'], (quota) => ({
    eraseOver: (nowMicros) => quota.eraseOver(nowMicros, 1_000),
  })),
  brokenQuota('always answers the limit', ['quota-store/erase-stops-at-the-limit'], (quota) => ({
    eraseOver: (nowMicros, limit) => quota.eraseOver(nowMicros, limit).map(() => limit),
  })),
  brokenQuota('keeps the count of an erased bucket', ['quota-store/erased-bucket-starts-again'], (quota) => ({
    eraseOver(nowMicros) {
      for (const [bucket, { minute, day }] of quota.data) {
        stored(quota, bucket, { minute: { ...minute, startedAtMicros: nowMicros }, day })
      }
      return okAsync(quota.data.size)
    },
  })),
]

/** Flaws of the bound on addresses. */
export const brokenQuotaAddresses: readonly Broken<QuotaHarness>[] = [
  bounding('stores any number of addresses', ['quota-store/addresses-are-bounded'], () => Infinity),
  bounding('stores one address less', ['quota-store/addresses-are-bounded'], (max) => max - 1),
  brokenQuota('makes room while minutes run', ['quota-store/addresses-are-bounded'], (quota) => ({
    take(bucket, nowMicros, limits) {
      const [oldest] = quota.data.keys()
      if (oldest !== undefined && !quota.data.has(bucket) && quota.data.size >= 2) quota.data.delete(oldest)
      return quota.take(bucket, nowMicros, limits)
    },
  })),
  brokenQuota(
    'shows the empty minute of an address without room',
    ['quota-store/addresses-are-bounded'],
    (quota) => ({
      take: (bucket, nowMicros, limits) =>
        quota.take(bucket, nowMicros, limits).map((answer) => {
          const minute = quota.data.get(bucket)?.minute ?? { startedAtMicros: nowMicros, count: 0 }
          return { ...answer, minute }
        }),
    }),
  ),
  brokenQuota('stores what it has no room for', ['quota-store/addresses-are-bounded'], (quota) => ({
    take: (bucket, nowMicros, limits) =>
      quota.take(bucket, nowMicros, limits).map((answer) => {
        stored(quota, bucket, answer)
        return answer
      }),
  })),
  brokenQuota('bounds accounts, too', ['quota-store/accounts-are-not-bounded'], (quota) => ({
    take: (bucket, nowMicros, limits) =>
      !quota.data.has(bucket) && quota.data.size >= (limits.addressesMax ?? Infinity)
        ? quota.peek(bucket, nowMicros).map((seen) => ({ ...seen, taken: false }))
        : quota.take(bucket, nowMicros, limits),
  })),
  brokenQuota('never makes room', ['quota-store/ended-minutes-make-room'], (quota) => ({
    take: (bucket, nowMicros, limits) =>
      !quota.data.has(bucket) && quota.data.size >= (limits.addressesMax ?? Infinity)
        ? quota.peek(bucket, nowMicros).map((seen) => ({ ...seen, taken: false }))
        : quota.take(bucket, nowMicros, limits),
  })),
  brokenQuota('makes room with the newest address', ['quota-store/ended-minutes-make-room'], (quota) => ({
    take(bucket, nowMicros, limits) {
      const ended = [...quota.data].filter(
        ([, { minute }]) => nowMicros >= minute.startedAtMicros + 60_000_000,
      )
      const newest = ended.toSorted(
        ([, one], [, other]) => other.minute.startedAtMicros - one.minute.startedAtMicros,
      )[0]
      if (newest !== undefined && !quota.data.has(bucket)) quota.data.delete(newest[0])
      return quota.take(bucket, nowMicros, limits)
    },
  })),
  brokenQuota(
    'waits for minutes in the future',
    ['quota-store/minutes-in-the-future-make-room'],
    (quota) => ({
      take: (bucket, nowMicros, limits) =>
        !quota.data.has(bucket) &&
        [...quota.data.values()].some(({ minute }) => minute.startedAtMicros > nowMicros)
          ? quota.peek(bucket, nowMicros).map((seen) => ({ ...seen, taken: false }))
          : quota.take(bucket, nowMicros, limits),
    }),
  ),
]

/** A store with another bound. */
function bounding(
  flaw: string,
  breaks: readonly string[],
  bound: (max: number) => number,
): Broken<QuotaHarness> {
  return brokenQuota(flaw, breaks, (quota) => ({
    take: (bucket, nowMicros, { addressesMax = defaultAddressesMax, ...limits }) =>
      quota.take(bucket, nowMicros, { ...limits, addressesMax: bound(addressesMax) }),
  }))
}

/** Stores other windows. */
export function stored(quota: MemoryQuota, bucket: string, { minute, day }: QuotaWindows): QuotaWindows {
  quota.data.set(bucket, { minute, day })
  return { minute, day }
}

function ofBucket(
  flaw: string,
  breaks: readonly string[],
  named: (bucket: string) => string,
): Broken<QuotaHarness> {
  return brokenQuota(flaw, breaks, (quota) => ({
    take: (bucket, ...asked) => quota.take(named(bucket), ...asked),
    peek: (bucket, nowMicros) => quota.peek(named(bucket), nowMicros),
  }))
}

function takeInSteps(quota: MemoryQuota): MemoryQuota['take'] {
  return (bucket, nowMicros, limits) =>
    slowly(async () => {
      const seen = await quota.peek(bucket, nowMicros)
      await pause()
      if (seen.isOk() && seen.value.minute.count >= limits.perMinute)
        return ok({ ...seen.value, taken: false })
      return quota.take(bucket, nowMicros, unlimited)
    })
}

function sharing(data: MemoryQuota['data']): QuotaHarness {
  return { supports: [], open: async () => ({ quota: createMemoryQuota(data), async dispose() {} }) }
}
