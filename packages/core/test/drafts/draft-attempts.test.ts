import t from 'tap'
import {
  attemptTimeoutMicros,
  lockMicros,
  noAttempts,
  wrongToDisable,
  wrongToLock,
  type AttemptState,
} from '../../src/shared/attempts.ts'
import { isDraftDisabled, reserveDraftAttempt, settleDraftAttempt } from '../../src/drafts/draft-attempts.ts'

const now = 1_000_000_000_000_000

t.test('an attempt is reserved, and settled as wrong or released', (t) => {
  const { attempts, refused } = reserveDraftAttempt(noAttempts, 'a', now)
  t.equal(refused, undefined)
  t.strictSame(attempts.underWay, [{ id: 'a', sinceMicros: now }])
  const settling = { attemptId: 'a', nowMicros: now + 1 }
  t.match(settleDraftAttempt(attempts, { ...settling, isPasswordWrong: true }), {
    underWay: [],
    wrongAtMicros: [now + 1],
    wrongTotal: 1,
  })
  t.strictSame(settleDraftAttempt(attempts, { ...settling, isPasswordWrong: false }), noAttempts)
  t.end()
})

t.test('a locked draft refuses, and nothing changes', (t) => {
  const locked: AttemptState = { ...noAttempts, wrongTotal: wrongToLock, lockedUntilMicros: now + lockMicros }
  const { attempts, refused } = reserveDraftAttempt(locked, 'a', now)
  t.strictSame(refused, { code: 'draft_locked', reason: 'wrong_passwords', retryAfterSeconds: 1_800 })
  t.equal(attempts, locked)
  t.end()
})

t.test('a lock that a clock which ran ahead left is shortened, also when the attempt is refused', (t) => {
  const ahead: AttemptState = { ...noAttempts, lockedUntilMicros: now + 100 * lockMicros }
  const { attempts, refused } = reserveDraftAttempt(ahead, 'a', now)
  t.equal(refused?.code, 'draft_locked')
  t.equal(attempts.lockedUntilMicros, now + lockMicros)
  t.end()
})

t.test('attempts that a crash cut off count as wrong, and can lock and disable', (t) => {
  const underWay = Array.from({ length: wrongToLock }, (_, nr) => ({ id: `${nr}`, sinceMicros: now }))
  const later = now + attemptTimeoutMicros
  const crashed: AttemptState = { ...noAttempts, underWay }
  t.match(reserveDraftAttempt(crashed, 'a', later - 1), { refused: { reason: 'attempts_under_way' } })
  t.match(reserveDraftAttempt(crashed, 'a', later), {
    attempts: { underWay: [], wrongTotal: wrongToLock, lockedUntilMicros: later + lockMicros },
    refused: { code: 'draft_locked', reason: 'wrong_passwords' },
  })
  const last: AttemptState = { ...crashed, wrongTotal: wrongToDisable - wrongToLock }
  t.equal(isDraftDisabled(last, later - 1), false)
  t.equal(isDraftDisabled(last, later), true)
  t.match(reserveDraftAttempt(last, 'a', later), {
    attempts: { underWay: [], wrongTotal: wrongToDisable },
    refused: { code: 'draft_disabled' },
  })
  t.end()
})
