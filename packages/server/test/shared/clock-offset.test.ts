import { createManualClock, noonMicros } from '@sotto/test-kit'
import t from 'tap'
import { clockOffsetMicros, watchClockOffset } from '../../src/shared/clock-offset.ts'

const second = 1_000_000

t.test('the offset is how far the clock of the database is ahead of that of the machine', (t) => {
  const machine = createManualClock(noonMicros)
  const offset = (micros: number) =>
    clockOffsetMicros({ databaseClock: createManualClock(noonMicros + micros) }, machine)
  t.strictSame([offset(3), offset(-600 * second)], [3, -600 * second])
  t.equal(clockOffsetMicros({}, machine), 0, 'where the clock of the machine decides')
  t.end()
})

/** What is logged when the offset is first this at the start, and then that at each minute. */
function logged(...offsets: readonly number[]) {
  const lines: unknown[] = []
  const log = (level: string) => (details: object, message: string) => lines.push([level, details, message])
  let offset = offsets[0] ?? 0
  let tick = (): void => undefined
  let isStopped = false
  const stop = watchClockOffset({
    offsetMicros: () => offset,
    everyMinute(call) {
      tick = call
      return () => (isStopped = true)
    },
    log: { error: log('error'), warn: log('warn'), info: log('info') },
  })
  for (const next of offsets.slice(1)) {
    offset = next
    tick()
  }
  stop()
  return { lines, isStopped }
}

t.test('an offset above two seconds is logged once, and once more when it is over', (t) => {
  const { lines, isStopped } = logged(2 * second, 2 * second + 1, 5 * second, second, 0, -2 * second - 1)
  t.strictSame(lines, [
    [
      'warn',
      { offsetSeconds: 2 },
      'the clock of this machine is 2 seconds behind that of the database, which decides: set it',
    ],
    ['info', { offsetSeconds: 1 }, 'the clock of this machine is right again'],
    [
      'warn',
      { offsetSeconds: -2 },
      'the clock of this machine is 2 seconds ahead of that of the database, which decides: set it',
    ],
  ])
  t.ok(isStopped)
  t.end()
})

t.test('an offset above ten seconds is an error, also at the start', (t) => {
  for (const [offset, level] of [
    [10 * second, 'warn'],
    [10 * second + 1, 'error'],
    [-10 * second - 1, 'error'],
  ] as const)
    t.match(logged(offset).lines, [[level, { offsetSeconds: Number }, /the clock of this machine is/]])
  t.end()
})
