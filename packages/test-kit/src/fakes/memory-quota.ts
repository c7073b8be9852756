import type { QuotaLimits, QuotaStore, QuotaWindow, QuotaWindows } from '@sotto/core'
import { errAsync, okAsync, type ResultAsync } from 'neverthrow'

const minuteMicros = 60 * 1_000_000
const dayMicros = 86_400 * 1_000_000

export type QuotaData = Map<string, QuotaWindows>

export interface MemoryQuota extends QuotaStore {
  /** What was counted, to look at it or to open it again. */
  readonly data: QuotaData
  /** From now on every method answers `storage_unavailable`. The data stays. */
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
        const windows = windowsAt(data.get(bucket), nowMicros)
        if (isFull(windows, limits)) return { ...windows, taken: false }
        const counted = { minute: oneMore(windows.minute), day: oneMore(windows.day) }
        data.set(bucket, counted)
        return { ...counted, taken: true }
      }),
    peek: (bucket, nowMicros) => answer(() => windowsAt(data.get(bucket), nowMicros)),
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

function windowsAt(stored: QuotaWindows | undefined, nowMicros: number): QuotaWindows {
  return {
    minute: windowAt(stored?.minute, minuteMicros, nowMicros),
    day: windowAt(stored?.day, dayMicros, nowMicros),
  }
}

function windowAt(stored: QuotaWindow | undefined, lengthMicros: number, nowMicros: number): QuotaWindow {
  if (stored === undefined || nowMicros >= stored.startedAtMicros + lengthMicros)
    return { startedAtMicros: nowMicros, count: 0 }
  return { ...stored, startedAtMicros: Math.min(stored.startedAtMicros, nowMicros) }
}

function isFull({ minute, day }: QuotaWindows, { perMinute, perDay }: QuotaLimits): boolean {
  return minute.count >= perMinute || day.count >= perDay
}

function oneMore({ startedAtMicros, count }: QuotaWindow): QuotaWindow {
  return { startedAtMicros, count: count + 1 }
}

function isOver({ minute, day }: QuotaWindows, nowMicros: number): boolean {
  return nowMicros >= minute.startedAtMicros + minuteMicros && nowMicros >= day.startedAtMicros + dayMicros
}
