import { defaultAddressesMax, type QuotaWindows } from '@sotto/core'
import type { MemoryQuota, QuotaHarness } from '@sotto/test-kit'
import { brokenQuota, type Broken } from './broken.ts'
import { memoryQuotaHarness } from '../harnesses.ts'

const memory = memoryQuotaHarness()

/** Flaws of the quota. */
export const brokenQuotas: readonly Broken<QuotaHarness>[] = [
  {
    flaw: 'supports less than its units do',
    breaks: ['quota-store/offers-what-it-declares'],
    harness: { ...memory, supports: [] },
  },
  {
    flaw: 'forgets everything when it is closed',
    breaks: ['quota-store/counts-are-found-after-reopening'],
    harness: memoryQuotaHarness({ reopened: () => new Map() }),
  },
  ofBucket('ignores the case of a name', ['quota-store/buckets-count-apart'], (name) => name.toLowerCase()),
  bounding('stores one address less', ['quota-store/addresses-are-bounded'], (max) => max - 1),
  changedAfter(
    'stores windows as it answers them',
    [
      'quota-store/refused-call-starts-nothing',
      'quota-store/window-in-the-future-keeps-its-count',
      'quota-store/clocks-that-differ-share-a-window',
    ],
    (windows) => windows,
  ),
  brokenQuota(
    'takes a day in the future for over',
    ['quota-store/clocks-that-differ-share-a-day', 'quota-store/full-window-in-the-future-refuses'],
    (quota) => ({
      take(bucket, nowMicros, limits) {
        if ((quota.data.get(bucket)?.day.startedAtMicros ?? 0) > nowMicros) quota.data.delete(bucket)
        return quota.take(bucket, nowMicros, limits)
      },
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
function stored(quota: MemoryQuota, bucket: string, { minute, day }: QuotaWindows): QuotaWindows {
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

/** A store that stores other windows than it answered. */
function changedAfter(
  flaw: string,
  breaks: readonly string[],
  changed: (windows: QuotaWindows, nowMicros: number, taken: boolean) => QuotaWindows,
): Broken<QuotaHarness> {
  return brokenQuota(flaw, breaks, (quota) => ({
    take: (bucket, nowMicros, limits) =>
      quota.take(bucket, nowMicros, limits).map((answer) => {
        stored(quota, bucket, changed(answer, nowMicros, answer.taken))
        return answer
      }),
  }))
}
