import t from 'tap'
import {
  attemptTimeoutMicros,
  lockMicros,
  noAttempts,
  wrongToDisable,
  wrongToLock,
  type AttemptState,
} from '../../src/shared/attempts.ts'
import { isDraftDisabled, reserveDraftAttempt } from '../../src/drafts/draft-attempts.ts'

const now = 1_000_000_000_000_000

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
