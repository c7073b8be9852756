import t from 'tap'
import { areQuotaWindowsFull, quotaWindowsAt } from '../../src/rules/quota-windows.ts'
import { dayMicros, minuteMicros } from '../world.ts'

const nowMicros = 5 * dayMicros
const empty = { startedAtMicros: nowMicros, count: 0 }
const both = (startedAtMicros: number) => {
  const window = { startedAtMicros, count: 3 }
  return { minute: window, day: window }
}

t.test('windows that were never begun are empty and start now', (t) => {
  t.strictSame(quotaWindowsAt(undefined, nowMicros), { minute: empty, day: empty })
  t.end()
})

t.test('each window is over exactly at its end', (t) => {
  const [lastMicro, end] = [both(nowMicros - minuteMicros + 1), both(nowMicros - minuteMicros)]
  t.strictSame(quotaWindowsAt(lastMicro, nowMicros), lastMicro)
  t.strictSame(quotaWindowsAt(end, nowMicros), { ...end, minute: empty })
  t.strictSame(quotaWindowsAt(both(nowMicros - dayMicros), nowMicros), { minute: empty, day: empty })
  t.end()
})

t.test('a window in the future starts now and keeps its count', (t) => {
  t.strictSame(quotaWindowsAt(both(nowMicros + 1), nowMicros), both(nowMicros))
  t.end()
})

t.test('windows are full when one of them has counted as many calls as its limit, or more', (t) => {
  const limits = { perMinute: 2, perDay: 3 }
  const isFull = (minute: number, day: number): boolean =>
    areQuotaWindowsFull(
      { minute: { startedAtMicros: 0, count: minute }, day: { startedAtMicros: 0, count: day } },
      limits,
    )
  t.strictSame(
    [isFull(0, 0), isFull(1, 2), isFull(2, 2), isFull(1, 3), isFull(3, 9)],
    [false, false, true, true, true],
  )
  t.end()
})
