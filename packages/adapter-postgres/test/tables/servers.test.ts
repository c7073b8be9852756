import { claimOpen, type LinkRecord, type StorageOpenError } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import type { Result } from 'neverthrow'
import { after, test, type Test } from 'tap'
import type { Connection } from '../../src/connection/connection.ts'
import { createPool, type Pool } from '../../src/connection/pool.ts'
import { postgresDriver } from '../../src/identity.ts'
import type { Meta } from '../../src/tables/meta.ts'
import { migrate } from '../../src/tables/migrations.ts'
import { versions as released, type TablesVersion } from '../../src/tables/schema.ts'
import { insideTransaction, waitingForLock } from '../support/blocking.ts'
import { openStorage } from '../support/databases.ts'
import { poolOptions } from '../support/raw.ts'
import { addSampleLink } from '../support/sample-link.ts'
import { query, rowsOf, sharedServer } from '../support/server.ts'

const server = await sharedServer()
after(() => server.stop())

/** The version of the tables. */
const known = released.length

/** What two later versions might do: one adds a column, and the next one removes it. */
const expanded: readonly TablesVersion[] = [
  ...released,
  {
    statements: [
      `ALTER TABLE secrets ADD COLUMN colour text NOT NULL DEFAULT 'none'`,
      'CREATE INDEX secrets_by_colour ON secrets (colour)',
    ],
    readableFrom: 1,
  },
]
const contracted: readonly TablesVersion[] = [
  ...expanded,
  { statements: ['ALTER TABLE secrets DROP COLUMN colour'], readableFrom: known + 1 },
]

/** The connections of a program that knows as many versions. */
function poolOf(t: Test, url: string, versions: readonly TablesVersion[]): Pool {
  const options = poolOptions(url)
  const pool = createPool({
    ...options,
    url: { ...options.url, applicationName: `sotto/${versions.length}` },
    onError: () => undefined,
  })
  t.teardown(() => pool.close())
  return pool
}

/** Calls `before` with each command of a migration. */
function watching(pool: Pool, before: (text: string) => unknown): Pool {
  const watched = (connection: Connection): Connection => ({
    ...connection,
    async command(text, limitMillis) {
      await before(text)
      return connection.command(text, limitMillis)
    },
  })
  return { ...pool, withConnection: (work) => pool.withConnection((connection) => work(watched(connection))) }
}

function migrateTo(pool: Pool, versions: readonly TablesVersion[]): Promise<Result<Meta, StorageOpenError>> {
  return migrate(pool, { location: 'here', applicationName: 'sotto', create: true, versions })
}

async function tryOpen(url: string): Promise<Result<FullOpenStorage, StorageOpenError>> {
  return postgresDriver({ url }).open({ onFatal: () => undefined, log: () => undefined })
}

const claim = (record: LinkRecord) =>
  claimOpen(record, { attemptId: undefined, nowMicros: noonMicros, eventId: undefined })

/** A server that creates secrets and opens a link until it is told to stop; then it says how many of each were acknowledged. */
async function startLoad(storage: FullOpenStorage): Promise<{
  progress(): Promise<void>
  stop(): Promise<{
    readonly created: readonly string[]
    readonly opens: number
    readonly lookup: Uint8Array
  }>
}> {
  const { make, folder, secret } = await addSampleLink(storage, { openLimit: undefined })
  const { lookup } = secret.link
  const created: string[] = [secret.id]
  let opens = 0
  let isStopped = false
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const added = make.secret(folder)
      expectOk(await storage.secrets.insert(added, make.note()))
      created.push(added.id)
      expectOk(await storage.links.update(lookup, undefined, claim))
      opens += 1
    }
  }
  const running = Promise.all(Array.from({ length: 8 }, run))
  return {
    async progress() {
      const until = opens + 40
      while (opens < until) await Promise.race([running, new Promise(setImmediate)])
    },
    async stop() {
      isStopped = true
      await running
      return { created, opens, lookup }
    },
  }
}

// Promise (On PostgreSQL): A version that adds to the tables loses nothing of a running server
test('a version that adds to the tables is reached while servers of the one before create and open, and nothing is lost', async (t) => {
  const url = await server.newDatabase()
  const storage = await openStorage(url)
  t.teardown(() => storage.close())
  const load = await startLoad(storage)
  await load.progress()
  t.match(expectOk(await migrateTo(poolOf(t, url, expanded), expanded)), { version: known + 1 })
  await load.progress()
  const { created, opens } = await load.stop()

  const rows = await rowsOf(url, 'SELECT id, colour, opens FROM secrets ORDER BY id')
  t.same(
    rows.map(([id]) => id),
    [...created].sort(),
  )
  t.same(new Set(rows.map(([, colour]) => colour)), new Set(['none']))
  t.equal(
    rows.reduce((sum, [, , count]) => sum + Number(count), 0),
    opens,
  )
  const further = await openStorage(url)
  expectOk(await further.upkeep.canWrite())
  await further.close()
})

