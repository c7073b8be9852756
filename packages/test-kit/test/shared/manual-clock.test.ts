import { createManualClock } from '@sotto/test-kit'
import t from 'tap'

t.test('a manual clock stands still until it is moved', async (t) => {
  const clock = createManualClock(1_000)
  t.equal(clock.nowMicros(), 1_000)
  t.equal(clock.nowMicros(), 1_000)
  clock.advance(5)
  t.equal(clock.nowMicros(), 1_005)
  clock.advance(-10)
  t.equal(clock.nowMicros(), 995)
  clock.set(7)
  t.equal(clock.nowMicros(), 7)
})

t.test('fractions of a microsecond are a mistake of the test', async (t) => {
  t.throws(() => createManualClock(0.5), TypeError)
  const clock = createManualClock(0)
  t.throws(() => clock.advance(Number.NaN), TypeError)
  t.throws(() => clock.set(Number.MAX_SAFE_INTEGER + 1), TypeError)
  t.equal(clock.nowMicros(), 0)
})
