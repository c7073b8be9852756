import t from 'tap'
import { Value } from 'typebox/value'
import { examples } from '../src/examples.ts'
import { openedSecretSchema } from '../src/open-link.ts'
import { toWireLogin, toWireOpened, toWireShared } from '../src/remote.ts'

t.test('what was shared is printed as the API answers it', async (t) => {
  const { id, label, expires_at, folder_id, created_at, link } = examples.secret
  const times = { expiresAt: expires_at, createdAt: created_at }
  const shared = toWireShared({
    ...times,
    id,
    label,
    folderId: folder_id,
    link: { url: link.url, createdAt: link.created_at },
  })
  t.strictSame(shared, examples.secret)
})

t.test('what was opened is printed as the link answers it', async (t) => {
  const { label, note, expires_at } = examples.openedSecret
  const opened = toWireOpened({ label, note, opensLeft: null, expiresAt: expires_at })
  t.strictSame(opened, { label, note, opens_left: null, expires_at })
  t.ok(Value.Check(openedSecretSchema, opened))
})

t.test('a login is printed without the token', async (t) => {
  const given = { url: 'http://localhost:3000', file: '/home/ann/client.json', token: 'sotto_secret' }
  t.strictSame(toWireLogin(given), { url: given.url, file: given.file })
})
