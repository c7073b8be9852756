import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { StorageOpenError } from '@sotto/core'
import { createSamples, expectErr, expectOk } from '@sotto/test-kit'
import pg from 'pg'
import { after, test } from 'tap'
import { createPool, type Pool } from '../../src/connection/pool.ts'
import { postgresDriver } from '../../src/identity.ts'
import { migrate } from '../../src/tables/migrations.ts'
import { versions } from '../../src/tables/schema.ts'
import { besideTransaction } from '../support/blocking.ts'
import { openStorage } from '../support/databases.ts'
import { poolOptions } from '../support/raw.ts'
import { query, sharedServer } from '../support/server.ts'

const server = await sharedServer()
after(() => server.stop())

const opening = { onFatal: () => undefined, log: () => undefined }

async function refusalOf(url: string, create = true): Promise<StorageOpenError> {
  return expectErr(await postgresDriver({ url }).open({ ...opening, create }))
}

async function tablesIn(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
    )
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

test('eight processes that open an empty database at the same time make its tables once', async (t) => {
  const url = await server.newDatabase()
  const program = new URL('../support/opening-process.ts', import.meta.url).pathname
  const run = promisify(execFile)
  const printed = await Promise.all(
    Array.from({ length: 8 }, () => run(process.execPath, [program, url], { timeout: 60_000 })),
  )
  const ids = new Set(printed.map(({ stdout }) => stdout))
  t.same(ids.size, 1, [...ids].join())
  t.match([...ids][0], /^[0-9a-f]{64}$/)
})

test('many storages of one process that open an empty database at the same time make its tables once', async (t) => {
  const url = await server.newDatabase()
  const storages = await Promise.all(Array.from({ length: 12 }, () => openStorage(url)))
  const ids = new Set(storages.map(({ instanceId }) => Buffer.from(instanceId).toString('hex')))
  for (const storage of storages) await storage.close()
  t.same(ids.size, 1)
})

test('a storage that makes the first table at the same moment as another process opens all the same', async (t) => {
  const url = await server.newDatabase()
  const table = `CREATE TABLE sotto (one integer PRIMARY KEY, version bigint NOT NULL, readable_from bigint NOT NULL,
    instance_id bytea NOT NULL, swept_at bigint, incomplete boolean NOT NULL DEFAULT false, moved_to text)`
  const storage = await besideTransaction(url, [table], () => openStorage(url))
  expectOk(await storage.upkeep.canWrite())
  await storage.close()
  t.same(expectOk(await postgresDriver({ url }).hasData()), true)
})

test('a database that a newer version changed is refused, and stays as it is', async (t) => {
  const url = await server.newDatabase()
  await (await openStorage(url)).close()
  const known = versions.length
  await query(url, `UPDATE sotto SET version = ${known + 2}, readable_from = ${known + 1}`)
  t.match(await refusalOf(url), { code: 'database_newer', version: known + 2, known })
  await query(url, 'UPDATE sotto SET readable_from = 1')
  const storage = await openStorage(url)
  t.same(expectOk(await storage.accounts.page(undefined, 1)), [], 'one that this version can read is opened')
  await storage.close()
})

test('a database of another program is refused, and nothing is left behind in it', async (t) => {
  for (const table of ['secrets', 'accounts']) {
    const url = await server.newDatabase()
    await query(url, `CREATE TABLE ${table} (id integer)`)
    t.match(await refusalOf(url), { code: 'database_foreign' })
    t.same(await tablesIn(url), [table])
  }
})

test('a database in which another program has a table of the name of one of ours is refused', async (t) => {
  for (const table of ['sotto', 'quota']) {
    const url = await server.newDatabase()
    await query(url, `CREATE TABLE ${table} (id integer)`)
    t.match(await refusalOf(url), { code: 'database_foreign' })
    t.same(
      (await tablesIn(url)).filter((name) => name !== 'sotto' && name !== 'quota'),
      [],
    )
  }
})

test('an empty database is missing to a command that must not create it', async (t) => {
  const url = await server.newDatabase()
  t.match(await refusalOf(url, false), { code: 'database_missing' })
  t.same(await tablesIn(url), [])
  t.same(expectOk(await postgresDriver({ url }).hasData()), false)
})

