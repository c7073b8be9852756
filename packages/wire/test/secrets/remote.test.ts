import t from 'tap'
import { Value } from 'typebox/value'
import { openedSecretSchema } from '../../src/secrets/open-link.ts'
import { toWireOpened, toWireShared } from '../../src/secrets/remote.ts'

const secret = {
  id: '01936f31-02b4-7e0f-8a61-5b9c3d7e1f20',
  label: 'Database, staging',
  expires_at: '2026-12-20T09:30:00.000000Z',
  folder_id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d',
  created_at: '2026-11-20T09:30:00.000000Z',
  link: { url: 'https://s.example.org/token', created_at: '2026-11-20T09:30:00.000000Z' },
}

t.test('what was shared is printed as the API answers it', async (t) => {
  const { id, label, expires_at, folder_id, created_at, link } = secret
  const times = { expiresAt: expires_at, createdAt: created_at }
  const shared = toWireShared({
    ...times,
    id,
    label,
    folderId: folder_id,
    link: { url: link.url, createdAt: link.created_at },
  })
  t.strictSame(shared, secret)
})

t.test('what was opened is printed as the link answers it', async (t) => {
  const { label, expires_at } = secret
  const note = 'user: app'
  const opened = toWireOpened({ label, note, opensLeft: null, expiresAt: expires_at, files: [] })
  t.strictSame(opened, { label, note, opens_left: null, expires_at })
  t.ok(Value.Check(openedSecretSchema, opened))
})

t.test('a file of what was opened has its path once it is saved', async (t) => {
  const file = { name: 'a.txt', size: 1, type: 'text/plain', url: 'http://localhost:3000/f/ticket/1' }
  const files = [
    { ...file, path: 'out/a.txt', fault: undefined },
    { ...file, path: undefined },
  ]
  const opened = toWireOpened({ label: 'L', note: 'n', opensLeft: 0, expiresAt: '2026', files })
  t.strictSame(opened.files, [{ ...file, path: 'out/a.txt' }, file])
})
