import { areQuotaWindowsFull, quotaWindowsAt, type QuotaWindows } from '@sotto/core'
import type { QuotaCall } from './quota-windows.ts'

/** How many are remembered at most: a few MB. */
const bucketsMax = 10_000

/** The buckets that were found full, so that whoever calls too often costs the database nothing until the window is over. */
export interface FullBuckets {
  /** The windows that refuse this call; `undefined` when the database has to be asked. */
  find(call: QuotaCall): QuotaWindows | undefined
  /** Remembers the bucket if its windows, as they are stored, are full for such a call. The one that was remembered first makes room. */
  remember(call: QuotaCall, stored: QuotaWindows): void
  clear(): void
}

export function createFullBuckets(): FullBuckets {
  const buckets = new Map<string, QuotaWindows>()
  return {
    find({ bucket, nowMicros, limits }) {
      const stored = buckets.get(bucket)
      if (stored === undefined) return undefined
      const windows = quotaWindowsAt(stored, nowMicros)
      // The database decides whether windows that begin in the future are moved.
      const isPast = stored.minute.startedAtMicros <= nowMicros && stored.day.startedAtMicros <= nowMicros
      if (isPast && areQuotaWindowsFull(windows, limits)) return windows
      buckets.delete(bucket)
      return undefined
    },

    remember({ bucket, nowMicros, limits }, stored) {
      buckets.delete(bucket)
      if (!areQuotaWindowsFull(quotaWindowsAt(stored, nowMicros), limits)) return
      buckets.set(bucket, stored)
      const [first] = buckets.keys()
      if (buckets.size > bucketsMax && first !== undefined) buckets.delete(first)
    },

    clear: () => buckets.clear(),
  }
}
