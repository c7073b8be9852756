import {
  quotaWindowMicros,
  type QuotaLimits,
  type QuotaWindow,
  type QuotaWindows,
} from '../ports/quota-store.ts'

/**
 * The windows of a bucket as a call at `nowMicros` finds them. One that is over, or was never begun, is empty and starts now; one that begins
 * in the future starts now and keeps its count.
 */
export function quotaWindowsAt(stored: QuotaWindows | undefined, nowMicros: number): QuotaWindows {
  return {
    minute: windowAt(stored?.minute, quotaWindowMicros.minute, nowMicros),
    day: windowAt(stored?.day, quotaWindowMicros.day, nowMicros),
  }
}

/** Whether the windows of a bucket, as a call finds them, have no room for it. */
export function areQuotaWindowsFull(
  { minute, day }: QuotaWindows,
  { perMinute, perDay }: Pick<QuotaLimits, 'perMinute' | 'perDay'>,
): boolean {
  return minute.count >= perMinute || day.count >= perDay
}

function windowAt(stored: QuotaWindow | undefined, lengthMicros: number, nowMicros: number): QuotaWindow {
  if (stored === undefined || nowMicros - stored.startedAtMicros >= lengthMicros)
    return { startedAtMicros: nowMicros, count: 0 }
  return { startedAtMicros: Math.min(stored.startedAtMicros, nowMicros), count: stored.count }
}
