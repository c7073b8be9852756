import { noAttempts, type AttemptState } from '@sotto/core'
import fc from 'fast-check'
import { test } from 'tap'
import {
  attemptsOf,
  attemptsText,
  formIdBytes,
  scopesOf,
  scopesText,
  uuidBytes,
  uuidOf,
} from '../src/codec.ts'

test('a UUID comes back from its bytes, and bytes sort as the text does', (t) => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const [a, b] = [uuidBytes(one), uuidBytes(other)]
      return (
        a.length === 16 &&
        uuidOf(a.toString('hex').toUpperCase()) === one &&
        Math.sign(a.compare(b)) === (one < other ? -1 : one > other ? 1 : 0)
      )
    }),
  )
  t.pass('for any two of them')
  t.end()
})

test('attempts come back as they were kept, and nothing is kept of none', (t) => {
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
    fc.property(state, (kept) => {
      t.strictSame(attemptsOf(attemptsText(kept)), kept)
    }),
    { numRuns: 50 },
  )
  t.equal(attemptsText(noAttempts), null)
  t.equal(attemptsOf(null), noAttempts)
  t.throws(() => attemptsOf('{'), SyntaxError)
  t.end()
})

test('scopes and form ids come back', (t) => {
  for (const scopes of [[], ['read'], ['write'], ['read', 'write']] as const) {
    t.same(scopesOf(scopesText(scopes)), scopes)
  }
  t.equal(formIdBytes('00ff'.repeat(8)).toString('hex'), '00ff'.repeat(8))
  t.end()
})
