import t from 'tap'
import { noAttempts, wrongToDisable } from '../../src/shared/attempts.ts'
import { secretStatus } from '../../src/secrets/secret-status.ts'

t.test('a secret waits, is opened, or is finished; a lock changes none of them', (t) => {
  const locked = { ...noAttempts, wrongTotal: wrongToDisable - 1, lockedUntilMicros: Number.MAX_SAFE_INTEGER }
  const disabled = { ...noAttempts, wrongTotal: wrongToDisable }
  for (const [openLimit, opens, hasNote, attempts, status] of [
    [undefined, 0, true, noAttempts, 'waiting'],
    [1, 0, true, locked, 'waiting'],
    [undefined, 1_000_000, true, noAttempts, 'opened'],
    [2, 1, true, locked, 'opened'],
    [2, 2, true, noAttempts, 'finished'],
    [2, 3, true, noAttempts, 'finished'],
    [undefined, 0, false, noAttempts, 'finished'],
    [undefined, 0, true, disabled, 'finished'],
    [3, 1, true, disabled, 'finished'],
  ] as const) {
    t.equal(secretStatus({ openLimit }, { opens, hasNote, attempts }), status)
  }
  t.end()
})
