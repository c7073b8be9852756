import t from 'tap'
import { fromWireNewSecret, isoMicros, toWireFolder, toWireSecret } from '../src/wire.ts'

t.test('moments have six digits and are in UTC', async (t) => {
  t.equal(isoMicros(0), '1970-01-01T00:00:00.000000Z')
  t.equal(isoMicros(1), '1970-01-01T00:00:00.000001Z')
  t.equal(isoMicros(999_999), '1970-01-01T00:00:00.999999Z')
  t.equal(isoMicros(1_795_165_200_000_042), '2026-11-20T09:00:00.000042Z')
  t.equal(isoMicros(4_102_444_799_999_999), '2099-12-31T23:59:59.999999Z')
})

t.test('a folder has the fields of the API and no other', async (t) => {
  t.same(toWireFolder({ id: 'f', label: 'Label', createdAtMicros: 5, draftsCount: 1, secretsCount: 2 }), {
    id: 'f',
    label: 'Label',
    created_at: '1970-01-01T00:00:00.000005Z',
    drafts_count: 1,
    secrets_count: 2,
  })
})

t.test('a secret has the fields of the API and no other', async (t) => {
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
  t.same(toWireSecret(secret, 'https://s.example.org'), {
    id: 's',
    label: 'Label',
    expires_at: '1970-01-01T00:00:00.000003Z',
    folder_id: 'f',
    created_at: '1970-01-01T00:00:00.000001Z',
    link: { url: 'https://s.example.org/T', created_at: '1970-01-01T00:00:00.000002Z' },
  })
})

t.test('fields that are absent stay absent on their way to the core', async (t) => {
  t.same(Object.keys(fromWireNewSecret({ label: 'a', note: 'b', folder_id: 'c' })), [
    'label',
    'note',
    'folderId',
  ])
  t.same(fromWireNewSecret({ open_limit: 0, notify: false, password: 'p' }), {
    openLimit: 0,
    notify: false,
    password: 'p',
  })
})
