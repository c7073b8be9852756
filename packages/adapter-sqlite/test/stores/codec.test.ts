import { noAttempts, type AttemptState } from '@sotto/core'
import fc from 'fast-check'
import { test } from 'tap'
import {
  attemptsOf,
  attemptsText,
  cursorOf,
  formIdBytes,
  scopesOf,
  scopesText,
  uuidBytes,
  uuidOf,
} from '../../src/stores/codec.ts'

test('a UUID survives the way through its bytes, which sort like the text', (t) => {
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

test('attempts survive the way through the column, and no attempts are NULL', (t) => {
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

test('scopes and form ids survive the way through their columns', (t) => {
  for (const scopes of [[], ['read'], ['write'], ['read', 'write']] as const) {
    t.same(scopesOf(scopesText(scopes)), scopes)
  }
  t.equal(formIdBytes('00ff'.repeat(8)).toString('hex'), '00ff'.repeat(8))
  t.end()
})

test('a cursor becomes the parameters of a comparison, and its absence those before every row', (t) => {
  const id = '019a0000-0000-7000-8000-000000000001'
  t.same(cursorOf({ createdAtMicros: 5, id }), [5, uuidBytes(id)])
  const [time, bytes] = cursorOf(undefined)
  t.ok(time < 0 && bytes.length === 0)
  t.end()
})
