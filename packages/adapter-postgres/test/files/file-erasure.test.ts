import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock, expectOk, noonMicros } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import { after, test } from 'tap'
import { createFileStore } from '../../src/files/file-store.ts'
import { startDatabases } from '../support/databases.ts'
import { openDatabase } from '../support/raw.ts'
import { query, rowsOf } from '../support/server.ts'

const databases = await startDatabases()
after(() => databases.stop())

const id = '0192f3c4-0000-7000-8000-000000000001'

/** How many of these bytes any file of the database's tables has. */
async function countIn(url: string, needles: readonly Buffer[]): Promise<number> {
  await query(url, 'CHECKPOINT')
  const [[directory, database] = []] = await rowsOf(
    url,
    `SELECT current_setting('data_directory'), oid::text FROM pg_database WHERE datname = current_database()`,
  )
  const tables = join(String(directory), 'base', String(database))
  const contents = readdirSync(tables).map((name) => readFileSync(join(tables, name)))
  return needles.filter((needle) => contents.some((bytes) => bytes.includes(needle))).length
}

// Promise (Files): On PostgreSQL a content that was dropped is in no file of the tables once they were vacuumed
test('a content that was dropped is in no file of the tables after a vacuum', async (t) => {
  const { url, giveBack } = await databases.take()
  const db = openDatabase(url, { connectionsMax: 1 })
  t.teardown(async () => {
    await db.close()
    giveBack()
  })
  const files = createFileStore(db, createManualClock(noonMicros))
  const content = randomBytes(600_000)
  async function* pieces() {
    yield await Promise.resolve(ok(content))
  }
  const needles = Array.from({ length: 100 }, (_, at) => content.subarray(at * 6_000, at * 6_000 + 32))
  expectOk(await files.append(id, pieces()))
  const before = await countIn(url, needles)
  t.ok(before > 90, `${before} of 100 parts are found`)
  expectOk(await files.drop(id))
  t.equal(await countIn(url, needles), before, 'until the vacuum they stay')
  await query(url, 'VACUUM file_chunks')
  t.equal(await countIn(url, needles), 0)
})
