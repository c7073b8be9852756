import fc from 'fast-check'
import t from 'tap'
import type { QuotaWindows } from '../../src/quota/quota-store.ts'
import { areQuotaWindowsFull, quotaWindowsAfter, quotaWindowsAt } from '../../src/quota/quota-windows.ts'
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

for (const [what, startedAtMicros, refused, taken] of [
  ['one that runs keeps its start', nowMicros - minuteMicros + 1, undefined, undefined],
  ['one that is over begins with a call that is taken', nowMicros - minuteMicros, undefined, [nowMicros, 1]],
  ['one a window ahead keeps its start', nowMicros + minuteMicros, undefined, undefined],
  ['one further ahead begins now', nowMicros + minuteMicros + 1, [nowMicros, 3], [nowMicros, 4]],
] as const) {
  t.test(`what is stored of a minute after a call: ${what}`, (t) => {
    const minute = (counted: 0 | 1) => {
      const after = quotaWindowsAfter(both(startedAtMicros), nowMicros, counted).minute
      return [after.startedAtMicros, after.count]
    }
    t.strictSame(minute(0), refused ?? [startedAtMicros, 3])
    t.strictSame(minute(1), taken ?? [startedAtMicros, 4])
    t.end()
  })
}

t.test('what is stored of a day after a call follows the same rule', (t) => {
  for (const [startedAtMicros, stored] of [
    [nowMicros - dayMicros, nowMicros],
    [nowMicros + dayMicros, nowMicros + dayMicros],
    [nowMicros + dayMicros + 1, nowMicros],
  ] as const)
    t.equal(quotaWindowsAfter(both(startedAtMicros), nowMicros, 1).day.startedAtMicros, stored)
  const first = { startedAtMicros: nowMicros, count: 1 }
  t.strictSame(quotaWindowsAfter(undefined, nowMicros, 1), { minute: first, day: first })
  t.end()
})

t.test('calls by way of two clocks that differ by up to a minute share each window', (t) => {
  const limits = { perMinute: 3, perDay: 1_000_000 }
  const call = fc.record({ isAhead: fc.boolean(), waitMicros: fc.integer({ min: 0, max: 10_000_000 }) })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: minuteMicros }),
      fc.array(call, { minLength: 60, maxLength: 120 }),
      (aheadMicros, calls) => {
        let stored: QuotaWindows | undefined
        let [realMicros, taken] = [nowMicros, 0]
        for (const { isAhead, waitMicros } of calls) {
          realMicros += waitMicros
          const now = realMicros + (isAhead ? aheadMicros : 0)
          const isTaken = !areQuotaWindowsFull(quotaWindowsAt(stored, now), limits)
          stored = quotaWindowsAfter(stored, now, isTaken ? 1 : 0)
          if (isTaken) taken += 1
        }
        // A window can be cut short once, when the clock that is ahead follows the one that is behind.
        return taken <= limits.perMinute * (Math.floor((realMicros - nowMicros) / minuteMicros) + 2)
      },
    ),
    { numRuns: 500 },
  )
  t.pass('500 histories')
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
