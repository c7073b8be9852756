import type { MovedCounts, Uuid } from '@sotto/core'
import t from 'tap'
import {
  toWireAccessToken,
  toWireAccount,
  toWireAnnouncement,
  toWireBackup,
  toWireDeleted,
  toWireDraft,
  toWireFinding,
  toWireInitialized,
  toWireMoved,
  toWireKey,
  toWireWaitingKey,
  toWireNewAccessToken,
  toWireCorruptedRow,
  toWireDroppedCorruptedRows,
  toWireRestored,
  toWireRetiredKey,
  toWireRevoked,
  toWireRotation,
  toWireSwept,
} from '../src/command.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

t.test('an account', async (t) => {
  const account = {
    id: 'a',
    email: 'ann@example.org',
    externalId: undefined,
    createdAtMicros: 1,
    disabledAtMicros: undefined,
    language: undefined,
    mails: { enabled: true, nameLabels: false },
    notifies: false,
    isHeld: false,
    displayName: undefined,
  }
  t.equal(
    JSON.stringify(toWireAccount(account)),
    `{"id":"a","email":"ann@example.org","created_at":"${time(1)}","disabled_at":null,"held":false}`,
  )
  t.equal(
    JSON.stringify(
      toWireAccount({
        ...account,
        email: undefined,
        externalId: 'user-7',
        disabledAtMicros: 2,
        isHeld: true,
      }),
    ),
    `{"id":"a","email":null,"external_id":"user-7","created_at":"${time(1)}","disabled_at":"${time(2)}","held":true}`,
    'of an embedding application',
  )
})

t.test('a draft', async (t) => {
  const draft = {
    id: 'd',
    folderId: 'f',
    label: 'Label',
    createdAtMicros: 1,
    openLimit: 3,
    notify: true,
    hasPassword: false,
  }
  const start = `{"id":"d","label":"Label","folder_id":"f","created_at":"${time(1)}"`
  const end = ',"notify":true,"has_password":false}'
  t.equal(JSON.stringify(toWireDraft(draft)), `${start},"open_limit":3${end}`)
  t.equal(
    JSON.stringify(toWireDraft({ ...draft, openLimit: undefined })),
    `${start},"open_limit":0${end}`,
    'without limit',
  )
  t.equal(JSON.stringify(toWireDeleted('d')), '{"id":"d","deleted":true}')
})

t.test('an access token', async (t) => {
  const token = {
    id: 't',
    name: 'laptop',
    scopes: ['read', 'write'],
    createdAtMicros: 1,
    expiresAtMicros: undefined,
    revokedAtMicros: undefined,
    lastUsedAtMicros: undefined,
  } as const
  const start = `{"id":"t","name":"laptop","scopes":["read","write"],"created_at":"${time(1)}"`
  t.equal(
    JSON.stringify(toWireAccessToken(token)),
    `${start},"expires_at":null,"revoked_at":null,"last_used_at":null}`,
  )
  t.equal(
    JSON.stringify(
      toWireAccessToken({ ...token, expiresAtMicros: 2, revokedAtMicros: 3, lastUsedAtMicros: 4 }),
    ),
    `${start},"expires_at":"${time(2)}","revoked_at":"${time(3)}","last_used_at":"${time(4)}"}`,
  )
  t.equal(
    JSON.stringify(toWireNewAccessToken({ ...token, token: 'sotto_x' })),
    '{"id":"t","token":"sotto_x"}',
    'a new one, with its text',
  )
  t.equal(JSON.stringify(toWireRevoked('t')), '{"id":"t","revoked":true}')
})

t.test('a key and a rotation', async (t) => {
  t.equal(
    JSON.stringify(
      toWireKey({
        ...{ kid: 2, createdAtMicros: 1, replacedAtMicros: undefined, active: true, waiting: false, rows: 5 },
        lackedBy: [{ id: 's', name: 'web-1', kid: 1, seenAtMicros: 2 }],
      }),
    ),
    `{"kid":2,"created_at":"${time(1)}","active":true,"waiting":false,"rows":5,` +
      `"lacked_by":[{"name":"web-1","seen_at":"${time(2)}"}]}`,
  )
  t.equal(JSON.stringify(toWireWaitingKey({ kid: 2, added: true })), '{"kid":2,"added":true}')
  t.equal(JSON.stringify(toWireRetiredKey(1)), '{"kid":1,"retired":true}')
  const corrupted = [
    { code: 'data_damaged', what: 'secret.head', id: 's' },
    { code: 'key_unknown', kid: 7 },
  ] as const
  t.equal(
    JSON.stringify(toWireRotation({ kid: 2, added: false, rewrapped: 3, corrupted })),
    '{"kid":2,"added":false,"rewrapped":3,"damaged":' +
      '[{"code":"data_damaged","what":"secret.head","id":"s"},{"code":"key_unknown","kid":7}]}',
  )
})

