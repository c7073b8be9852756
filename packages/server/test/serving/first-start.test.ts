import { createFullSotto } from '@sotto/identity'
import { expectErr, expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { defaultOwnerEmail as ownerEmail } from '../../src/config/settings-schema.ts'
import {
  firstStartText,
  makeFirstAccount,
  noFirstStartText,
  type FirstStart,
} from '../../src/serving/first-start.ts'
import type { Installation } from '../../src/installation/installation.ts'
import { entriesOf, openIn } from '../support/installation.ts'

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
  return { ports: laterPorts, sotto: createFullSotto({ ports: laterPorts, policy: sotto.policy }) }
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

// Promise (The owner's pages): The first start prints a one-time link, which signs its owner in
// Promise (The owner's pages): The first token is valid for 24 hours
t.test('the one-time link lets the owner choose a password, and the token lives for 24 hours', async (t) => {
  const parts = await installed(t)
  const { ports } = parts
  const { token, tokenExpiresAtMicros, invitationToken } = await made(parts)
  const seconds = Math.round((tokenExpiresAtMicros - ports.clock.nowMicros()) / 1_000_000)
  t.ok(Math.abs(seconds - 86_400) < 60, `${seconds} seconds`)
  t.ok((await later(parts, 86_300).sotto.authenticate({ token })).isOk())
  t.match(expectErr(await later(parts, 86_400).sotto.authenticate({ token })), { code: 'token_invalid' })
  const choose = (at: Parts) =>
    at.sotto.choosePassword({ token: invitationToken, password: 'four words in a row', address: '192.0.2.1' })
  t.match(expectErr(await choose(later(parts, 72 * 3_600))), { code: 'welcome_not_found' })
  expectOk(await choose(later(parts, 72 * 3_600 - 60)))
  t.match(expectErr(await choose(parts)), { code: 'welcome_not_found' }, 'it works once')
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

t.test('a setting names the first account', async (t) => {
  const parts = await installed(t)
  const start = expectOk(await makeFirstAccount(parts, 'ann@example.org'))
  t.match(start, { email: 'ann@example.org' })
  const found = expectOk(await parts.sotto.findAccount({ email: 'ann@example.org' }))
  t.equal(found.id, await ownerOf(parts))
  t.equal(expectOk(await makeFirstAccount(parts, 'ann@example.org')), 'unused')
  t.equal(
    expectOk(await makeFirstAccount(parts, 'bob@example.org')),
    'not_first',
    'a later start makes no other',
  )
})

t.test('of several simultaneous starts, one makes everything', async (t) => {
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

t.test('while nothing of a first start was used, a start makes nothing more but says how to', async (t) => {
  const parts = await installed(t)
  const { sotto } = parts
  const { token } = await made(parts)
  t.equal(expectOk(await makeFirstAccount(parts)), 'unused')
  t.equal(expectOk(await makeFirstAccount(later(parts, 100))), 'unused')
  t.equal(
    expectOk(await makeFirstAccount(later(parts, 100_000))),
    'unused',
    'also when the token has expired',
  )
  t.match(noFirstStartText('unused', ownerEmail), ' token create --account owner@localhost')
  t.match(noFirstStartText('unused', ownerEmail), ' account invite --email owner@localhost')
  const accountId = await ownerOf(parts)
  const id = (await entriesOf(sotto.listAccessTokens({ accountId })))[0]?.id ?? ''
  expectOk(await sotto.revokeAccessToken({ accountId, id }))
  t.equal(expectOk(await makeFirstAccount(parts)), 'not_first', 'a revoked token is not lost')
  t.ok((await sotto.authenticate({ token })).isErr())
})

t.test('an owner who has chosen a password has seen what the first start printed', async (t) => {
  const parts = await installed(t)
  const { invitationToken: token } = await made(parts)
  const chosen = { token, password: 'four words in a row', address: '192.0.2.1' }
  expectOk(await parts.sotto.choosePassword(chosen))
  t.equal(expectOk(await makeFirstAccount(parts)), 'not_first')
})

t.test('an owner with a password and without tokens is in use: a start makes nothing', async (t) => {
  const parts = await installed(t)
  const { token } = expectOk(await parts.sotto.inviteAccount({ email: ownerEmail }))
  expectOk(await parts.sotto.choosePassword({ token, password: 'four words in a row', address: '192.0.2.1' }))
  t.equal(expectOk(await makeFirstAccount(later(parts, 100))), 'not_first')
  t.strictSame(await entriesOf(parts.sotto.listAccessTokens({ accountId: await ownerOf(parts) })), [])
})

t.test(
  'a start leaves the one-time link of an owner without a password alone, until it expires',
  async (t) => {
    const parts = await installed(t)
    const { token } = expectOk(await parts.sotto.inviteAccount({ email: ownerEmail }))
    t.equal(expectOk(await makeFirstAccount(later(parts, 100))), 'unused')
    t.strictSame(await entriesOf(parts.sotto.listAccessTokens({ accountId: await ownerOf(parts) })), [])
    t.ok((await parts.sotto.previewInvitation({ token })).isOk(), 'the link works')
    t.not((await made(later(parts, 72 * 3_600))).invitationToken, token)
  },
)

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

t.test(
  'the printed text has the one-time link, the token and when it expires, and a request to paste',
  async (t) => {
    const names = { email: ownerEmail, folderId: 'f-1', folderLabel: 'Inbox' }
    const start = { ...names, token: 'sotto_x', tokenExpiresAtMicros: 0, invitationToken: 'w-1' }
    const text = firstStartText(start, 'https://api.example.org')
    t.match(text, '\n  https://api.example.org/welcome/w-1\n')
    t.match(text, /expires in 24 hours, at\s1970-01-01T00:00:00\.000000Z:\n\n {2}sotto_x\n/)
    t.match(text, "curl -sS https://api.example.org/api/secret -H 'Authorization: Bearer sotto_x'")
    t.match(text, '"folder_id":"f-1"')
    for (const command of ['account invite', 'folder create', 'token create'])
      t.match(text, `\n  npm run --silent sotto -- ${command}`)
  },
)
