import type { FullOpenStorage } from '@sotto/identity'
import type { StorageUnderTest } from '@sotto/test-kit'
import { createDatabaseClock, type DatabaseClock } from '../../src/clock/database-clock.ts'
import { createDatabase } from '../../src/connection/database.ts'
import { createPool, type Pool } from '../../src/connection/pool.ts'
import type { PostgresDriverOptions } from '../../src/index.ts'
import { postgresDriver } from '../../src/identity.ts'
import { checkReadable } from '../../src/tables/meta.ts'
import { storageOn } from '../../src/storage.ts'
import { poolOptions } from './raw.ts'
import { sharedServer, startServer, type Programs, type TestServer } from './server.ts'

/** A whole storage, the quota included, on one database. */
export interface DatabaseUnderTest extends FullOpenStorage, StorageUnderTest {
  beside(): Promise<DatabaseUnderTest>
  reopen(): Promise<DatabaseUnderTest>
}

/** A server whose databases are used again: to empty one takes a fraction of the time that a new one takes. */
export interface TestDatabases {
  readonly server: TestServer
  /** Opens a storage on an empty database, for a contract. */
  open(): Promise<DatabaseUnderTest>
  /** The URL of an empty database with tables; `giveBack` makes it free for another test. */
  take(): Promise<{ readonly url: string; giveBack(): void }>
  stop(): Promise<void>
}

let shared: TestDatabases | undefined

/** @param programs of a server of its own; by default all test files of a process share one */
export async function startDatabases(programs?: Programs): Promise<TestDatabases> {
  if (programs !== undefined) return databasesOn(await startServer(programs))
  return (shared ??= databasesOn(await sharedServer()))
}

function databasesOn(server: TestServer): TestDatabases {
  const free: KeptDatabase[] = []
  const made: KeptDatabase[] = []

  async function kept(): Promise<KeptDatabase> {
    const used = free.pop()
    if (used !== undefined) {
      await used.pool.withConnection((connection) => connection.command(emptying))
      return used
    }
    const database = await keepDatabase(await server.newDatabase())
    made.push(database)
    return database
  }

  return {
    server,
    async take() {
      const database = await kept()
      return { url: database.url, giveBack: () => void free.push(database) }
    },
    async open() {
      const database = await kept()
      return underTest(database.url, storageIn(database), () => void free.push(database))
    },
    async stop() {
      await Promise.all(made.splice(0).map(({ pool }) => pool.close()))
      await server.stop()
    },
  }
}

/** A database with tables. Its connections are kept, because to make them takes longer than most cases of a contract. */
interface KeptDatabase {
  readonly url: string
  readonly instanceId: Uint8Array
  readonly pool: Pool
  readonly clock: DatabaseClock
}

async function keepDatabase(url: string): Promise<KeptDatabase> {
  const { instanceId, close } = await openStorage(url)
  await close()
  const pool = createPool({ ...poolOptions(url), admit: checkReadable, onError: () => undefined })
  const clock = createDatabaseClock()
  await pool.withConnection(clock.look)
  return { url, instanceId, pool, clock }
}

/** New stores on kept connections. */
function storageIn({ url, instanceId, pool, clock }: KeptDatabase): FullOpenStorage {
  const options = { ...poolOptions(url), admit: checkReadable }
  const database = createDatabase(lent(pool))
  return storageOn({ options, instanceId, clock, database, onError: () => undefined })
}

/** A pool of which `close` waits for what was begun with it, and leaves the connections open. */
function lent(pool: Pool): Pool {
  const begun: Promise<unknown>[] = []
  return {
    withConnection(work) {
      const running = pool.withConnection(work)
      begun.push(running)
      return running
    },
    async close() {
      await Promise.allSettled(begun)
    },
  }
}

function underTest(url: string, storage: FullOpenStorage, cleanUp: () => void): DatabaseUnderTest {
  return {
    ...storage,
    async dispose() {
      await storage.close()
      cleanUp()
    },
    beside: async () => underTest(url, await openStorage(url), () => undefined),
    async reopen() {
      await storage.close()
      return underTest(url, await openStorage(url), cleanUp)
    },
  }
}

export async function openStorage(
  url: string,
  options: Partial<PostgresDriverOptions> = {},
): Promise<FullOpenStorage> {
  const opened = await postgresDriver({ url, connectionsMax: 4, ...options }).open({
    onFatal: () => undefined,
    log: () => undefined,
  })
  if (opened.isErr()) throw new Error(JSON.stringify(opened.error))
  return opened.value
}

/** In an order in which no row is deleted before one that refers to it. */
const tables = [
  ...['file_contents', 'file_tickets', 'files', 'file_uploads', 'file_sums'],
  ...['opened_forms', 'secrets', 'deliveries', 'targets', 'outbox', 'idempotency_keys', 'webhooks'],
  ...[
    'known_addresses',
    'sign_in_attempts',
    'email_changes',
    'welcomes',
    'sessions',
    'passwords',
    'access_tokens',
  ],
  ...['folders', 'accounts', 'keys', 'servers', 'used_tokens', 'quota'],
]

const emptying = [...tables.map((table) => `DELETE FROM ${table}`), 'UPDATE sotto SET swept_at = NULL'].join(
  '; ',
)
