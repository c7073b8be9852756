import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import { after, test, type Test } from 'tap'
import type { Database } from '../src/connection/database.ts'
import { createQuickDatabase } from '../src/connection/quick-commits.ts'
import { postgresDriver } from '../src/identity.ts'
import { isInUse, nameOfServer } from '../src/tables/servers.ts'
import { openStorage } from './support/databases.ts'
import { skip, startPgBouncer } from './support/pgbouncer.ts'
import { openDatabase, poolOptions } from './support/raw.ts'
import { addSampleFolder } from './support/sample-folder.ts'
import { query, sharedServer } from './support/server.ts'

const server = await sharedServer()
after(() => server.stop())

/** The settings that docs/postgresql.md has for PgBouncer. */
const documented = { ignore_startup_parameters: 'statement_timeout, idle_in_transaction_session_timeout' }

/** A database whose sessions do not wait for the disk, by way of PgBouncer with a single connection to it. */
async function lowDatabase(t: Test): Promise<string> {
  const url = await server.newDatabase()
  const name = new URL(url).pathname.slice(1)
  await query(server.urlOf('postgres'), `ALTER DATABASE ${name} SET synchronous_commit = off`)
  return startPgBouncer(t, url, { ...documented, default_pool_size: '1' })
}

const level = { name: 'level', text: `SELECT current_setting('synchronous_commit')` }
const written = async (db: Database) =>
  expectOk(await db.statement(async (sql) => ok((await sql.row<[string]>(level))?.[0])))
const inTransaction = async (db: Database) =>
  expectOk(await db.transaction(async (sql) => ok((await sql.row<[string]>(level))?.[0])))
const left = async (db: Database) =>
  expectOk(await db.read(async (sql) => (await sql.row<[string]>(level))?.[0]))

// Promise (On PostgreSQL): What is acknowledged is on the disk, whatever the server's synchronous_commit is: behind a pooler, too
test(
  'behind PgBouncer each transaction that writes waits for the disk, and hands nothing on',
  { skip },
  async (t) => {
    const url = await lowDatabase(t)
    for (const options of [{}, { prepare: false }, { prepare: false, pipeline: false }]) {
      const data = openDatabase(url, options)
      const quick = createQuickDatabase({ ...poolOptions(url, options), onError: () => undefined })
      t.equal(await written(data), 'on')
      t.equal(await inTransaction(data), 'on')
      t.equal(await written(quick), 'off', 'those of the quota')
      t.equal(await left(data), 'off', 'what the next client gets is what the server has')
      await Promise.all([data.close(), quick.close()])
    }
  },
)

// Promise (On PostgreSQL): Behind PgBouncer in transaction mode nothing has to be set but what it refuses
test(
  'a storage works behind PgBouncer in transaction mode, with many calls at the same time',
  { skip },
  async (t) => {
    const url = await startPgBouncer(t, await server.newDatabase(), { ...documented, default_pool_size: '2' })
    const storage = await openStorage(url)
    t.teardown(() => storage.close())
    const { make, folder } = await addSampleFolder(storage)
    const calls = Array.from({ length: 60 }, async () => {
      const secret = make.secret(folder)
      expectOk(await storage.secrets.insert(secret, make.note()))
      expectOk(await storage.quota.take('account', noonMicros, { perMinute: 99, perDay: 99 }))
      t.ok(expectOk(await storage.secrets.find(folder.accountId, secret.id, noonMicros)))
    })
    await Promise.all(calls)
    expectOk(await storage.upkeep.canWrite())
  },
)

test('a move tells connections that PgBouncer keeps from a server at work', { skip }, async (t) => {
  const url = await server.newDatabase()
  const pooled = await startPgBouncer(t, url, documented)
  const { applicationName } = poolOptions(url).url
  const named = { ...poolOptions(pooled).url, applicationName: nameOfServer(applicationName, 1) }
  const at = openDatabase(pooled, { url: named })
  const own = openDatabase(url)
  t.teardown(() => own.close())
  const inUse = async (afterMillis?: number) =>
    expectOk(await own.read((sql) => isInUse(sql, applicationName, afterMillis)))

  const whileAtWork = await at.transaction(async (sql) => {
    await sql.row(level)
    return ok(await inUse(0))
  })
  t.equal(expectOk(whileAtWork), true)
  await at.close()
  t.equal(await inUse(), true, 'it was used a moment ago')
  t.equal(await inUse(0), false, 'only PgBouncer has it')
})

test('the setting that PgBouncer refuses is named, with what to do', { skip }, async (t) => {
  const url = await server.newDatabase()
  for (const [refused, settings] of [
    ['statement_timeout', {}],
    ['idle_in_transaction_session_timeout', { ignore_startup_parameters: 'statement_timeout' }],
    ['options', documented],
  ] as const) {
    if (refused === 'options') process.env['PGOPTIONS'] = '-c geqo=off'
    t.teardown(() => delete process.env['PGOPTIONS'])
    const driver = postgresDriver({ url: await startPgBouncer(t, url, settings) })
    const { code, detail = '' } = expectErr(await driver.hasData()) as { code: string; detail?: string }
    t.equal(code, 'database_unreachable')
    t.match(detail, `a pooler refuses ${refused}`)
    t.match(detail, refused === 'options' ? 'PGOPTIONS' : 'ignore_startup_parameters')
  }
})