t.test('corrupted rows, in a restore too, and what was done with them', async (t) => {
  const row = { kind: 'folder', id: 'f', accountId: 'a' } as const
  const corrupted = { ...row, error: { code: 'data_damaged', what: 'folder.label', id: 'f' } } as const
  const text = '{"kind":"folder","id":"f","account_id":"a","code":"data_damaged","what":"folder.label"'
  t.equal(JSON.stringify(toWireCorruptedRow(corrupted)), `${text}}`)
  t.match(toWireCorruptedRow({ ...row, error: { code: 'key_unknown', kid: 7 } }), {
    code: 'key_unknown',
    kid: 7,
  })
  const dropped = [{ ...corrupted, outcome: 'replaced' }] as const
  const refused = [{ id: 's', reason: 'not_damaged' }] as const
  t.equal(
    JSON.stringify(toWireDroppedCorruptedRows({ dropped, refused })),
    `{"dropped":[${text},"outcome":"replaced"}],"refused":[{"id":"s","reason":"not_damaged"}]}`,
  )
})

t.test('a backup and a restore', async (t) => {
  const contents = {
    accounts: 1,
    folders: 2,
    drafts: 3,
    secrets: 4,
    expiredSecrets: 5,
    accessTokens: 6,
    files: 12,
    fileBytes: 13,
    kids: [1, 2],
  }
  const missingFiles = [{ id: 'f' as Uuid, secretId: 's' as Uuid }]
  const missing = '"missing_files":[{"id":"f","secret_id":"s"}]'
  const counts =
    '"accounts":1,"folders":2,"drafts":3,"secrets":4,"expired_secrets":5,"access_tokens":6,"files":12,"file_bytes":13,"kids":[1,2]'
  t.equal(
    JSON.stringify(toWireBackup('/b', { bytes: 9, backedUpAtMicros: 1, contents, missingFiles })),
    `{"file":"/b","bytes":9,"backed_up_at":"${time(1)}",${counts},${missing}}`,
  )
  const restored = {
    backedUpAtMicros: 1,
    contents,
    erasedSecrets: 7,
    destroyedNotes: 8,
    closedRequests: 10,
    revokedTokens: 9,
    restoredFiles: 11,
    missingFiles,
  }
  t.equal(
    JSON.stringify(toWireRestored(restored, 61.9, [])),
    `{"backed_up_at":"${time(1)}","age_seconds":61,${counts},` +
      '"purged_secrets":7,"destroyed_notes":8,"closed_requests":10,"revoked_tokens":9,"restored_files":11,' +
      `${missing},"damaged":[]}`,
  )
  t.equal(toWireRestored(restored, 0, undefined).damaged, null, 'rows that could not be checked')
  t.equal(toWireRestored(restored, -0.5, []).age_seconds, -1, 'a backup from the future')
})

t.test('a purge', async (t) => {
  t.equal(
    JSON.stringify(toWireSwept({ secrets: 1, quotaBuckets: 2, files: 3 })),
    '{"secrets":1,"quota_buckets":2,"files":3}',
  )
})

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

t.test('move says from where to where, and how many rows', (t) => {
  const counts: MovedCounts = { accounts: 1, access_tokens: 2 }
  const contents = { files: 2, bytes: 70_000 }
  const moved = toWireMoved({ from: '/d', to: 'postgres://h/d', rows: counts, contents })
  t.strictSame(moved, { from: '/d', to: 'postgres://h/d', rows: counts, file_bytes: 70_000 })
  const before = { from: '/d', to: '/e', rows: undefined, contents: { files: 0, bytes: 0 } }
  t.equal(toWireMoved(before).rows, null)
  t.end()
})

t.test('init says where the data and the keys are', (t) => {
  const places = toWireInitialized({ dataDir: '/d', keysFile: '/k' })
  t.equal(JSON.stringify(places), '{"data_dir":"/d","keys_file":"/k"}')
  const remote = toWireInitialized({ database: 'postgres://h/d', keysFile: '/k' })
  t.equal(JSON.stringify(remote), '{"database":"postgres://h/d","keys_file":"/k"}')
  t.end()
})
