import type { QuotaWindows } from '@sotto/core'
import type { MemoryQuota, QuotaHarness } from '@sotto/test-kit'
import { brokenQuota, toMillis, type Broken } from './broken.ts'
import { stored } from './quota.ts'

const minuteMicros = 60_000_000
const dayMicros = 86_400_000_000

/** Flaws of the two windows. */
export const brokenQuotaWindows: readonly Broken<QuotaHarness>[] = [
  changedAfter(
    'moves a window with each call',
    ['quota-store/windows-keep-their-start'],
    (windows, nowMicros) => ({
      minute: { ...windows.minute, startedAtMicros: nowMicros },
      day: windows.day,
    }),
  ),
  atTime('ends the minute early', ['quota-store/minute-ends-after-60-seconds'], (nowMicros, { minute }) =>
    nowMicros === minute.startedAtMicros + minuteMicros - 1 ? nowMicros + 1 : nowMicros,
  ),
  atTime(
    'ends the minute late',
    ['quota-store/minute-starts-at-the-exact-end', 'quota-store/minute-ends-after-60-seconds'],
    (nowMicros, { minute }) =>
      nowMicros === minute.startedAtMicros + minuteMicros ? nowMicros - 1 : nowMicros,
  ),
  atTime('ends the day early', ['quota-store/day-ends-after-86400-seconds'], (nowMicros, { day }) =>
    nowMicros === day.startedAtMicros + dayMicros - 1 ? nowMicros + 1 : nowMicros,
  ),
  atTime('ends the day late', ['quota-store/day-ends-after-86400-seconds'], (nowMicros, { day }) =>
    nowMicros === day.startedAtMicros + dayMicros ? nowMicros - 1 : nowMicros,
  ),
  changedBefore(
    'starts a minute with each day',
    ['quota-store/running-minute-outlives-the-day'],
    (windows, nowMicros) => (nowMicros >= windows.day.startedAtMicros + dayMicros ? undefined : windows),
  ),
  changedAfter(
    'counts refused calls in the day',
    ['quota-store/full-minute-counts-in-neither'],
    (windows, _, taken) => ({
      minute: windows.minute,
      day: { ...windows.day, count: windows.day.count + (taken ? 0 : 1) },
    }),
  ),
  changedAfter(
    'counts refused calls in the minute',
    ['quota-store/full-day-counts-in-neither', 'quota-store/full-minute-counts-in-neither'],
    (windows, _, taken) => ({
      minute: { ...windows.minute, count: windows.minute.count + (taken ? 0 : 1) },
      day: windows.day,
    }),
  ),
  changedAfter(
    'starts a minute with a refused call',
    ['quota-store/refused-call-starts-nothing'],
    (windows) => windows,
  ),
  changedBefore(
    'empties windows in the future',
    ['quota-store/window-in-the-future-starts-now', 'quota-store/full-window-in-the-future-refuses'],
    (windows, nowMicros) => (windows.minute.startedAtMicros > nowMicros ? undefined : windows),
  ),
  brokenQuota(
    'does not move windows in the future',
    ['quota-store/window-in-the-future-starts-now', 'quota-store/future-windows-are-moved-each'],
    (quota) => ({
      take(bucket, nowMicros, limits) {
        const before = quota.data.get(bucket)
        const future =
          before && before.minute.startedAtMicros > nowMicros ? before.minute.startedAtMicros : nowMicros
        return quota.take(bucket, future, limits)
      },
    }),
  ),
  brokenQuota(
    'does not move windows in the future when it refuses',
    ['quota-store/refused-call-moves-windows'],
    (quota) => ({
      take(bucket, nowMicros, limits) {
        const before = quota.data.get(bucket)
        return quota.take(bucket, nowMicros, limits).map((answer) => {
          if (!answer.taken && before !== undefined) quota.data.set(bucket, before)
          return answer
        })
      },
    }),
  ),
  changedBefore(
    'moves both windows together',
    ['quota-store/future-windows-are-moved-each'],
    (windows, nowMicros) =>
      windows.minute.startedAtMicros > nowMicros
        ? { minute: windows.minute, day: { ...windows.day, startedAtMicros: nowMicros } }
        : windows,
  ),
  brokenQuota('moves windows in peek', ['quota-store/peek-does-not-move-windows'], (quota) => ({
    peek: (bucket, nowMicros) =>
      quota
        .peek(bucket, nowMicros)
        .map((seen) => (quota.data.has(bucket) ? stored(quota, bucket, seen) : seen)),
  })),
  brokenQuota(
    'shows windows in the future unchanged',
    ['quota-store/peek-does-not-move-windows'],
    (quota) => ({
      peek: (bucket, nowMicros) =>
        quota.peek(bucket, Math.max(nowMicros, quota.data.get(bucket)?.minute.startedAtMicros ?? 0)),
    }),
  ),
  changedAfter(
    'stores times to the millisecond',
    ['quota-store/times-are-stored-exactly'],
    ({ minute, day }) => ({
      minute: { ...minute, startedAtMicros: toMillis(minute.startedAtMicros) },
      day: { ...day, startedAtMicros: toMillis(day.startedAtMicros) },
    }),
  ),
]

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

/** A store that changes what is stored before it takes a call. */
function changedBefore(
  flaw: string,
  breaks: readonly string[],
  changed: (windows: QuotaWindows, nowMicros: number) => QuotaWindows | undefined,
): Broken<QuotaHarness> {
  return brokenQuota(flaw, breaks, (quota) => ({
    take(bucket, nowMicros, limits) {
      const windows = quota.data.get(bucket)
      const now = windows && changed(windows, nowMicros)
      if (now) stored(quota, bucket, now)
      else quota.data.delete(bucket)
      return quota.take(bucket, nowMicros, limits)
    },
  }))
}

/** A store that uses another time than the given one. */
function atTime(
  flaw: string,
  breaks: readonly string[],
  mistaken: (nowMicros: number, windows: QuotaWindows) => number,
): Broken<QuotaHarness> {
  const at = (quota: MemoryQuota, bucket: string, nowMicros: number): number => {
    const windows = quota.data.get(bucket)
    return windows ? mistaken(nowMicros, windows) : nowMicros
  }
  return brokenQuota(flaw, breaks, (quota) => ({
    take: (bucket, nowMicros, limits) => quota.take(bucket, at(quota, bucket, nowMicros), limits),
    peek: (bucket, nowMicros) => quota.peek(bucket, at(quota, bucket, nowMicros)),
  }))
}