// Promise (On PostgreSQL): A version that adds to the tables loses nothing of a running server: and one that removes waits until older
// servers are gone
test('a version that removes from the tables is not reached while a server that needs it is open', async (t) => {
  const url = await server.newDatabase()
  const older = await openStorage(url)
  const load = await startLoad(older)
  await load.progress()
  const pool = poolOf(t, url, contracted)
  const error = { code: 'database_older', location: 'here', version: known, known: known + 2 }
  t.same(expectErr(await migrateTo(pool, contracted)), error, 'from this version')
  expectOk(await migrateTo(pool, expanded))
  t.same(
    expectErr(await migrateTo(pool, contracted)),
    { ...error, version: known + 1 },
    'from the next version',
  )
  await load.progress()
  const { created } = await load.stop()
  t.same(await rowsOf(url, `SELECT count(*) FROM secrets WHERE colour = 'none'`), [[String(created.length)]])
  await older.close()

  const second = poolOf(t, url, expanded)
  await second.withConnection(async () => {
    const reached = expectOk(await migrateTo(pool, contracted))
    t.match(reached, { version: known + 2 }, 'one of the next version is no hindrance')
  })
  t.match(expectErr(await tryOpen(url)), { code: 'database_newer', version: known + 2, known })
})

// Promise (On PostgreSQL): A version that adds to the tables loses nothing of a running server: and an older server that was not detected
// changes nothing
test('a server that had no connection while a version removed what it needs reads and writes nothing any more', async (t) => {
  const url = await server.newDatabase()
  const storage = await openStorage(url)
  t.teardown(() => storage.close())
  const { make, folder, secret } = await addSampleLink(storage)
  await query(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'sotto/${known}'`,
  )
  expectOk(await migrateTo(poolOf(t, url, contracted), contracted))

  const error = { code: 'storage_failed', detail: 'a later version of the program has migrated the database' }
  const { accountId, id } = secret
  t.same(expectErr(await storage.secrets.insert(make.secret(folder), make.note())), error)
  t.same(expectErr(await storage.secrets.find(accountId, id, noonMicros)), error)
  t.same(expectErr(await storage.upkeep.canWrite()), error)
  t.same(expectErr(await storage.quota.take('bucket', noonMicros, { perMinute: 1, perDay: 1 })), error)
})

test('a server that opens while a version removes what it needs waits, and is refused', async (t) => {
  const url = await server.newDatabase()
  expectOk(await migrateTo(poolOf(t, url, expanded), expanded))
  let opening: Promise<Result<FullOpenStorage, StorageOpenError>> | undefined
  const pool = watching(poolOf(t, url, contracted), async (text) => {
    if (!text.includes('DROP COLUMN')) return
    opening = tryOpen(url)
    await waitingForLock(url, opening)
  })
  expectOk(await migrateTo(pool, contracted))
  t.match(expectErr(await opening!), { code: 'database_newer', version: known + 2, known })
})

test('of several processes that migrate at the same time, one takes the steps', async (t) => {
  for (const target of [expanded, contracted]) {
    const url = await server.newDatabase()
    await (await openStorage(url)).close()
    const changed: string[] = []
    const pools = Array.from({ length: 6 }, () =>
      watching(
        poolOf(t, url, target),
        (text) => text.startsWith('ALTER TABLE secrets') && changed.push(text),
      ),
    )
    for (const migrated of await Promise.all(pools.map((pool) => migrateTo(pool, target))))
      t.match(expectOk(migrated), { version: target.length })
    t.equal(changed.length, target.length - known)
  }
})

test('a migration gives up when a program holds a table, so that servers wait no longer than a moment', async (t) => {
  const url = await server.newDatabase()
  const storage = await openStorage(url)
  t.teardown(() => storage.close())
  const { make, folder } = await addSampleLink(storage)
  const pool = poolOf(t, url, expanded)
  const inserted = await insideTransaction(url, ['SELECT 1 FROM secrets'], async () => {
    const migrating = migrateTo(pool, expanded)
    await waitingForLock(url, migrating)
    const insert = storage.secrets.insert(make.secret(folder), make.note())
    t.same(expectErr(await migrating), { code: 'database_busy', location: 'here' })
    return insert
  })
  expectOk(inserted)
  t.same(await rowsOf(url, 'SELECT version, readable_from FROM sotto'), [[String(known), '1']])
})
