import { type FullOpenStorage } from '@sotto/identity'
import { lastUseEveryMicros } from '@sotto/core'
import type { Uuid } from '@sotto/core'
import { expectOk, noonMicros } from '@sotto/test-kit'
import { after, test } from 'tap'
import { createDatabase, type Database } from '../../src/connection/database.ts'
import { createPool } from '../../src/connection/pool.ts'
import { readUrl } from '../../src/connection/url.ts'
import { createRecordUse } from '../../src/shared/record-use.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { addSampleFolder } from '../support/sample-folder.ts'

const databases = await startDatabases()
after(() => databases.stop())

/** A database with `count` access tokens of one account, and what counts the reads and writes of the function under test. */
async function withTokens(count: number) {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  const { make, folder } = await addSampleFolder(storage)
  const tokens = Array.from({ length: count }, () => make.accessToken(folder.accountId))
  for (const token of tokens) expectOk(await storage.accessTokens.insert(token, make.tokenDigest()))
  const options = { connectionsMax: 2, pipeline: true, prepare: true, onError: () => undefined }
  const db = createDatabase(createPool({ url: expectOk(readUrl(url)), ...options }))
  const calls: string[] = []
  const counted: Database = {
    ...db,
    read: (work) => (calls.push('read'), db.read(work)),
    statement: (...given) => (calls.push('statement'), db.statement(...given)),
  }
  return {
    ids: tokens.map(({ id }) => id),
    calls,
    make,
    db: counted,
    usesNow: () => usesIn(storage, folder.accountId),
    async close() {
      await db.close()
      await storage.close()
      giveBack()
    },
  }
}

async function usesIn(
  { accessTokens }: FullOpenStorage,
  accountId: Uuid,
): Promise<readonly (number | undefined)[]> {
  const tokens = expectOk(await accessTokens.page(accountId, undefined, 100))
  return tokens.map(({ lastUsedAtMicros }) => lastUsedAtMicros)
}

/** Asks until the uses are those: they are written in the background. */
async function until(uses: () => Promise<readonly unknown[]>, expected: readonly unknown[]): Promise<void> {
  while (JSON.stringify(await uses()) !== JSON.stringify(expected));
}

test('simultaneous uses of many tokens cost one read and one write', async (t) => {
  const { ids, calls, db, usesNow, close } = await withTokens(30)
  t.teardown(close)
  const recordUse = createRecordUse(db, 'access_tokens')
  for (const id of [...ids, ...ids]) recordUse(id, noonMicros)
  await until(
    usesNow,
    ids.map(() => noonMicros),
  )
  t.same(calls, ['read', 'statement'])
})

test('a use within a minute of the recorded one costs no write, also when another process recorded that', async (t) => {
  const { ids, calls, db, make, usesNow, close } = await withTokens(1)
  t.teardown(close)
  const [id = make.uuid()] = ids
  const [mine, theirs] = [createRecordUse(db, 'access_tokens'), createRecordUse(db, 'access_tokens')]
  mine(id, noonMicros)
  await until(usesNow, [noonMicros])
  mine(id, noonMicros + lastUseEveryMicros - 1)
  theirs(id, noonMicros + lastUseEveryMicros - 1)
  theirs(id, noonMicros + 2 * lastUseEveryMicros)
  await until(usesNow, [noonMicros + 2 * lastUseEveryMicros])
  t.same(calls.filter((call) => call === 'statement').length, 2)
})

test('a use that another process records between the read and the write stays', async (t) => {
  const { ids, db, usesNow, close } = await withTokens(1)
  t.teardown(close)
  const theirs = createRecordUse(db, 'access_tokens')
  const written = Promise.withResolvers<undefined>()
  const mine = createRecordUse(
    {
      ...db,
      statement: (...given) =>
        db
          .read(async () => {
            for (const id of ids) theirs(id, noonMicros + lastUseEveryMicros)
            await until(usesNow, [noonMicros + lastUseEveryMicros])
          })
          .andThen(() => db.statement(...given))
          .andTee(() => written.resolve(undefined)),
    },
    'access_tokens',
  )
  for (const id of ids) mine(id, noonMicros)
  await written.promise
  t.same(await usesNow(), [noonMicros + lastUseEveryMicros])
})

test('uses are dropped once the database is closed', async (t) => {
  const { ids, db, usesNow, close } = await withTokens(2)
  t.teardown(close)
  const recordUse = createRecordUse(db, 'access_tokens')
  await (db as Database & { close(): Promise<void> }).close()
  for (const id of ids) recordUse(id, noonMicros)
  t.same(await usesNow(), [undefined, undefined])
})
