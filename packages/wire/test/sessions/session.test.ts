import t from 'tap'
import { toWireSession } from '../../src/sessions/session.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

t.test('a session, without its token', async (t) => {
  const session = {
    id: 's',
    name: undefined,
    createdAtMicros: 1,
    reauthenticatedAtMicros: 2,
    lastUsedAtMicros: 3,
  }
  t.equal(
    JSON.stringify(toWireSession(session)),
    `{"id":"s","name":null,"created_at":"${time(1)}","last_used_at":"${time(3)}"}`,
  )
})
