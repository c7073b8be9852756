import { errAsync } from 'neverthrow'
import t from 'tap'
import { isLinkToken } from '../../src/entities/link-token.ts'
import { createAccount } from '../../src/use-cases/create-account.ts'
import { createFolder } from '../../src/use-cases/create-folder.ts'
import { createSecret } from '../../src/use-cases/create-secret.ts'
import { getSecret } from '../../src/use-cases/get-secret.ts'
import { listFolders } from '../../src/use-cases/list-folders.ts'
import { listSecrets } from '../../src/use-cases/list-secrets.ts'
import { all, createWorld, dayMicros, secondMicros, startMicros } from '../world.ts'

t.test('a created secret is shareable at once and expires exactly 30 days later', async (t) => {
  const { ports, accountId, folderId } = await createWorld()
  const input = { accountId, folderId, label: 'Router', note: 'line 1\nline 2', openLimit: 2, notify: true }
  const secret = (await createSecret(ports, input))._unsafeUnwrap()
  t.match(secret, { label: 'Router', folderId, createdAtMicros: startMicros, openLimit: 2, notify: true })
  t.equal(secret.hasPassword, false)
  t.equal(secret.link.createdAtMicros, startMicros)
  t.equal(secret.expiresAtMicros, startMicros + 2_592_000 * secondMicros)
  t.ok(isLinkToken(secret.link.token))
  t.notOk('note' in secret || 'password' in secret)
  t.strictSame(
    (await getSecret(ports, { accountId, id: secret.id }))._unsafeUnwrap(),
    secret,
    'got as created',
  )
})

t.test('open limit and notification are off unless asked for', async (t) => {
  const { ports, accountId, folderId } = await createWorld()
  const secret = (await createSecret(ports, { accountId, folderId, label: 'x', note: 'y' }))._unsafeUnwrap()
  t.match(secret, { openLimit: 0, notify: false, hasPassword: false })
})

t.test('a negative zero is no limit, like any other zero', async (t) => {
  const { ports, accountId, folderId } = await createWorld()
  const input = { accountId, folderId, label: 'x', note: 'y', openLimit: -0 }
  t.ok(Object.is((await createSecret(ports, input))._unsafeUnwrap().openLimit, 0))
})

t.test('all faults are told at once, the folder’s included', async (t) => {
  const { ports, accountId } = await createWorld()
  const input = {
    accountId,
    folderId: 'nonsense',
    label: '',
    note: 'x'.repeat(1_001),
    openLimit: -1,
    password: '',
  }
  const refused = (await createSecret(ports, input))._unsafeUnwrapErr()
  t.strictSame(refused, {
    code: 'fields_invalid',
    faults: [
      { field: 'label', rule: 'empty' },
      { field: 'note', rule: 'too_long', limit: 1_000 },
      { field: 'openLimit', rule: 'out_of_range', limit: 1_000_000 },
      { field: 'password', rule: 'empty' },
      { field: 'folderId', rule: 'unknown_folder' },
    ],
  })
  t.strictSame(await all(listSecrets(ports, { accountId })), [])
})

t.test('an unknown, a malformed and another account’s folder are one and the same', async (t) => {
  const { ports, accountId } = await createWorld()
  const other = (await createAccount(ports, { email: 'bob@example.org' }))._unsafeUnwrap()
  const theirs = (await createFolder(ports, { accountId: other.id, label: 'Theirs' }))._unsafeUnwrap()
  const answers = []
  for (const folderId of [theirs.id, '0190f3a0-0000-7000-8000-000000000000', 'x', '']) {
    answers.push(
      (await createSecret(ports, { accountId, folderId, label: 'x', note: 'y' }))._unsafeUnwrapErr(),
    )
  }
  for (const answer of answers) {
    t.strictSame(answer, { code: 'fields_invalid', faults: [{ field: 'folderId', rule: 'unknown_folder' }] })
  }
})

t.test('a malformed folder id costs the same look-up as an unknown one', async (t) => {
  const { ports, accountId } = await createWorld()
  const asked: string[] = []
  const folders = {
    ...ports.folders,
    owns: (account: string, id: string) => {
      asked.push(id)
      return ports.folders.owns(account, id)
    },
  }
  t.ok(
    (await createSecret({ ...ports, folders }, { accountId, folderId: 'x', label: 'x', note: 'y' })).isErr(),
  )
  t.equal(asked.length, 1)
})

t.test('a folder id is taken in either case', async (t) => {
  const { ports, accountId, folderId } = await createWorld()
  const input = { accountId, folderId: folderId.toUpperCase(), label: 'x', note: 'y' }
  t.equal((await createSecret(ports, input))._unsafeUnwrap().folderId, folderId)
})

t.test('secrets are listed newest first until they expire, and counted alike', async (t) => {
  const { ports, accountId, folderId } = await createWorld()
  for (const label of ['one', 'two', 'three']) {
    t.ok((await createSecret(ports, { accountId, folderId, label, note: 'y' })).isOk())
    ports.clock.advance(1)
  }
  const labels = async () => (await all(listSecrets(ports, { accountId }))).map(({ label }) => label)
  const count = async () => (await all(listFolders(ports, { accountId })))[0]?.secretsCount
  t.strictSame(await labels(), ['three', 'two', 'one'])
  ports.clock.set(startMicros + 30 * dayMicros - 1)
  t.equal((await labels()).length, 3, 'a microsecond before')
  ports.clock.advance(1)
  t.strictSame(await labels(), ['three', 'two'], 'gone from the very moment of its expiry')
  t.equal(await count(), 2)
})

t.test('a list that was begun does not see what expires meanwhile go', async (t) => {
  const { ports, accountId, folderId } = await createWorld()
  t.ok((await createSecret(ports, { accountId, folderId, label: 'x', note: 'y' })).isOk())
  ports.clock.set(startMicros + 30 * dayMicros - 1)
  const begun = listSecrets(ports, { accountId })
  ports.clock.advance(60 * secondMicros)
  t.equal((await all(begun)).length, 1)
})

t.test('a key that was retired meanwhile costs one more try and no error', async (t) => {
  const world = await createWorld()
  const { ports, accountId, folderId } = world
  let refreshed = 0
  let refusals = 1
  const secrets: typeof ports.secrets = {
    ...ports.secrets,
    insert: (secret, note) => (refusals-- > 0 ? errAsyncRetired() : ports.secrets.insert(secret, note)),
  }
  const keyRing = { ...ports.keyRing, refresh: () => void (refreshed += 1) }
  const created = await createSecret(
    { ...ports, secrets, keyRing },
    { accountId, folderId, label: 'x', note: 'y' },
  )
  t.ok(created.isOk())
  t.equal(refreshed, 1)
  refusals = 2
  const refused = await createSecret(
    { ...ports, secrets, keyRing },
    { accountId, folderId, label: 'x', note: 'y' },
  )
  t.match(refused._unsafeUnwrapErr(), { code: 'key_retired' })
})

function errAsyncRetired() {
  return errAsync({ code: 'key_retired' as const })
}
