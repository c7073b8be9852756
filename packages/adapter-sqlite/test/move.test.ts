import { compareRows, copyRows, noAttempts, type OpenStorage, type StorageDriver } from '@sotto/core'
import { createMemoryDriver, createSamples, expectOk } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import { test } from 'tap'
import { sqliteDriver } from '../src/index.ts'
import { temporaryDir } from './support/helpers.ts'

const options = { onFatal: () => undefined, log: () => undefined }

/** Rows whose optional values are missing, and rows that have them. */
async function fill({ keys, accounts, folders, accessTokens, secrets, links, signIns }: OpenStorage) {
  const make = createSamples(1)
  expectOk(await keys.add({ kid: 1, checkValue: make.bytes(32), createdAtMicros: 1 }))
  const account = make.account()
  expectOk(await accounts.insert(account, [make.nameIndex()]))
  const folder = make.folder(account.id)
  expectOk(await folders.insert(folder))
  expectOk(await accessTokens.insert(make.accessToken(account.id), make.tokenDigest()))
  const [plain, locked] = [make.secret(folder), make.secret(folder)]
  for (const secret of [plain, locked]) expectOk(await secrets.insert(secret, make.note()))
  const attempts = { ...noAttempts, wrongAtMicros: [5], wrongTotal: 1 }
  expectOk(await links.update(locked.link.lookup, undefined, () => ok({ attempts })))
  const bucket = { attempts: noAttempts, eraseAtMicros: 9 }
  expectOk(await signIns.update([make.bytes(32)], () => ok({ buckets: [bucket] })))
  return { accountId: account.id, secretIds: [plain.id, locked.id] }
}

/** Copies every row and compares all of them. */
async function move(from: StorageDriver, to: StorageDriver): Promise<void> {
  const source = expectOk(await from.openMoveSource({ to: to.location }))
  const { instanceId, sweptAtMicros } = source
  const target = expectOk(await to.openMoveTarget({ instanceId, sweptAtMicros, create: true }))
  expectOk(await copyRows(source, target))
  const counts = expectOk(await compareRows(source, target))
  for (const [table, rows] of [
    ['keys', 1],
    ['access_tokens', 1],
    ['secrets', 2],
    ['sign_in_attempts', 1],
  ] as const) {
    if (counts[table] !== rows) throw new Error(`${counts[table]} rows of ${table}`)
  }
  expectOk(await target.finish())
  await Promise.all([source.close(), target.close()])
}

// The driver's contract moves rows between storages of one kind, which understand whatever spelling they use.
test('rows survive a move to a storage of another kind, and back', async (t) => {
  const dir = temporaryDir(t)
  const [first, memory, second] = [
    sqliteDriver({ dataDir: `${dir}/first` }),
    createMemoryDriver(),
    sqliteDriver({ dataDir: `${dir}/second` }),
  ]
  expectOk(await first.prepare())
  const storage = expectOk(await first.open(options))
  const { secretIds, accountId } = await fill(storage)
  const before = expectOk(await storage.secrets.activity(accountId, secretIds))
  const tokens = expectOk(await storage.accessTokens.page(accountId, undefined, 10))
  await storage.close()

  await move(first, memory)
  await move(memory, second)

  const moved = expectOk(await second.open(options))
  t.strictSame(expectOk(await moved.secrets.activity(accountId, secretIds)), before)
  t.same(expectOk(await moved.accessTokens.page(accountId, undefined, 10)), tokens)
  await moved.close()
})
