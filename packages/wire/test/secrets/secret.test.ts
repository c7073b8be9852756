import t from 'tap'
import { toWireSecret } from '../../src/secrets/secret.ts'

const secret = {
  id: 's',
  folderId: 'f',
  label: 'Label',
  createdAtMicros: 1,
  openLimit: 3,
  notify: true,
  hasPassword: true,
  link: { token: 'T', createdAtMicros: 2 },
  expiresAtMicros: 3,
}

// Promise (The JSON API): A secret has id, label, expires_at, folder_id, created_at, link, and neither note nor password
// Promise (The JSON API): The link's URL is absolute on the link base URL, its path a single opaque token
t.test('a secret has the fields of the API and no others', async (t) => {
  t.same(toWireSecret(secret, 'https://s.example.org'), {
    id: 's',
    label: 'Label',
    expires_at: '1970-01-01T00:00:00.000003Z',
    folder_id: 'f',
    created_at: '1970-01-01T00:00:00.000001Z',
    link: { url: 'https://s.example.org/T', created_at: '1970-01-01T00:00:00.000002Z' },
  })
})

t.test('a secret that was created with its link has one time for both', async (t) => {
  const atOnce = { ...secret, link: { ...secret.link, createdAtMicros: 1 } }
  const { created_at, link } = toWireSecret(atOnce, 'https://s.example.org')
  t.same([created_at, link.created_at], ['1970-01-01T00:00:00.000001Z', '1970-01-01T00:00:00.000001Z'])
})
