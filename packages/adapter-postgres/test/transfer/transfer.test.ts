import {
  expectErr,
  expectOk,
  runContract,
  storageDriverContract,
  type StorageDriverHarness,
} from '@sotto/test-kit'
import { after, test } from 'tap'
import { createPool } from '../../src/connection/pool.ts'
import { postgresDriver } from '../../src/identity.ts'
import { migrate } from '../../src/tables/migrations.ts'
import { versions } from '../../src/tables/schema.ts'
import { openStorage } from '../support/databases.ts'
import { poolOptions } from '../support/raw.ts'
import { addSampleFolder } from '../support/sample-folder.ts'
import { query, rowsOf, sharedServer } from '../support/server.ts'

const server = await sharedServer()
after(() => server.stop())

/** Places are named before they are used, but a database takes a while to make: so some are made beforehand. */
const harness: StorageDriverHarness = {
  supports: ['move'],
  async open() {
    const urls = await Promise.all(Array.from({ length: 5 }, () => server.newDatabase()))
    const newDriver = () => {
      const url = urls.pop()
      if (url === undefined) throw new Error('a case needs more places')
      return postgresDriver({ url, connectionsMax: 2 })
    }
    return { driver: newDriver(), newDriver, dispose: async () => undefined }
  },
}

runContract(
  test,
  storageDriverContract.filter(({ id }) => id.startsWith('storage-driver/move-')),
  harness,
)

test('the source under another name is refused as a target, and stays as it is', async (t) => {
  const url = await server.newDatabase()
  const storage = await openStorage(url)
  const { instanceId } = storage
  await storage.close()
  const source = expectOk(await postgresDriver({ url }).openTransferSource({ to: 'there' }))
  const localhost = url.replace('127.0.0.1', 'localhost')
  for (const other of [localhost, `${localhost}?application_name=other`]) {
    const driver = postgresDriver({ url: other })
    const refused = await driver.openTransferTarget({ instanceId, sweptAtMicros: undefined, create: true })
    t.match(expectErr(refused), { code: 'move_same_place', location: driver.location })
  }
  await source.close()
  await (await openStorage(url)).close()
})

test('a server that is not noticed cannot write once the database was left', async (t) => {
  const url = await server.newDatabase()
  const storage = await openStorage(`${url}?application_name=other`)
  t.teardown(() => storage.close())
  const driver = postgresDriver({ url })
  const key = { kid: 1, checkValue: new Uint8Array(1), createdAtMicros: 0, isReadOnly: false }

  await expectOk(await driver.openTransferSource({ to: 'there' })).close()
  expectOk(await storage.keys.add(key))
  expectOk(await storage.upkeep.canWrite())

  const source = expectOk(await driver.openTransferSource({ to: 'there' }))
  const blocked = storage.keys.add({ ...key, kid: 2 })
  expectOk(await source.leave())
  await source.close()
  t.match(expectErr(await blocked), { code: 'storage_failed', detail: /keys_moved/ })
  expectErr(await storage.upkeep.canWrite(), 'storage_failed')
  expectErr(await storage.quota.take('bucket', 0, { perMinute: 1, perDay: 1 }))
  t.end()
})

test('a source of an earlier version gets the tables of this one first', async (t) => {
  const url = await server.newDatabase()
  const pool = createPool({ ...poolOptions(`${url}?application_name=other`), onError: () => undefined })
  expectOk(await migrate(pool, { location: 'here', applicationName: 'sotto', create: true }))
  await pool.close()
  await query(
    url,
    `DROP TABLE email_changes, display_names, servers, requests, answered_forms, identities, passkeys, used_tokens,
       files, file_uploads, file_sums, file_tickets, file_chunks, file_contents;
     ALTER TABLE accounts DROP COLUMN notifies, DROP COLUMN held;
     ALTER TABLE welcomes DROP COLUMN asked;
     ALTER TABLE keys DROP COLUMN read_only;
     ALTER TABLE secrets DROP COLUMN news, DROP COLUMN answers_request;
     ALTER TABLE sessions DROP COLUMN kid, DROP COLUMN name, DROP COLUMN way_in_id, DROP COLUMN provider_session; UPDATE sotto SET version = 1`,
  )
  const source = expectOk(await postgresDriver({ url }).openTransferSource({ to: 'there' }))
  for (const table of source.tables) t.same(expectOk(await source.page(table, undefined, 1)), [], table.name)
  await source.close()
  t.same(await rowsOf(url, 'SELECT version FROM sotto'), [[String(versions.length)]])
})

/** Records the `synchronous_commit` with which rows of a table are written. */
const recording = (table: string): string => `CREATE TABLE levels (level text);
  CREATE FUNCTION record_level() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO levels VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
  CREATE TRIGGER recording BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION record_level()`

test('a move waits for the disk on both sides, whatever the synchronous_commit of the servers is', async (t) => {
  const urls = await Promise.all([server.newDatabase(), server.newDatabase()])
  for (const url of urls)
    await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`)
  const [from, to] = urls
  const storage = await openStorage(from)
  const { instanceId } = storage
  await addSampleFolder(storage)
  await storage.close()
  const source = expectOk(await postgresDriver({ url: from }).openTransferSource({ to: 'there' }))
  const target = expectOk(
    await postgresDriver({ url: to }).openTransferTarget({
      instanceId,
      sweptAtMicros: undefined,
      create: true,
    }),
  )
  await query(
    to,
    `${recording('keys')}; CREATE TRIGGER recording BEFORE UPDATE ON sotto
    FOR EACH ROW EXECUTE FUNCTION record_level()`,
  )
  const keys = source.tables.find(({ name }) => name === 'keys')!
  expectOk(await target.add(keys, expectOk(await source.page(keys, undefined, 1))))
  expectOk(await target.finish())
  t.same(await rowsOf(to, 'SELECT level FROM levels'), [['on'], ['on']])
  await Promise.all([source.close(), target.close()])

  await query(from, recording('sotto'))
  const again = expectOk(await postgresDriver({ url: from }).openTransferSource({ to: 'there' }))
  expectOk(await again.leave())
  await again.close()
  t.same(await rowsOf(from, 'SELECT level FROM levels'), [['on']])
})
