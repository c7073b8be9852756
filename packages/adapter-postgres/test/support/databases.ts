import pg from 'pg'
import { postgresDriver, type PostgresDriverOptions } from '../../src/index.ts'
import type { OpenStorage } from '@sotto/core'
import type { StorageUnderTest } from '@sotto/test-kit'
import { startServer, type Programs, type TestServer } from './server.ts'

/** A whole storage, the quota included, on one database. */
export interface DatabaseUnderTest extends OpenStorage, StorageUnderTest {
  beside(): Promise<DatabaseUnderTest>
  reopen(): Promise<DatabaseUnderTest>
}

/** One server for a test file, whose databases are used again: to empty one takes a fraction of the time that a new one takes. */
export interface TestDatabases {
  readonly server: TestServer
  /** Opens a storage on an empty database, for a contract. */
  open(): Promise<DatabaseUnderTest>
  /** The URL of an empty database with tables; `giveBack` makes it free for another test. */
  take(): Promise<{ readonly url: string; giveBack(): void }>
  stop(): Promise<void>
}

/** @param programs of the server; those from npm by default */
export async function startDatabases(programs?: Programs): Promise<TestDatabases> {
  const server = await startServer(programs)
  const free: string[] = []

  async function take(): Promise<{ url: string; giveBack(): void }> {
    const used = free.pop()
    const url = used ?? (await server.newDatabase())
    if (used !== undefined) await empty(used)
    return { url, giveBack: () => void free.push(url) }
  }

  return {
    server,
    take,
    async open() {
      const { url, giveBack } = await take()
      return underTest(url, giveBack)
    },
    stop: () => server.stop(),
  }
}

async function underTest(url: string, cleanUp: () => void): Promise<DatabaseUnderTest> {
  const storage = await openStorage(url)
  return {
    ...storage,
    async dispose() {
      await storage.close()
      cleanUp()
    },
    beside: () => underTest(url, () => undefined),
    async reopen() {
      await storage.close()
      return underTest(url, cleanUp)
    },
  }
}

export async function openStorage(
  url: string,
  options: Partial<PostgresDriverOptions> = {},
): Promise<OpenStorage> {
  const opened = await postgresDriver({ url, connectionsMax: 4, ...options }).open({
    onFatal: () => undefined,
    log: () => undefined,
  })
  if (opened.isErr()) throw new Error(JSON.stringify(opened.error))
  return opened.value
}

/** In an order in which no row is deleted before one that refers to it. */
const tables = [
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
  ...['folders', 'accounts', 'keys', 'quota'],
]

async function empty(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const deletes = tables.map((table) => `DELETE FROM ${table}`)
    await client.query([...deletes, 'UPDATE sotto SET swept_at = NULL'].join('; '))
  } finally {
    await client.end()
  }
}
