import t from 'tap'
import fc from 'fast-check'
import { expectErr, expectOk } from '@sotto/test-kit'
import {
  attemptTimeoutMicros,
  countWrong,
  isDisabled,
  lockMicros,
  noAttempts,
  releaseAttempt,
  reserveAttempt,
  withoutFuture,
  wrongToDisable,
  wrongToLock,
  wrongWindowMicros,
  type AttemptState,
} from '../../src/shared/attempts.ts'

const start = 1_000_000_000_000_000
const second = 1_000_000

t.test('the bounds are the promised ones', (t) => {
  t.equal(wrongToLock, 5)
  t.equal(wrongWindowMicros, 600 * second)
  t.equal(lockMicros, 1_800 * second)
  t.equal(wrongToDisable, 100)
  t.equal(attemptTimeoutMicros, 60 * second)
  t.end()
})

// Promise (Opening a link): Five wrong passwords lock the link for thirty minutes
t.test('five wrong passwords within ten minutes lock the link for thirty', (t) => {
  const state = wrongTimes(5, start)
  const refused = reserveAttempt(state, 'next', start)
  t.match(expectErr(refused), { reason: 'wrong_passwords', retryAfterSeconds: 1800 })
  t.match(expectErr(reserveAttempt(state, 'next', start + lockMicros - 1)), { retryAfterSeconds: 1 })
  t.ok(reserveAttempt(state, 'next', start + lockMicros).isOk(), 'then five more are allowed')
  t.end()
})

t.test('wrong passwords more than ten minutes apart lock nothing', (t) => {
  let state = wrongTimes(4, start)
  state = wrong(state, start + wrongWindowMicros)
  t.ok(reserveAttempt(state, 'next', start + wrongWindowMicros).isOk())
  t.equal(state.wrongTotal, 5)
  t.end()
})

// Promise (Opening a link): With five attempts in progress, a sixth has to wait a second
t.test('five attempts under way refuse the sixth for a second and lock nothing', (t) => {
  let state = noAttempts
  for (const id of ['a', 'b', 'c', 'd', 'e']) state = expectOk(reserveAttempt(state, id, start))
  const sixth = expectErr(reserveAttempt(state, 'f', start))
  t.match(sixth, { reason: 'attempts_under_way', retryAfterSeconds: 1 })
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
    state = releaseAttempt(expectOk(reserveAttempt(state, 'right', now)), 'right')
    state = wrong(state, now)
  }
  t.ok(isDisabled(state))
  t.end()
})

t.test('attempts under way never exceed what is left until the link is disabled', (t) => {
  const wrongTotal = wrongToDisable - 2
  let state: AttemptState = { ...noAttempts, wrongTotal }
  for (const id of ['a', 'b']) state = expectOk(reserveAttempt(state, id, start))
  t.match(expectErr(reserveAttempt(state, 'c', start)), {
    reason: 'attempts_under_way',
    retryAfterSeconds: 1,
  })
  state = releaseAttempt(state, 'a')
  t.ok(reserveAttempt(state, 'c', start).isOk())
  t.end()
})

t.test('an attempt cut off by a crash counts as wrong after a minute', (t) => {
  let state = noAttempts
  for (const id of ['a', 'b', 'c', 'd', 'e']) state = expectOk(reserveAttempt(state, id, start))
  const later = start + attemptTimeoutMicros
  t.match(expectErr(reserveAttempt(state, 'f', later)), { reason: 'wrong_passwords' })
  t.equal(expectErr(reserveAttempt(state, 'f', later - 1)).reason, 'attempts_under_way')
  t.match(expectErr(reserveAttempt(state, 'f', later + lockMicros - 1)), { retryAfterSeconds: 1 })
  t.ok(reserveAttempt(state, 'f', later + lockMicros).isOk(), 'asking before that did not start another lock')
  t.end()
})

