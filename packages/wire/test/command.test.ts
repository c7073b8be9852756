import t from 'tap'
import { toWireAnnouncement, toWireFinding, toWireInitialized, toWireLogin } from '../src/command.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

t.test('a finding', async (t) => {
  t.equal(
    JSON.stringify(toWireFinding({ check: 'disk', ok: false, text: 'full' })),
    '{"check":"disk","ok":false,"text":"full"}',
  )
  t.equal(
    JSON.stringify(toWireFinding({ check: 'disk', ok: undefined, text: 'not checked' })),
    '{"check":"disk","ok":null,"text":"not checked"}',
  )
})

t.test('the announcement of a server', async (t) => {
  const announcement = { address: 'http://127.0.0.1:1', baseUrl: 'https://a', linkBaseUrl: 'https://b' }
  const start = '{"listening":"http://127.0.0.1:1","base_url":"https://a","link_base_url":"https://b"'
  t.equal(
    JSON.stringify(toWireAnnouncement({ ...announcement, firstStart: undefined })),
    `${start},"first_start":null}`,
  )
  const names = { email: 'owner@localhost', folderId: 'f', folderLabel: 'Inbox' }
  const firstStart = { ...names, token: 'sotto_x', tokenExpiresAtMicros: 7, invitationToken: 'w' }
  t.equal(
    JSON.stringify(toWireAnnouncement({ ...announcement, firstStart })),
    `${start},"first_start":{"account":"owner@localhost","folder_id":"f","folder_label":"Inbox","token":"sotto_x",` +
      `"token_expires_at":"${time(7)}","welcome_url":"https://a/welcome/w"}}`,
  )
})

t.test('init says where the data and the keys are', (t) => {
  const places = toWireInitialized({ dataDir: '/d', keysFile: '/k' })
  t.equal(JSON.stringify(places), '{"data_dir":"/d","keys_file":"/k"}')
  const remote = toWireInitialized({ database: 'postgres://h/d', keysFile: '/k' })
  t.equal(JSON.stringify(remote), '{"database":"postgres://h/d","keys_file":"/k"}')
  t.end()
})

t.test('a login is printed without the token', async (t) => {
  const given = { url: 'http://localhost:3000', file: '/home/ann/client.json', token: 'sotto_secret' }
  t.strictSame(toWireLogin(given), { url: given.url, file: given.file })
})
