import fc from 'fast-check'
import { test } from 'tap'
import { attemptsOf, attemptsText } from '../../src/shared/stored-texts.ts'
import { noAttempts, type AttemptState } from '../../src/shared/attempts.ts'

test('attempts survive the way through their text, and no attempts have none', (t) => {
  const micros = fc.maxSafeNat()
  const plain = { noNullPrototype: true }
  const state: fc.Arbitrary<AttemptState> = fc.record(
    {
      underWay: fc.array(fc.record({ id: fc.string(), sinceMicros: micros }, plain), { maxLength: 5 }),
      wrongAtMicros: fc.array(micros, { maxLength: 5 }),
      wrongTotal: fc.nat(100),
      lockedUntilMicros: fc.option(micros, { nil: undefined }),
    },
    plain,
  )
  fc.assert(
    fc.property(state, (attempts) => {
      t.strictSame(attemptsOf(attemptsText(attempts)), attempts)
    }),
    { numRuns: 50 },
  )
  t.equal(attemptsText(noAttempts), null)
  t.equal(attemptsOf(null), noAttempts)
  t.throws(() => attemptsOf('{'), SyntaxError)
  t.end()
})
