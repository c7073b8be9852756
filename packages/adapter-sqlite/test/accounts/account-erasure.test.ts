import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import type { Database } from '../../src/database.ts'
import { open, temporaryDir, wrongIn } from '../support/helpers.ts'
import { addFolder } from '../support/rows.ts'

/** Two folders with 130 secrets and drafts each, long notes among them. */
async function addMany(database: Database) {
  const { make, folder } = await addFolder(database)
  const other = make.folder(folder.accountId)
  expectOk(await database.folders.insert(other))
  const inserted = Array.from({ length: 260 }, (_, at) => {
    const into = at % 2 === 0 ? folder : other
    const row = at % 3 === 0 ? make.draft(into) : make.secret(into, at)
    return database.secrets.insert(row, make.note(at % 20 === 0 ? 200_000 : 60))
  })
  for (const each of await Promise.all(inserted)) expectOk(each)
  return { make, folder, rows: 260 + 2 + 1 }
}

test('an account is erased in small transactions that let other writes through', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { folder, rows } = await addMany(database)
  t.equal(expectOk(await database.accounts.beginErasure(folder.accountId)), true)
  const file = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  const left = file.prepare<[], number>('SELECT count(*) FROM secrets').pluck()
  const state = { isDone: false }
  const erasing = database.accounts.eraseBegun(1_000).then((erased) => {
    state.isDone = true
    return expectOk(erased)
  })
  const seen: number[] = [left.get()!]
  while (!state.isDone) {
    expectOk(await database.upkeep.canWrite())
    seen.push(left.get()!)
  }
  t.equal(await erasing, rows)
  const most = Math.max(...seen.slice(1).map((count, at) => seen[at]! - count))
  t.ok(most <= 200, `another write waits for the erasure of ${most} rows at most`)
  for (const table of ['secrets', 'long_notes', 'folders', 'accounts'])
    t.equal(file.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), 0, table)
  file.close()
  t.same(await wrongIn(database), [])
  await database.close()
})

test('access tokens are absent immediately and erased in small transactions, more than one batch of them', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const { accountId } = folder
  const digest = make.tokenDigest()
  const tokens = Array.from({ length: 250 }, () => make.accessToken(accountId))
  const inserted = tokens.map((token, at) =>
    database.accessTokens.insert(token, at === 0 ? digest : make.tokenDigest()),
  )
  for (const each of await Promise.all(inserted)) expectOk(each)
  expectOk(await database.accounts.beginErasure(accountId))
  const file = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  const left = file.prepare<[], number>('SELECT count(*) FROM access_tokens').pluck()
  t.equal(left.get(), 250, 'not in one transaction')
  t.equal(expectOk(await database.accessTokens.findUsable(digest, noonMicros)), undefined)
  t.same(expectOk(await database.accessTokens.page(accountId, undefined, 10)), [])
  t.equal(expectOk(await database.accessTokens.revoke(accountId, tokens[0]!.id, noonMicros)), false)
  t.equal(expectOk(await database.accounts.eraseBegun(10)), 2, 'the folder and the account')
  t.equal(left.get(), 0)
  file.close()
  await database.close()
})

test('an erasure that was cut off continues where it ended', async (t) => {
  const dir = temporaryDir(t)
  const before = await open(dir)
  const { folder, rows } = await addMany(before)
  expectOk(await before.accounts.beginErasure(folder.accountId))
  t.equal(expectOk(await before.accounts.eraseBegun(7)), 7)
  await before.close()
  const after = await open(dir)
  t.equal(expectOk(await after.accounts.find(folder.accountId)), undefined)
  t.equal(expectOk(await after.accounts.eraseBegun(1_000)), rows - 7)
  t.equal(expectOk(await after.accounts.eraseBegun(1_000)), 0)
  await after.close()
})

test('nothing is added to an account whose erasure has begun, and rotation does not bring its name back', async (t) => {
  const database = await open(temporaryDir(t))
  const { make } = await addFolder(database)
  const [account, index] = [make.account(), make.nameIndex()]
  expectOk(await database.accounts.insert(account, [index]))
  expectOk(await database.accounts.beginErasure(account.id))
  const absent = { code: 'account_not_found' }
  const address = { accountId: account.id, address: make.tokenDigest(), atMicros: noonMicros }
  const invited = await database.invitations.replace(make.invitation(account.id), make.tokenDigest())
  t.same(expectErr(await database.folders.insert(make.folder(account.id))), absent)
  const token = make.accessToken(account.id)
  t.same(expectErr(await database.accessTokens.insert(token, make.tokenDigest())), absent)
  t.same(expectErr(invited), absent)
  t.same(expectErr(await database.signIns.rememberAddress(address, 10)), absent)

  const place = { column: 'account.name', accountId: account.id, rowId: account.id } as const
  const stored = { place, encrypted: account.name }
  t.equal(expectOk(await database.rewraps.replaceText(stored, make.encrypted(), index)), true)
  t.equal(expectOk(await database.accounts.findByName([index])), undefined)
  expectOk(await database.accounts.insert(make.account(), [index]))
  t.equal(expectOk(await database.accounts.eraseBegun(10)), 1)
  await database.close()
})
