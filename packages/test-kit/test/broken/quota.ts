import type { QuotaWindows } from '@sotto/core'
import { createMemoryQuota, type MemoryQuota, type QuotaHarness } from '@sotto/test-kit'
import { ok, okAsync } from 'neverthrow'
import { memoryQuotaHarness } from '../harnesses.ts'
import { brokenQuota, pause, slowly, type Broken } from './broken.ts'

const memory = memoryQuotaHarness()
const unlimited = { perMinute: Number.MAX_SAFE_INTEGER, perDay: Number.MAX_SAFE_INTEGER }

/** Faults of opening, counting, buckets and erasing. */
export const brokenQuotas: readonly Broken<QuotaHarness>[] = [
  {
    fault: 'shares its data with every other one',
    breaks: ['quota-store/opens-apart'],
    harness: sharing(createMemoryQuota().data),
  },
  {
    fault: 'does not declare what it can',
    breaks: ['quota-store/offers-what-it-declares'],
    harness: { ...memory, supports: [] },
  },
  {
    fault: 'is not closed by its disposal',
    breaks: ['quota-store/closed-store-answers'],
    harness: sharing(createMemoryQuota().data),
  },
  {
    fault: 'forgets everything when it ends',
    breaks: ['quota-store/counts-survive-the-store'],
    harness: memoryQuotaHarness({ reopened: () => new Map() }),
  },
  {
    fault: 'opens a copy beside instead of the same data',
    breaks: ['quota-store/two-stores-count-exactly'],
    harness: memoryQuotaHarness({ beside: structuredClone }),
  },
  brokenQuota(
    'counts the first call in the minute only',
    ['quota-store/first-call-begins-both-windows'],
    (quota) => ({
      take: (bucket, nowMicros, limits) =>
        quota.take(bucket, nowMicros, limits).map((answer) => {
          const kept = { ...answer, day: { ...answer.day, count: answer.day.count - 1 } }
          quota.data.set(bucket, kept)
          return kept
        }),
    }),
  ),
  brokenQuota('begins unknown buckets at the epoch', ['quota-store/unknown-bucket-is-empty'], (quota) => ({
    peek: (bucket, nowMicros) => quota.peek(bucket, quota.data.has(bucket) ? nowMicros : 0),
  })),
  brokenQuota('counts a glance', ['quota-store/peek-counts-nothing'], (quota) => ({
    peek: (bucket, nowMicros) =>
      quota.take(bucket, nowMicros, unlimited).map(({ minute, day }) => ({ minute, day })),
  })),
  brokenQuota('begins windows at a glance', ['quota-store/peek-counts-nothing'], (quota) => ({
    peek: (bucket, nowMicros) => quota.peek(bucket, nowMicros).map((seen) => kept(quota, bucket, seen)),
  })),
  ofBucket('takes no heed of the case of a name', ['quota-store/buckets-count-apart'], (name) =>
    name.toLowerCase(),
  ),
  ofBucket('cuts names', ['quota-store/buckets-count-apart'], (name) => name.slice(0, 64)),
  brokenQuota('goes by the first limits', ['quota-store/limits-are-those-of-the-call'], (quota) => {
    let first: typeof unlimited | undefined
    return { take: (bucket, nowMicros, limits) => quota.take(bucket, nowMicros, (first ??= limits)) }
  }),
  brokenQuota(
    'reads the count, then counts',
    ['quota-store/parallel-calls-are-counted-exactly', 'quota-store/two-stores-count-exactly'],
    (quota) => ({ take: takeInSteps(quota) }),
  ),
  brokenQuota('has a lock that others do not see', ['quota-store/two-stores-count-exactly'], (quota) => {
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
  brokenQuota(
    'always says that it erased as many as it may',
    ['quota-store/erase-stops-at-the-limit'],
    (quota) => ({
      eraseOver: (nowMicros, limit) => quota.eraseOver(nowMicros, limit).map(() => limit),
    }),
  ),
  brokenQuota('keeps the count of an erased bucket', ['quota-store/erased-bucket-begins-anew'], (quota) => ({
    eraseOver(nowMicros) {
      for (const [bucket, { minute, day }] of quota.data) {
        kept(quota, bucket, { minute: { ...minute, startedAtMicros: nowMicros }, day })
      }
      return okAsync(quota.data.size)
    },
  })),
]

/** Puts windows in the place of what is kept. */
export function kept(quota: MemoryQuota, bucket: string, { minute, day }: QuotaWindows): QuotaWindows {
  quota.data.set(bucket, { minute, day })
  return { minute, day }
}

function ofBucket(
  fault: string,
  breaks: readonly string[],
  named: (bucket: string) => string,
): Broken<QuotaHarness> {
  return brokenQuota(fault, breaks, (quota) => ({
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
