import t from 'tap'
import { clockContract, runContract, type ClockHarness } from '@sotto/test-kit'
import { createSystemClock } from '../src/index.ts'

const systemClocks: ClockHarness = {
  supports: ['wall'],
  open: async () => ({ clock: createSystemClock(), async dispose() {} }),
}

runContract(t.test, clockContract, systemClocks)

/** A machine whose clocks a test sets. */
function machine() {
  const clocks = { wall: 1_760_000_000_000, steady: 17.25 }
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

t.test('the clock counts microseconds between the milliseconds of the wall clock', async (t) => {
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

t.test('the clock does not go back when the wall clock is only slowed down', async (t) => {
  const { clocks, clock, pass } = machine()
  clock.nowMicros()
  pass(4.9)
  const before = clock.nowMicros()
  // The wall clock now shows less than what the steady clock has counted.
  clocks.wall -= 5.9
  t.ok(clock.nowMicros() >= before)
  pass(100)
  t.ok(clock.nowMicros() > before)
})

t.test(
  'on this machine the clock agrees with the wall clock, never goes back, and shows microseconds',
  async (t) => {
    const clock = createSystemClock()
    let last = clock.nowMicros()
    let hasMicros = false
    for (let times = 0; times < 100_000; times += 1) {
      const now = clock.nowMicros()
      if (now < last) t.fail('it went back')
      if (now % 1000 !== 0) hasMicros = true
      last = now
    }
    t.ok(hasMicros)
    const [before, now, after] = [Date.now(), clock.nowMicros() / 1_000, Date.now()]
    t.ok(now > before - 20 && now < after + 20)
  },
)
