import { quotaWindowMicros, type QuotaWindow, type QuotaWindows } from './quota-store.ts'
import { type QuotaLimits } from '../policy.ts'

/**
 * The windows of a bucket as a call at `nowMicros` finds them, and as its caller is told. One that is over, or was never begun, is empty and
 * starts now. One that begins in the future starts now and keeps its count, so nobody is told to wait for longer than a window is.
 */
export function quotaWindowsAt(stored: QuotaWindows | undefined, nowMicros: number): QuotaWindows {
  return {
    minute: windowAt(stored?.minute, quotaWindowMicros.minute, nowMicros),
    day: windowAt(stored?.day, quotaWindowMicros.day, nowMicros),
  }
}

/**
 * What is stored of the windows of a bucket after a call at `nowMicros`: `counted` is 1 when it was taken, and 0 when it was refused, which
 * starts no window. A window that begins in the future, because the clock was set back or another process has one that is ahead, stays
 * where it is, so that it is not over for the clock that began it: one of two clocks would give a second quota by way of the other. But a
 * window further ahead than it is long begins now: it would block until the clock has caught up.
 */
export function quotaWindowsAfter(
  stored: QuotaWindows | undefined,
  nowMicros: number,
  counted: 0 | 1,
): QuotaWindows {
  return {
    minute: windowAfter(stored?.minute, quotaWindowMicros.minute, { nowMicros, counted }),
    day: windowAfter(stored?.day, quotaWindowMicros.day, { nowMicros, counted }),
  }
}

/** Whether the windows of a bucket, as a call finds them, have no quota left for it. */
export function areQuotaWindowsFull(
  { minute, day }: QuotaWindows,
  { perMinute, perDay }: Pick<QuotaLimits, 'perMinute' | 'perDay'>,
): boolean {
  return minute.count >= perMinute || day.count >= perDay
}

function windowAt(stored: QuotaWindow | undefined, lengthMicros: number, nowMicros: number): QuotaWindow {
  if (stored === undefined || isOver(stored, lengthMicros, nowMicros))
    return { startedAtMicros: nowMicros, count: 0 }
  return { startedAtMicros: Math.min(stored.startedAtMicros, nowMicros), count: stored.count }
}

function windowAfter(
  stored: QuotaWindow | undefined,
  lengthMicros: number,
  { nowMicros, counted }: { readonly nowMicros: number; readonly counted: 0 | 1 },
): QuotaWindow {
  if (stored === undefined || (counted === 1 && isOver(stored, lengthMicros, nowMicros)))
    return { startedAtMicros: nowMicros, count: counted }
  const isFarAhead = stored.startedAtMicros - nowMicros > lengthMicros
  return {
    startedAtMicros: isFarAhead ? nowMicros : stored.startedAtMicros,
    count: stored.count + counted,
  }
}

function isOver({ startedAtMicros }: QuotaWindow, lengthMicros: number, nowMicros: number): boolean {
  return nowMicros - startedAtMicros >= lengthMicros
}
