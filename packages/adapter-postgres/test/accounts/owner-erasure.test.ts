import type { FullOpenStorage } from '@sotto/identity'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import pg from 'pg'
import { after, test, type Test } from 'tap'
import { openStorage, startDatabases } from '../support/databases.ts'
import { addSampleFolder } from '../support/sample-folder.ts'
import { query } from '../support/server.ts'

const databases = await startDatabases()
after(() => databases.stop())

async function open(t: Test): Promise<{ url: string; storage: FullOpenStorage }> {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  t.teardown(async () => {
    await storage.close()
    giveBack()
  })
  return { url, storage }
}

async function countIn(url: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`)
    return Number(rows[0]?.count)
  } finally {
    await client.end()
  }
}

test('an account with more of everything than one transaction erases is erased with all of it', async (t) => {
  const { url, storage } = await open(t)
  const { make, folder } = await addSampleFolder(storage)
  const { accountId } = folder
  const folders = Array.from({ length: 120 }, () => make.folder(accountId))
  const secrets = Array.from({ length: 230 }, () => make.secret(folder))
  const tokens = Array.from({ length: 120 }, () => make.accessToken(accountId))
  await Promise.all([
    ...folders.map((each) => storage.folders.insert(each)),
    ...secrets.map((each) => storage.secrets.insert(each, make.note())),
    ...tokens.map((each) => storage.accessTokens.insert(each, make.tokenDigest())),
  ])
  await query(
    url,
    `INSERT INTO opened_forms (secret_id, form_id) SELECT '${secrets[0]?.id}', gen_random_uuid() FROM generate_series(1, 10001)`,
  )
  expectOk(await storage.accounts.beginErasure(accountId))
  t.same(expectOk(await storage.accounts.eraseBegun(1_000)), 230 + 121 + 1)
  for (const table of ['accounts', 'folders', 'secrets', 'opened_forms', 'access_tokens'])
    t.same(await countIn(url, table), 0, table)
})

test('deliveries, targets and remembered requests that were added beside the beginning of an erasure go with the account', async (t) => {
  const { url, storage } = await open(t)
  const { make, folder } = await addSampleFolder(storage)
  const { accountId } = folder
  expectOk(await storage.accounts.beginErasure(accountId))
  await query(
    url,
    `INSERT INTO targets (kind, id, account_id) VALUES ('mail', '${accountId}', '${accountId}')`,
  )
  const bytes = `decode(repeat('07', 32), 'hex')`
  await query(
    url,
    `INSERT INTO idempotency_keys (account_id, key, request, secret_id, claimed_at)
     VALUES ('${accountId}', substring(${bytes} FROM 1 FOR 16), ${bytes}, '${make.uuid()}', 1)`,
  )
  t.same(expectOk(await storage.accounts.eraseBegun(10)), 2)
  for (const table of ['accounts', 'targets', 'idempotency_keys']) t.same(await countIn(url, table), 0, table)
})

test('a folder with more expired secrets than one transaction erases is erased with them', async (t) => {
  const { url, storage } = await open(t)
  const { make, folder } = await addSampleFolder(storage)
  const secrets = Array.from({ length: 210 }, () => make.secret(folder, 1))
  await Promise.all(secrets.map((secret) => storage.secrets.insert(secret, make.note())))
  const { accountId, id } = folder
  const expiry = secrets[0]?.link.expiresAtMicros ?? 0
  expectErr(await storage.folders.erase(accountId, id, expiry - 1), 'folder_not_empty')
  t.same(await countIn(url, 'secrets'), 210)
  t.same(expectOk(await storage.folders.erase(accountId, id, noonMicros)), true)
  t.same(await countIn(url, 'secrets'), 0)
  t.same(expectOk(await storage.folders.owns(accountId, id)), false)
})