test('a process that ended while it made the tables leaves a database that the next one completes', async (t) => {
  const url = await server.newDatabase()
  await (await openStorage(url)).close()
  const [, ...ours] = ['', ...(await tablesIn(url))]
  const others = ours.filter((name) => name !== 'sotto')
  await query(url, `DROP TABLE ${others.join(', ')}`)
  await query(url, 'UPDATE sotto SET version = 0')
  t.same(expectOk(await postgresDriver({ url }).hasData()), false)
  const storage = await openStorage(url)
  t.same(await tablesIn(url), ours)
  await storage.close()
})

test('a user who may not create tables is refused', async (t) => {
  const url = await server.newDatabase()
  await query(url, 'CREATE ROLE reader LOGIN')
  t.match(await refusalOf(url.replace('sotto@', 'reader@')), { code: 'database_not_writable' })
})

test('a migration waits for another one as long as for any statement, and then takes as long as its tables need', async (t) => {
  const url = await server.newDatabase()
  const pool = createPool({ ...poolOptions(url), onError: () => undefined })
  t.teardown(() => pool.close())
  const sent: string[] = []
  const timeout = { name: 'timeout', text: `SELECT current_setting('statement_timeout')` }
  const recording: Pool = {
    ...pool,
    withConnection: (work) =>
      pool.withConnection((connection) =>
        work({
          ...connection,
          async row(statement, values) {
            const [[before] = []] = await connection.rows<[string]>(timeout)
            sent.push(`${statement.name} ${before}`)
            return connection.row(statement, values)
          },
          async command(text, limitMillis) {
            if (text.startsWith('CREATE TABLE keys')) {
              const [[before] = []] = await connection.rows<[string]>(timeout)
              sent.push(`keys ${before} ${Number(limitMillis) > 60 * 60 * 1_000}`)
            }
            return connection.command(text, limitMillis)
          },
        }),
      ),
  }
  expectOk(await migrate(recording, { location: 'here', applicationName: 'sotto', create: true }))
  t.ok(sent.includes('meta_lock 10s'))
  t.ok(sent.includes('keys 0 true'))
  const [after] = await pool.withConnection((connection) => connection.rows(timeout))
  t.same(after, ['10s'])
})

test('an engine that cannot say how columns are stored gets its tables all the same', async (t) => {
  const tuningAs = async (text: string) => {
    const pool = createPool({ ...poolOptions(await server.newDatabase()), onError: () => undefined })
    t.teardown(() => pool.close())
    const other: Pool = {
      ...pool,
      withConnection: (work) =>
        pool.withConnection((connection) =>
          work({
            ...connection,
            command: (sent, limit) => connection.command(sent.includes('SET STORAGE') ? text : sent, limit),
          }),
        ),
    }
    return migrate(other, { location: 'here', applicationName: 'sotto', create: true })
  }
  t.match(expectOk(await tuningAs('ALTER TABLE secrets SET NOTHING')), { version: versions.length })
  await t.rejects(
    tuningAs('ALTER TABLE nothing ADD COLUMN id uuid'),
    /"nothing"/,
    'other faults are not hidden',
  )
})

test('a server of version 1, which knows no changes of email addresses, deletes an account that has one', async (t) => {
  const url = await server.newDatabase()
  const storage = await openStorage(url)
  t.teardown(() => storage.close())
  const make = createSamples(1)
  expectOk(
    await storage.keys.add({ kid: 1, checkValue: make.bytes(32), createdAtMicros: 0, isReadOnly: false }),
  )
  const account = make.account()
  expectOk(await storage.accounts.insert(account, [make.nameIndex()]))
  const digest = make.tokenDigest()
  expectOk(await storage.emailChanges.replace(make.emailChange(account.id), digest))
  await query(url, `DELETE FROM accounts WHERE id = '${account.id}'`)
  t.equal(expectOk(await storage.emailChanges.find(digest, 0)), undefined)
  t.equal(expectOk(await storage.emailChanges.eraseExpired(Number.MAX_SAFE_INTEGER, 10)), 1, 'it expires')
})
