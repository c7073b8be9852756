import {
  areQuotaWindowsFull,
  defaultAddressesMax,
  quotaWindowMicros,
  quotaWindowsAfter,
  quotaWindowsAt,
  type QuotaLimits,
  type QuotaStore,
  type QuotaWindows,
} from '@sotto/core'
import { errAsync, okAsync, type ResultAsync } from 'neverthrow'

const { minute: minuteMicros, day: dayMicros } = quotaWindowMicros

export type QuotaData = Map<string, QuotaWindows>

/** A quota store in memory. */
export interface MemoryQuota extends QuotaStore {
  /** What was counted, to look at it or to open it again. */
  readonly data: QuotaData
  /** Makes every method answer `storage_unavailable` from now on. The data stays. */
  close(): void
}

/**
 * Counts calls in memory.
 * @param data counts to open a second time, as another process would
 */
export function createMemoryQuota(data: QuotaData = new Map()): MemoryQuota {
  let closed = false
  const answer = <T>(work: () => T): ResultAsync<T, { code: 'storage_unavailable'; reason: 'closed' }> =>
    closed ? errAsync({ code: 'storage_unavailable', reason: 'closed' }) : okAsync(work())
  return {
    data,
    take: (bucket, nowMicros, limits) =>
      answer(() => {
        const stored = data.get(bucket)
        const windows = quotaWindowsAt(stored, nowMicros)
        if (areQuotaWindowsFull(windows, limits)) {
          if (stored !== undefined) data.set(bucket, quotaWindowsAfter(stored, nowMicros, 0))
          return { ...windows, taken: false }
        }
        if (!data.has(bucket) && isAddress(bucket) && !evictAddresses(data, nowMicros, limits))
          return { ...fullMinute(nowMicros, limits), taken: false }
        const counted = quotaWindowsAfter(stored, nowMicros, 1)
        data.set(bucket, counted)
        return { ...quotaWindowsAt(counted, nowMicros), taken: true }
      }),
    peek: (bucket, nowMicros) => answer(() => quotaWindowsAt(data.get(bucket), nowMicros)),
    eraseOver: (nowMicros, limit) =>
      answer(() => {
        const over = [...data].filter(([, windows]) => isOver(windows, nowMicros)).slice(0, limit)
        for (const [bucket] of over) data.delete(bucket)
        return over.length
      }),
    close() {
      closed = true
    },
  }
}

function isAddress(bucket: string): boolean {
  return bucket.startsWith('address/')
}

/** Whether there is room for one more address: those whose minutes have ended, or are far ahead, make room, the oldest first. */
function evictAddresses(
  data: QuotaData,
  nowMicros: number,
  { addressesMax = defaultAddressesMax }: QuotaLimits,
): boolean {
  const addresses = [...data].filter(([name]) => isAddress(name))
  const start = ([, { minute }]: (typeof addresses)[number]) => minute.startedAtMicros
  const ended = addresses
    .filter((each) => nowMicros >= start(each) + minuteMicros || start(each) > nowMicros + minuteMicros)
    .toSorted((one, other) => start(one) - start(other))
    .slice(0, Math.max(0, addresses.length - addressesMax + 1))
  for (const [name] of ended) data.delete(name)
  return addresses.length - ended.length < addressesMax
}

/** The answer when there is no room for another address: a full minute. */
function fullMinute(nowMicros: number, { perMinute }: QuotaLimits): QuotaWindows {
  return {
    minute: { startedAtMicros: nowMicros, count: perMinute },
    day: { startedAtMicros: nowMicros, count: 0 },
  }
}

function isOver({ minute, day }: QuotaWindows, nowMicros: number): boolean {
  return nowMicros >= minute.startedAtMicros + minuteMicros && nowMicros >= day.startedAtMicros + dayMicros
}
