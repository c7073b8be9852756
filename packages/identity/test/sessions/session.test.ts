import t from 'tap'
import { isReauthenticationFresh, isSessionAlive } from '../../src/sessions/session.ts'

const hour = 3_600 * 1_000_000
const created = 1_000_000 * hour

// Promise (The owner's pages): A session ends after 12 hours without use, and after 14 days
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

// Promise (The owner's pages): Actions that need re-authentication ask for it again after ten minutes
t.test('a re-authentication is fresh for ten minutes, and a time in the future proves nothing', (t) => {
  const session = { reauthenticatedAtMicros: created }
  t.ok(isReauthenticationFresh(session, created))
  t.ok(isReauthenticationFresh(session, created + hour / 6 - 1))
  t.notOk(isReauthenticationFresh(session, created + hour / 6))
  t.notOk(isReauthenticationFresh(session, created - 1))
  t.end()
})
