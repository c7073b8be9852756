import t from 'tap'
import { createSystemClock } from '../src/system-clock.ts'

function machine(wall = 1_760_000_000_000) {
  const clocks = { wall, steady: 17.25 }
  const clock = createSystemClock({
    wallMillis: () => Math.floor(clocks.wall),
    steadyMillis: () => clocks.steady,
  })
  const pass = (millis: number) => {
    clocks.wall += millis
    clocks.steady += millis
  }
  return { clocks, clock, pass }
}

t.test('the clock shows whole microseconds between those of the wall clock', async (t) => {
  const { clock, pass } = machine()
  const start = clock.nowMicros()
  t.equal(start, 1_760_000_000_000_000)
  pass(0.25)
  t.equal(clock.nowMicros(), start + 250)
  pass(1000.5)
  t.equal(clock.nowMicros(), start + 1_000_750)
})

t.test('the clock follows the wall clock when that is set, forward and back', async (t) => {
  const { clocks, clock } = machine()
  clock.nowMicros()
  clocks.wall += 3_600_000
  t.equal(clock.nowMicros(), 1_760_003_600_000_000)
  clocks.wall -= 7_200_000
  t.equal(clock.nowMicros(), 1_759_996_400_000_000)
})

t.test('the clock does not go back when only the steady clock falls behind', async (t) => {
  const { clocks, clock, pass } = machine()
  clock.nowMicros()
  pass(4.9)
  const before = clock.nowMicros()
  // The wall clock is slowed down: it shows less than what the steady clock counted.
  clocks.wall -= 5.9
  t.ok(clock.nowMicros() >= before)
  pass(100)
  t.ok(clock.nowMicros() > before)
})

t.test('the clock of this machine agrees with its wall clock and never goes back', async (t) => {
  const clock = createSystemClock()
  let last = clock.nowMicros()
  let fine = false
  for (let times = 0; times < 100_000; times += 1) {
    const now = clock.nowMicros()
    if (now < last) t.fail('went back')
    if (now % 1000 !== 0) fine = true
    last = now
  }
  t.ok(fine, 'with more than milliseconds')
  t.ok(Math.abs(clock.nowMicros() / 1000 - Date.now()) < 20)
})
