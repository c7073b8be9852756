import t from 'tap'
import type { Ciphertext } from '../../src/shared/ciphertext.ts'
import { noAttempts } from '../../src/shared/attempts.ts'
import { expiredUnopenedEvent, lockedEvent, openedEvent } from '../../src/secrets/secret-events.ts'

const secret = {
  id: 'a secret',
  accountId: 'an account',
  folderId: 'a folder',
  createdAtMicros: 1,
  openLimit: 3,
  notify: true,
  hasPassword: true,
  link: { lookup: new Uint8Array(32), createdAtMicros: 2, expiresAtMicros: 9 },
  kid: 1,
  headCiphertext: new Uint8Array() as Ciphertext,
}
const about = { accountId: 'an account', secretId: 'a secret', folderId: 'a folder', expiresAtMicros: 9 }
const stamp = { id: 'an event', atMicros: 5 }

t.test('an open is told with its number and what is left', (t) => {
  const type = 'secret.opened'
  const at = { id: 'an event', createdAtMicros: 5 }
  t.strictSame(openedEvent(secret, 2, stamp), { ...at, type, ...about, opens: 2, opensLeft: 1 })
  t.strictSame(openedEvent({ ...secret, openLimit: undefined }, 2, stamp), {
    ...{ ...at, type, ...about, opens: 2 },
    opensLeft: undefined,
  })
  t.end()
})

t.test('a lock is told with the opens so far', (t) => {
  const state = { opens: 3, hasNote: false, attempts: noAttempts, formUsed: false }
  const counts = { opens: 3, opensLeft: 0 }
  t.strictSame(lockedEvent({ secret, state }, stamp), {
    ...{ id: 'an event', type: 'secret.locked', ...about, createdAtMicros: 5 },
    ...counts,
  })
  t.end()
})

t.test('an expiry without an open happened at the expiry', (t) => {
  t.strictSame(expiredUnopenedEvent(secret, 'an event'), {
    ...{ id: 'an event', type: 'secret.expired_unopened', ...about, createdAtMicros: 9 },
    ...{ opens: 0, opensLeft: 3 },
  })
  t.end()
})
