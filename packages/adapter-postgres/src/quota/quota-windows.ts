import type { QuotaLimits, QuotaWindows } from '@sotto/core'
import type { Waiting } from '../connection/batches.ts'

/** One call of `QuotaStore.take`. */
export interface QuotaCall {
  readonly bucket: string
  readonly nowMicros: number
  readonly limits: Limits
}

export type Limits = Pick<QuotaLimits, 'perMinute' | 'perDay'> & { readonly addressesMax: number }

export type Taken = QuotaWindows & { readonly taken: boolean }
export type WaitingCall = Waiting<QuotaCall, Taken, never>

export const windowColumns = 'minute_start, minute_count, day_start, day_count'

export type WindowsRow = readonly [
  minuteStart: number,
  minuteCount: number,
  dayStart: number,
  dayCount: number,
  ...more: unknown[],
]

/** The windows as they are stored. */
export function windowsOf([minuteStart, minuteCount, dayStart, dayCount]: WindowsRow): QuotaWindows {
  return {
    minute: { startedAtMicros: minuteStart, count: minuteCount },
    day: { startedAtMicros: dayStart, count: dayCount },
  }
}
