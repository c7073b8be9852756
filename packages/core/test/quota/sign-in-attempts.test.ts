import t from 'tap'
import fc from 'fast-check'
import { expectErr, expectOk } from '@sotto/test-kit'
import { attemptTimeoutMicros, noAttempts, type AttemptState } from '../../src/shared/attempts.ts'
import {
  accountAttemptLimits,
  addressAttemptLimits,
  countMail,
  mailLimits,
  reserveSignIn,
  settleSignIn,
} from '../../src/quota/sign-in-attempts.ts'

const second = 1_000_000
const minute = 60 * second
const start = 1_000_000 * minute
const limits = [accountAttemptLimits, addressAttemptLimits]

// Promise (The owner's pages): The bounds of guessing are those that SECURITY.md names
t.test('the bounds are the promised ones', (t) => {
  t.match(accountAttemptLimits, { wrongToLock: 5, windowMicros: 10 * minute, lockMicros: 15 * minute })
  t.match(addressAttemptLimits, { wrongToLock: 20, windowMicros: 60 * minute, lockMicros: 60 * minute })
  t.end()
})

t.test('an attempt is reserved in every bucket, or in none when one refuses', (t) => {
  const attempt = { attemptId: 'a', nowMicros: start }
  const { buckets } = expectOk(reserveSignIn([noAttempts, noAttempts], limits, attempt))
  const underWay = [{ id: 'a', sinceMicros: start }]
  t.match(buckets, [{ attempts: { underWay } }, { attempts: { underWay } }])
  const locked = { ...noAttempts, lockedUntilMicros: start + 1 }
  const refused = { code: 'sign_in_locked', reason: 'wrong_passwords', retryAfterSeconds: 1 }
  t.strictSame(expectErr(reserveSignIn([noAttempts, locked], limits, attempt)), refused)
  t.strictSame(expectErr(reserveSignIn([locked, noAttempts], limits, attempt)), refused)
  t.end()
})

t.test('mails are counted together, in every bucket or in none', (t) => {
  t.match(mailLimits.account, { wrongToLock: 3, windowMicros: 60 * minute, lockMicros: 60 * minute })
  const both = [mailLimits.account, mailLimits.address]
  let states: readonly AttemptState[] = [noAttempts, noAttempts]
  const count = (nowMicros: number) => countMail(states, both, { attemptId: 'a', nowMicros })
  for (let nr = 0; nr < 3; nr += 1) {
    const { buckets } = expectOk(count(start + nr * minute))
    states = buckets.map((bucket) => bucket?.attempts ?? noAttempts)
  }
  t.strictSame(
    states.map(({ underWay, wrongAtMicros }) => [underWay.length, wrongAtMicros.length]),
    [
      [0, 2],
      [0, 3],
    ],
    'the first one of three is in the lock',
  )
  t.match(expectErr(count(start + 59 * minute)), { retryAfterSeconds: 60 })
  t.ok(expectOk(count(start + 60 * minute)).buckets.length === 2)
  const future = { ...noAttempts, lockedUntilMicros: start + 1_000 * minute }
  const corrected = expectOk(countMail([future], [mailLimits.account], { attemptId: 'a', nowMicros: start }))
  t.match(corrected.refused, { retryAfterSeconds: 3_600 })
  t.match(corrected.buckets, [{ attempts: { wrongAtMicros: [], lockedUntilMicros: start + 60 * minute } }])
  t.end()
})

t.test('a refusal stores the correction of times in the future, and no reservation', (t) => {
  const future = { ...noAttempts, lockedUntilMicros: start + 100 * minute }
  const { buckets, refused } = expectOk(
    reserveSignIn([future, noAttempts], limits, { attemptId: 'a', nowMicros: start }),
  )
  t.match(refused, { reason: 'wrong_passwords', retryAfterSeconds: 900 })
  t.strictSame(
    buckets.map((bucket) => bucket?.attempts),
    [{ ...noAttempts, lockedUntilMicros: start + 15 * minute }, undefined],
  )
  t.end()
})

t.test('a bucket that says nothing is erased, and no total is kept', (t) => {
  const attempt = { attemptId: 'a', nowMicros: start }
  const reserved = expectOk(reserveSignIn([noAttempts, noAttempts], limits, attempt))
  const states = reserved.buckets.map((bucket) => bucket?.attempts ?? noAttempts)
  t.strictSame(settleSignIn(states, limits, { ...attempt, isWrong: false }).buckets, [undefined, undefined])
  const wrong = settleSignIn(states, limits, { ...attempt, isWrong: true }).buckets
  t.match(wrong[0], { attempts: { wrongAtMicros: [start], wrongTotal: 0 } })
  t.end()
})

t.test('a bucket is kept as long as it counts, and as long as a lock that a crash leaves', (t) => {
  const four = { ...noAttempts, wrongAtMicros: [start, start, start, start] }
  const attempt = { attemptId: 'a', nowMicros: start }
  const [bucket] = expectOk(reserveSignIn([four], limits, attempt)).buckets
  const cutOffAt = start + attemptTimeoutMicros
  const lockEnds = cutOffAt + accountAttemptLimits.lockMicros
  t.equal(bucket?.eraseAtMicros, lockEnds)
  const asked = reserveSignIn([bucket?.attempts ?? noAttempts], limits, {
    attemptId: 'b',
    nowMicros: lockEnds - 1,
  })
  t.equal(expectErr(asked).reason, 'wrong_passwords')
  const [locked] = settleSignIn([bucket?.attempts ?? noAttempts], limits, {
    ...attempt,
    isWrong: true,
  }).buckets
  t.equal(locked?.eraseAtMicros, start + accountAttemptLimits.lockMicros)
  t.end()
})

for (const limit of limits) {
  const { wrongToLock, windowMicros } = limit
  t.test(`whatever happens in parallel, no window holds more than ${String(wrongToLock)} wrong ones`, (t) => {
    const step = fc.record({
      kind: fc.constantFrom('reserve', 'reserve', 'wrong', 'wrong', 'release'),
      pick: fc.nat(30),
      wait: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 1_800 })),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, minLength: 60 }), (steps) => {
        const wrongAt = playedOut(steps).toSorted((one, other) => one - other)
        return wrongAt.every((at, nr) => (wrongAt[nr + wrongToLock] ?? Infinity) >= at + windowMicros)
      }),
      { numRuns: 300 },
    )
    t.pass('300 histories')
    t.end()
  })

  /** When attempts came out wrong, in a history that keeps what each step stores. */
  function playedOut(steps: readonly { kind: string; pick: number; wait: number }[]): number[] {
    let state: AttemptState = noAttempts
    let now = start
    const wrongAt: number[] = []
    for (const [nr, { kind, pick, wait }] of steps.entries()) {
      now += wait * second
      const { underWay } = state
      const attemptId = underWay[pick % Math.max(1, underWay.length)]?.id ?? 'none'
      const settling = { attemptId, isWrong: kind === 'wrong', nowMicros: now }
      const change =
        kind === 'reserve'
          ? reserveSignIn([state], [limit], { attemptId: String(nr), nowMicros: now }).unwrapOr(undefined)
          : settleSignIn([state], [limit], settling)
      if (change === undefined) continue
      state = change.buckets[0]?.attempts ?? noAttempts
      const gone = underWay.filter(({ id }) => !state.underWay.some((each) => each.id === id))
      if (kind === 'wrong') wrongAt.push(...gone.map(() => now))
      if (kind === 'reserve')
        wrongAt.push(...gone.map(({ sinceMicros }) => sinceMicros + attemptTimeoutMicros))
    }
    return wrongAt
  }
}