t.test('an attempt that was counted as cut off is not counted again when it ends', (t) => {
  const state = expectOk(reserveAttempt(noAttempts, 'slow', start))
  const later = start + attemptTimeoutMicros
  const counted = expectOk(reserveAttempt(state, 'other', later))
  t.equal(counted.wrongTotal, 1)
  t.equal(countWrong(counted, 'slow', later).wrongTotal, 1)
  t.equal(releaseAttempt(counted, 'slow').wrongTotal, 1)
  t.end()
})

const week = 7 * 86_400 * second
for (const [what, state, expected] of [
  [
    'a lock that ends in weeks',
    { lockedUntilMicros: start + week },
    { lockedUntilMicros: start + lockMicros },
  ],
  [
    'a wrong password in weeks',
    { wrongAtMicros: [start - 1, start + week] },
    { wrongAtMicros: [start - 1, start] },
  ],
  [
    'an attempt that begins in weeks',
    { underWay: [{ id: 'a', sinceMicros: start + week }] },
    { underWay: [{ id: 'a', sinceMicros: start }] },
  ],
] as const) {
  t.test(`${what}, from a clock that ran ahead, counts as now`, (t) => {
    t.strictSame(withoutFuture({ ...noAttempts, ...state }, start), { ...noAttempts, ...expected })
    t.end()
  })
}

t.test('times that are no further ahead than they count for are left as they are', (t) => {
  const state: AttemptState = {
    underWay: [{ id: 'a', sinceMicros: start + attemptTimeoutMicros }],
    wrongAtMicros: [start, start + wrongWindowMicros],
    wrongTotal: 6,
    lockedUntilMicros: start + 2 * lockMicros,
  }
  t.equal(withoutFuture(state, start), state)
  for (const [tooFar, corrected] of [
    [
      { underWay: [{ id: 'a', sinceMicros: start + attemptTimeoutMicros + 1 }] },
      { underWay: [{ id: 'a', sinceMicros: start }] },
    ],
    [{ wrongAtMicros: [start, start + wrongWindowMicros + 1] }, { wrongAtMicros: [start, start] }],
    [{ lockedUntilMicros: start + 2 * lockMicros + 1 }, { lockedUntilMicros: start + lockMicros }],
  ] as const)
    t.strictSame(withoutFuture({ ...state, ...tooFar }, start), { ...state, ...corrected })
  t.equal(withoutFuture(noAttempts, start), noAttempts)
  t.end()
})

t.test(
  'wrong passwords from a clock that ran ahead count for ten minutes, and their lock is thirty minutes long',
  (t) => {
    const ahead = wrongTimes(3, start + week)
    const next = expectOk(reserveAttempt(ahead, 'next', start))
    const counted = countWrong(next, 'next', start)
    t.strictSame(counted.wrongAtMicros, [start, start, start, start])
    t.equal(counted.wrongTotal, 4)
    t.end()
  },
)

for (const aheadMicros of [second, wrongWindowMicros, lockMicros]) {
  t.test(
    `a clock that is ahead by ${aheadMicros / second} s is not outwitted by way of one that is behind`,
    (t) => {
      const ahead = start + aheadMicros
      const locked = withoutFuture(wrongTimes(5, ahead), start)
      t.match(expectErr(reserveAttempt(locked, 'next', start)), { retryAfterSeconds: 1_800 })
      t.match(expectErr(reserveAttempt(locked, 'next', ahead + lockMicros - 1)), { retryAfterSeconds: 1 })
      if (aheadMicros <= wrongWindowMicros) {
        const four = withoutFuture(wrongTimes(4, ahead), start)
        const fifth = wrong(four, ahead + wrongWindowMicros - 1)
        t.match(fifth, { lockedUntilMicros: ahead + wrongWindowMicros - 1 + lockMicros })
      }
      t.end()
    },
  )
}

t.test('whatever guessers do in parallel, no window holds more than five wrong passwords', (t) => {
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
  return countWrong(expectOk(reserveAttempt(state, 'guess', atMicros)), 'guess', atMicros)
}
