import t from 'tap'
import { toWireDestroyed, toWireSecretOverview } from '../../src/secrets/secret-overview.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

const overview = {
  id: 's',
  folderId: 'f',
  label: 'Label',
  createdAtMicros: 1,
  openLimit: 3,
  notify: true,
  hasPassword: true,
  link: { token: 'T', createdAtMicros: 2 },
  expiresAtMicros: 3,
  status: 'opened' as const,
  opens: 2,
  opensLeft: 1,
  openedAtMicros: [5, 4],
  news: 2,
  lockedUntilMicros: 6,
  isDisabled: false,
  hasNote: true,
}

t.test('a secret with what happened to its link', async (t) => {
  t.equal(
    JSON.stringify(toWireSecretOverview(overview, 'https://s')),
    `{"id":"s","label":"Label","expires_at":"${time(3)}","folder_id":"f","created_at":"${time(1)}",` +
      `"link":{"url":"https://s/T","created_at":"${time(2)}"},"open_limit":3,"notify":true,"has_password":true,` +
      `"opens":2,"opens_left":1,"opened_at":["${time(5)}","${time(4)}"],"locked_until":"${time(6)}",` +
      '"disabled":false,"has_note":true}',
  )
  const unlimited = { ...overview, openLimit: undefined, opensLeft: undefined, lockedUntilMicros: undefined }
  t.match(toWireSecretOverview(unlimited, 'https://s'), {
    open_limit: 0,
    opens_left: null,
    locked_until: null,
  })
})

t.test('what was destroyed', async (t) => {
  t.equal(JSON.stringify(toWireDestroyed('s')), '{"id":"s","destroyed":true}')
})
