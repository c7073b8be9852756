import {
  authenticate,
  createAccount,
  createFolder,
  disableAccount,
  listAccessTokens,
  listAccounts,
  listFolders,
  revokeAccessToken,
  type Ports,
  type Slices,
} from '@sotto/core'
import t, { type Test } from 'tap'
import { readSettings } from '../src/config/settings.ts'
import {
  firstStartText,
  makeFirstAccount,
  noFirstStartTexts,
  ownerEmail,
  type FirstStart,
} from '../src/first-start.ts'
import { openInstallation } from '../src/installation.ts'

async function portsOf(t: Test): Promise<Ports> {
  const settings = readSettings({}, t.testdir())._unsafeUnwrap()
  const installation = (
    await openInstallation({ settings, onFatal: () => {}, log: () => {} })
  )._unsafeUnwrap()
  t.teardown(() => installation.close())
  return installation.ports
}

/** The same installation, so many seconds later. */
function later(ports: Ports, seconds: number): Ports {
  return { ...ports, clock: { nowMicros: () => ports.clock.nowMicros() + seconds * 1_000_000 } }
}

async function all<T, E>(slices: Slices<T, E>): Promise<T[]> {
  const entries: T[] = []
  for await (const slice of slices) entries.push(...slice._unsafeUnwrap())
  return entries
}

async function made(ports: Ports): Promise<FirstStart> {
  const start = (await makeFirstAccount(ports))._unsafeUnwrap()
  if (typeof start === 'string') throw new TypeError(`expected a first start, not ${start}`)
  return start
}

t.test('an empty installation gets an owner with a folder and a token that works', async (t) => {
  const ports = await portsOf(t)
  const { email, folderId, token } = await made(ports)
  t.equal(email, 'owner@localhost')
  const accounts = await all(listAccounts(ports))
  t.match(accounts, [{ email: 'owner@localhost', disabledAtMicros: undefined }])
  const accountId = accounts[0]?.id ?? ''
  t.match(await all(listFolders(ports, { accountId })), [{ id: folderId, label: 'Inbox' }])
  const caller = await authenticate(ports, { token })
  t.match(caller._unsafeUnwrap(), { accountId, scopes: ['read', 'write'] })
})

t.test('an installation with accounts is left alone', async (t) => {
  const ports = await portsOf(t)
  const { token } = await made(ports)
  t.ok((await authenticate(ports, { token })).isOk())
  // Writes are kept in their order, and a use is noted before this.
  const accountId = (await all(listAccounts(ports)))[0]?.id ?? ''
  t.ok((await createFolder(ports, { accountId, label: 'Second' })).isOk())
  t.equal((await makeFirstAccount(later(ports, 100)))._unsafeUnwrap(), 'not_first')
  const other = await portsOf(t)
  t.ok((await createAccount(other, { email: 'ann@example.org' })).isOk())
  t.equal((await makeFirstAccount(later(other, 100)))._unsafeUnwrap(), 'not_first', 'also without a token')
  t.equal((await all(listAccounts(other))).length, 1)
})

t.test('of several starts at once one makes everything', async (t) => {
  const ports = await portsOf(t)
  const starts = await Promise.all([1, 2, 3].map(() => makeFirstAccount(ports)))
  const outcomes = starts.map((start) => start._unsafeUnwrap())
  t.equal(outcomes.filter((outcome) => typeof outcome === 'object').length, 1)
  t.equal(outcomes.filter((outcome) => outcome === 'under_way').length, 2)
  const [owner, ...others] = await all(listAccounts(ports))
  t.strictSame(others, [])
  t.equal((await all(listFolders(ports, { accountId: owner?.id ?? '' }))).length, 1)
  t.equal((await all(listAccessTokens(ports, { accountId: owner?.id ?? '' }))).length, 1)
})

t.test('what a start that was killed left behind is completed a minute later', async (t) => {
  const ports = await portsOf(t)
  const owner = (await createAccount(ports, { email: ownerEmail }))._unsafeUnwrap()
  t.equal((await makeFirstAccount(later(ports, 30)))._unsafeUnwrap(), 'under_way')
  const folder = (await createFolder(ports, { accountId: owner.id, label: 'Inbox' }))._unsafeUnwrap()
  t.equal((await makeFirstAccount(later(ports, 30)))._unsafeUnwrap(), 'under_way')
  const start = await made(later(ports, 61))
  t.equal(start.folderId, folder.id, 'with the folder that is there')
  t.ok((await authenticate(ports, { token: start.token })).isOk())
})

t.test('a token that nobody has used may be lost: the next start makes none, but tells so', async (t) => {
  const ports = await portsOf(t)
  const { token } = await made(ports)
  t.equal((await makeFirstAccount(ports))._unsafeUnwrap(), 'unused')
  t.equal((await makeFirstAccount(later(ports, 100)))._unsafeUnwrap(), 'unused')
  t.match(noFirstStartTexts.unused, 'sotto token create --account owner@localhost')
  const accountId = (await all(listAccounts(ports)))[0]?.id ?? ''
  const id = (await all(listAccessTokens(ports, { accountId })))[0]?.id ?? ''
  t.ok((await revokeAccessToken(ports, { accountId, id })).isOk())
  t.equal((await makeFirstAccount(ports))._unsafeUnwrap(), 'not_first', 'a revoked one is not lost')
  t.ok((await authenticate(ports, { token })).isErr())
})

t.test('an owner who was disabled gets nothing', async (t) => {
  const ports = await portsOf(t)
  const owner = (await createAccount(ports, { email: ownerEmail }))._unsafeUnwrap()
  t.ok((await disableAccount(ports, { accountId: owner.id })).isOk())
  t.equal((await makeFirstAccount(later(ports, 100)))._unsafeUnwrap(), 'not_first')
})

t.test('a store that fails is the answer', async (t) => {
  const settings = readSettings({}, t.testdir())._unsafeUnwrap()
  const installation = (
    await openInstallation({ settings, onFatal: () => {}, log: () => {} })
  )._unsafeUnwrap()
  await installation.close()
  const start = await makeFirstAccount(installation.ports)
  t.match(start.isErr() && start.error, { code: 'storage_unavailable', reason: 'closed' })
})

t.test('what is told holds the token, the address and the folder', async (t) => {
  const start = { email: ownerEmail, folderId: 'f-1', folderLabel: 'Inbox', token: 'sotto_x' }
  const text = firstStartText(start, 'https://api.example.org')
  t.match(text, "curl -sS https://api.example.org/api/secret -H 'Authorization: Bearer sotto_x'")
  t.match(text, '"folder_id":"f-1"')
  for (const noun of ['account', 'folder', 'token']) t.match(text, `sotto ${noun} create`)
})
