import { createSamples, expectErr, expectOk } from '@sotto/test-kit'
import type { StoredFolder, StoredShareableSecret } from '@sotto/core'
import pg from 'pg'
import { after, test } from 'tap'
import { createInsertSecret } from '../../src/secrets/insert-secret.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { startProxy } from '../support/proxy.ts'
import { createRecorder } from '../support/recorder.ts'
import { addSampleFolder } from '../support/sample-folder.ts'

const databases = await startDatabases()
after(() => databases.stop())

test('secrets that arrive together are added by few statements, each of a size that the server has a plan for', async (t) => {
  const make = createSamples(1)
  const folder = make.folder(make.uuid())
  for (const [count, names] of [
    [1, ['secrets_insert_1']],
    [13, ['secrets_insert_13']],
    [37, ['secrets_insert_32', 'secrets_insert_5']],
    [128, ['secrets_insert_64', 'secrets_insert_64']],
  ] as const) {
    const { db, statements } = createRecorder()
    const insert = createInsertSecret(db)
    const secrets = Array.from({ length: count }, () => make.secret(folder))
    await Promise.all(secrets.map((secret) => insert(secret, make.note())))
    t.same(
      statements.map(({ name }) => name),
      names,
      `${count} secrets`,
    )
  }
})

test('each statement says how many secrets it adds, for measurements', async (t) => {
  const make = createSamples(1)
  const folder = make.folder(make.uuid())
  const { db } = createRecorder()
  const writes: unknown[] = []
  const insert = createInsertSecret({
    ...db,
    statement(work, options) {
      writes.push(options?.askedMillis?.length)
      return db.statement(work, options)
    },
  })
  await Promise.all(Array.from({ length: 37 }, () => insert(make.secret(folder), make.note())))
  t.same(writes, [32, 5])
})

test('of 64 secrets that arrive together and one of which is refused, all others are stored', async (t) => {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  const { make, folder } = await addSampleFolder(storage)
  const elsewhere = make.folder(folder.accountId)
  const inserts = Array.from({ length: 64 }, (_, at) => make.secret(at === 37 ? elsewhere : folder))
  const results = await Promise.all(inserts.map((secret) => storage.secrets.insert(secret, make.note())))
  for (const [at, result] of results.entries()) {
    if (at === 37) t.match(expectErr(result, 'folder_not_found'), { code: 'folder_not_found' })
    else t.ok(result.isOk(), `insert ${at}`)
  }
  t.same((await storedIds(url)).length, 63)
  await storage.close()
  giveBack()
})

test('each refused secret of a batch has its own reason', async (t) => {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  const { make, folder } = await addSampleFolder(storage)
  const first = make.secret(folder)
  const rows = [
    first,
    make.secret(make.folder(folder.accountId)),
    make.secret(folder, 1, { kid: 8 }),
    make.secret(folder, 1, { id: first.id }),
    make.secret(folder),
  ]
  const results = await Promise.all(rows.map((secret) => storage.secrets.insert(secret, make.note())))
  const codes = results.map((result) => (result.isOk() ? 'ok' : result.error.code))
  t.same(codes, ['ok', 'folder_not_found', 'key_retired', 'storage_failed', 'ok'])
  await storage.close()
  giveBack()
})

test('secrets that two processes add to a folder while it is erased are stored in it, or refused', async (t) => {
  const { url, giveBack } = await databases.take()
  const storages = [await openStorage(url), await openStorage(url)] as const
  const { make, folder } = await addSampleFolder(storages[0])
  let acknowledged = 0
  const insert = ({ secrets }: (typeof storages)[number]) => secrets.insert(make.secret(folder), make.note())
  const insertUntilRefused = async (storage: (typeof storages)[number]): Promise<void> => {
    for (;;) {
      const result = await insert(storage)
      if (result.isErr()) return void expectErr(result, 'folder_not_found')
      acknowledged += 1
    }
  }
  expectOk(await insert(storages[0]), 'while the folder is there')
  const writers = storages.flatMap((storage) => Array.from({ length: 6 }, () => insertUntilRefused(storage)))
  const erased = await eraseFolder(url, folder)
  await Promise.all(writers)
  for (const storage of storages) expectErr(await insert(storage), 'folder_not_found')
  t.same(await storedIds(url), [], 'nothing is left in the folder')
  t.same(erased, 1 + acknowledged, 'what was erased is what was acknowledged')
  for (const storage of storages) await storage.close()
  giveBack()
})

for (const how of ['cut before', 'cut after'] as const) {
  test(`secrets whose connection was ${how} the server's answer are answered outcome_unknown`, async (t) => {
    const { url, giveBack } = await databases.take()
    const proxy = await startProxy(url)
    const storage = await openStorage(proxy.url)
    const { make, folder } = await addSampleFolder(storage)
    const secrets = Array.from({ length: 8 }, () => make.secret(folder))
    const interrupted = proxy.interruptNext('secrets_insert_8', how)
    const results = await Promise.all(secrets.map((secret) => storage.secrets.insert(secret, make.note())))
    await interrupted
    for (const result of results) {
      t.match(expectErr(result, 'storage_unavailable'), { reason: 'outcome_unknown' })
    }
    const ids = secrets.map(({ id }) => id)
    t.same(await storedIds(url), how === 'cut after' ? ids : [], 'all of the batch is stored, or none')
    expectOk(await storage.secrets.insert(make.secret(folder), make.note()), 'on another connection')
    await storage.close()
    await proxy.close()
    giveBack()
  })
}

test('no secret that was answered with Ok is missing, however often connections break', async (t) => {
  const { url, giveBack } = await databases.take()
  const proxy = await startProxy(url)
  const storage = await openStorage(proxy.url)
  const { make, folder } = await addSampleFolder(storage)
  const acknowledged: string[] = []
  const add = async (secret: StoredShareableSecret): Promise<void> => {
    const result = await storage.secrets.insert(secret, make.note())
    if (result.isOk()) acknowledged.push(secret.id)
    else t.match(expectErr(result, 'storage_unavailable'), { reason: 'outcome_unknown' })
  }
  for (let round = 0; round < 24; round += 1) {
    const interrupted = proxy.interruptNext(
      `secrets_insert_${[16, 3][round % 2]}`,
      round % 4 < 2 ? 'cut before' : 'cut after',
    )
    await Promise.all(Array.from({ length: 19 }, () => add(make.secret(folder))))
    await interrupted
  }
  const stored = new Set(await storedIds(url))
  t.ok(acknowledged.length >= 24 * 3, 'those on other connections were acknowledged')
  t.same(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  )
  await storage.close()
  await proxy.close()
  giveBack()
})

/** The ids of all secrets, in the order in which samples are made. */
async function storedIds(url: string): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM secrets ORDER BY id')
    return rows.map(({ id }) => id)
  })
}

/** Erases a folder with its secrets, as another process would: again while secrets are added between the two statements. How many it erased. */
async function eraseFolder(url: string, { id }: StoredFolder): Promise<number> {
  return withClient(url, async (client) => {
    for (let secrets = 0; ;) {
      secrets += (await client.query('DELETE FROM secrets WHERE folder_id = $1', [id])).rowCount ?? 0
      try {
        await client.query('DELETE FROM folders WHERE id = $1', [id])
        return secrets
      } catch (error) {
        if (!(error instanceof pg.DatabaseError && error.code === '23503')) throw error
      }
    }
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
