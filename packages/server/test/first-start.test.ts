import { createSotto } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import {
  firstStartText,
  makeFirstAccount,
  noFirstStartTexts,
  ownerEmail,
  type FirstStart,
} from '../src/first-start.ts'
import type { Installation } from '../src/installation.ts'
import { entriesOf, openIn } from './support/installation.ts'

type Parts = Pick<Installation, 'sotto' | 'ports'>

async function installed(t: Test): Promise<Parts> {
  const installation = await openIn(t.testdir())
  t.teardown(() => installation.close())
  return installation
}

/** The same installation, some seconds later. */
function later({ sotto, ports: { clock, ...ports } }: Parts, seconds: number): Parts {
  const laterClock = { nowMicros: () => clock.nowMicros() + seconds * 1_000_000 }
  const laterPorts = { ...ports, clock: laterClock }
  return { ports: laterPorts, sotto: createSotto({ ports: laterPorts, policy: sotto.policy }) }
}

async function made(parts: Parts): Promise<FirstStart> {
  const start = expectOk(await makeFirstAccount(parts))
  if (typeof start === 'string') throw new TypeError(`expected a first start, not ${start}`)
  return start
}

/** The only account. */
async function ownerOf({ sotto }: Parts): Promise<string> {
  const [owner, ...others] = await entriesOf(sotto.listAccounts())
  if (owner === undefined || others.length > 0) throw new TypeError('expected one account')
  return owner.id
}

t.test('an empty installation gets an owner with a folder and a token that works', async (t) => {
  const parts = await installed(t)
  const { sotto } = parts
  const { email, folderId, token } = await made(parts)
  t.equal(email, 'owner@localhost')
  const accounts = await entriesOf(sotto.listAccounts())
  t.match(accounts, [{ email: 'owner@localhost', disabledAtMicros: undefined }])
  const accountId = accounts[0]?.id ?? ''
  t.match(await entriesOf(sotto.listFolders({ accountId })), [{ id: folderId, label: 'Inbox' }])
  t.match(expectOk(await sotto.authenticate({ token })), { accountId, scopes: ['read', 'write'] })
})

t.test('an installation with accounts is not changed', async (t) => {
  const parts = await installed(t)
  const { sotto } = parts
  const { token } = await made(parts)
  expectOk(await sotto.authenticate({ token }))
  // Writes are done in their order, so after this one the use of the token is recorded.
  expectOk(await sotto.createFolder({ accountId: await ownerOf(parts), label: 'Second' }))
  t.equal(expectOk(await makeFirstAccount(later(parts, 100))), 'not_first')
  const other = await installed(t)
  expectOk(await other.sotto.createAccount({ email: 'ann@example.org' }))
  t.equal(expectOk(await makeFirstAccount(later(other, 100))), 'not_first', 'also without a token')
  t.equal((await entriesOf(other.sotto.listAccounts())).length, 1)
})

t.test('of several starts at once, one makes everything', async (t) => {
  const parts = await installed(t)
  const { sotto } = parts
  const starts = await Promise.all([1, 2, 3].map(() => makeFirstAccount(parts)))
  const outcomes = starts.map((start) => expectOk(start))
  t.equal(outcomes.filter((outcome) => typeof outcome === 'object').length, 1)
  t.equal(outcomes.filter((outcome) => outcome === 'under_way').length, 2)
  const accountId = await ownerOf(parts)
  t.equal((await entriesOf(sotto.listFolders({ accountId }))).length, 1)
  t.equal((await entriesOf(sotto.listAccessTokens({ accountId }))).length, 1)
})

t.test('what a killed start left incomplete is completed a minute later', async (t) => {
  const parts = await installed(t)
  const { sotto } = parts
  const owner = expectOk(await sotto.createAccount({ email: ownerEmail }))
  t.equal(expectOk(await makeFirstAccount(later(parts, 30))), 'under_way')
  const folder = expectOk(await sotto.createFolder({ accountId: owner.id, label: 'Inbox' }))
  t.equal(expectOk(await makeFirstAccount(later(parts, 30))), 'under_way')
  const start = await made(later(parts, 61))
  t.equal(start.folderId, folder.id, 'with the existing folder')
  t.ok((await sotto.authenticate({ token: start.token })).isOk())
})

t.test('while the first token is unused, a start makes no other one but says how to', async (t) => {
  const parts = await installed(t)
  const { sotto } = parts
  const { token } = await made(parts)
  t.equal(expectOk(await makeFirstAccount(parts)), 'unused')
  t.equal(expectOk(await makeFirstAccount(later(parts, 100))), 'unused')
  t.match(noFirstStartTexts.unused, 'sotto token create --account owner@localhost')
  const accountId = await ownerOf(parts)
  const id = (await entriesOf(sotto.listAccessTokens({ accountId })))[0]?.id ?? ''
  expectOk(await sotto.revokeAccessToken({ accountId, id }))
  t.equal(expectOk(await makeFirstAccount(parts)), 'not_first', 'a revoked token is not lost')
  t.ok((await sotto.authenticate({ token })).isErr())
})

t.test('a disabled owner gets nothing', async (t) => {
  const parts = await installed(t)
  const owner = expectOk(await parts.sotto.createAccount({ email: ownerEmail }))
  expectOk(await parts.sotto.disableAccount({ accountId: owner.id }))
  t.equal(expectOk(await makeFirstAccount(later(parts, 100))), 'not_first')
})

t.test('an account that an embedding application made is no owner', async (t) => {
  const parts = await installed(t)
  expectOk(await parts.sotto.ensureAccount({ externalId: ownerEmail }))
  t.equal(expectOk(await makeFirstAccount(later(parts, 100))), 'not_first')
})

t.test('an error of the storage is passed on', async (t) => {
  const installation = await openIn(t.testdir())
  await installation.close()
  const error = expectErr(await makeFirstAccount(installation))
  t.match(error, { code: 'storage_unavailable', reason: 'closed' })
})

t.test('the printed text contains the token, the address and the folder', async (t) => {
  const start = { email: ownerEmail, folderId: 'f-1', folderLabel: 'Inbox', token: 'sotto_x' }
  const text = firstStartText(start, 'https://api.example.org')
  t.match(text, "curl -sS https://api.example.org/api/secret -H 'Authorization: Bearer sotto_x'")
  t.match(text, '"folder_id":"f-1"')
  for (const noun of ['account', 'folder', 'token']) t.match(text, `sotto ${noun} create`)
})
