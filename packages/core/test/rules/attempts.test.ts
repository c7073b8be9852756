import t from 'tap'
import fc from 'fast-check'
import {
  attemptTimeoutMicros,
  countWrong,
  isDisabled,
  lockMicros,
  noAttempts,
  releaseAttempt,
  reserveAttempt,
  wrongToDisable,
  wrongToLock,
  wrongWindowMicros,
  type AttemptState,
} from '../../src/rules/attempts.ts'

const start = 1_000_000_000_000_000
const second = 1_000_000

t.test('five wrong passwords within ten minutes lock the link for thirty', (t) => {
  const state = wrongTimes(5, start)
  const refused = reserveAttempt(state, 'next', start)
  t.match(refused._unsafeUnwrapErr(), { reason: 'wrong_passwords', retryAfterSeconds: 1800 })
  t.match(reserveAttempt(state, 'next', start + lockMicros - 1)._unsafeUnwrapErr(), { retryAfterSeconds: 1 })
  t.ok(reserveAttempt(state, 'next', start + lockMicros).isOk(), 'then it is open to five more')
  t.end()
})

t.test('wrong passwords that lie further apart than ten minutes lock nothing', (t) => {
  let state = wrongTimes(4, start)
  state = wrong(state, start + wrongWindowMicros)
  t.ok(reserveAttempt(state, 'next', start + wrongWindowMicros).isOk())
  t.equal(state.wrongTotal, 5)
  t.end()
})

t.test('five attempts under way send the sixth away for a second and lock nothing', (t) => {
  let state = noAttempts
  for (const id of ['a', 'b', 'c', 'd', 'e']) state = reserveAttempt(state, id, start)._unsafeUnwrap()
  const sixth = reserveAttempt(state, 'f', start)._unsafeUnwrapErr()
  t.match(sixth, { code: 'link_locked', reason: 'attempts_under_way', retryAfterSeconds: 1 })
  for (const id of ['a', 'b', 'c', 'd', 'e']) state = releaseAttempt(state, id)
  t.strictSame(state, noAttempts, 'right passwords leave no trace')
  t.end()
})

t.test('a hundred wrong passwords in all disable the link, and success does not reset them', (t) => {
  let state = noAttempts
  let now = start
  for (let count = 0; count < wrongToDisable; count += 1) {
    t.notOk(isDisabled(state))
    now += lockMicros
    state = releaseAttempt(reserveAttempt(state, 'right', now)._unsafeUnwrap(), 'right')
    state = wrong(state, now)
  }
  t.ok(isDisabled(state))
  t.end()
})

t.test('an attempt cut off by a crash counts as wrong after a minute', (t) => {
  let state = noAttempts
  for (const id of ['a', 'b', 'c', 'd', 'e']) state = reserveAttempt(state, id, start)._unsafeUnwrap()
  const later = start + attemptTimeoutMicros
  t.match(reserveAttempt(state, 'f', later)._unsafeUnwrapErr(), { reason: 'wrong_passwords' })
  t.equal(reserveAttempt(state, 'f', later - 1)._unsafeUnwrapErr().reason, 'attempts_under_way')
  t.match(reserveAttempt(state, 'f', later + lockMicros - 1)._unsafeUnwrapErr(), { retryAfterSeconds: 1 })
  t.ok(reserveAttempt(state, 'f', later + lockMicros).isOk(), 'asking meanwhile did not lock anew')
  t.end()
})

t.test('an attempt that was counted as cut off is not counted again when it ends', (t) => {
  const state = reserveAttempt(noAttempts, 'slow', start)._unsafeUnwrap()
  const later = start + attemptTimeoutMicros
  const counted = reserveAttempt(state, 'other', later)._unsafeUnwrap()
  t.equal(counted.wrongTotal, 1)
  t.equal(countWrong(counted, 'slow', later).wrongTotal, 1)
  t.equal(releaseAttempt(counted, 'slow').wrongTotal, 1)
  t.end()
})

t.test('whatever guessers do in parallel, no window sees more than five wrong passwords', (t) => {
  const step = fc.record({
    kind: fc.constantFrom('reserve', 'wrong', 'release'),
    pick: fc.nat(7),
    wait: fc.integer({ min: 0, max: 120 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      let state = noAttempts
      let now = start
      const wrongAt: number[] = []
      steps.forEach(({ kind, pick, wait }, index) => {
        now += wait * second
        const before = state.wrongTotal
        const id = state.underWay[pick % Math.max(1, state.underWay.length)]?.id ?? 'none'
        if (kind === 'reserve') state = reserveAttempt(state, String(index), now).unwrapOr(state)
        else state = kind === 'wrong' ? countWrong(state, id, now) : releaseAttempt(state, id)
        for (let count = before; count < state.wrongTotal; count += 1) wrongAt.push(now)
      })
      const tooMany = wrongAt.some(
        (at, index) => (wrongAt[index + wrongToLock] ?? Infinity) < at + wrongWindowMicros,
      )
      return !tooMany && state.underWay.length <= wrongToLock && state.wrongAtMicros.length <= wrongToLock
    }),
    { numRuns: 500 },
  )
  t.pass('500 histories')
  t.end()
})

function wrongTimes(count: number, atMicros: number): AttemptState {
  return Array.from({ length: count }).reduce<AttemptState>((state) => wrong(state, atMicros), noAttempts)
}

function wrong(state: AttemptState, atMicros: number): AttemptState {
  return countWrong(reserveAttempt(state, 'guess', atMicros)._unsafeUnwrap(), 'guess', atMicros)
}
