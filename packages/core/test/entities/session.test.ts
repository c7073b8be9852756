import t from 'tap'
import { isProofFresh, isSessionAlive } from '../../src/entities/session.ts'

const hour = 3_600 * 1_000_000
const created = 1_000_000 * hour

t.test('a session ends after 12 hours without use and 14 days in all', (t) => {
  const unused = { createdAtMicros: created, lastUsedAtMicros: created }
  t.ok(isSessionAlive(unused, created + 12 * hour - 1))
  t.notOk(isSessionAlive(unused, created + 12 * hour))
  const end = created + 14 * 24 * hour
  const used = { createdAtMicros: created, lastUsedAtMicros: end - 1 }
  t.ok(isSessionAlive(used, end - 1))
  t.notOk(isSessionAlive(used, end))
  t.end()
})

t.test('a proof is fresh for ten minutes, and a time in the future proves nothing', (t) => {
  const session = { provenAtMicros: created }
  t.ok(isProofFresh(session, created))
  t.ok(isProofFresh(session, created + hour / 6 - 1))
  t.notOk(isProofFresh(session, created + hour / 6))
  t.notOk(isProofFresh(session, created - 1))
  t.end()
})
