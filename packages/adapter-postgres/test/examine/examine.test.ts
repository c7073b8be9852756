import type { Finding, StorageError, Upkeep } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import { errAsync, okAsync, ResultAsync, ok } from 'neverthrow'
import pg from 'pg'
import { after, test } from 'tap'
import type { Database } from '../../src/connection/database.ts'
import { examineDatabase } from '../../src/examine/examine.ts'
import { standbysText } from '../../src/examine/standbys.ts'
import { vacuumVerdict } from '../../src/examine/vacuum.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { query } from '../support/server.ts'

const databases = await startDatabases()
after(() => databases.stop())

function textOf(findings: readonly Finding[], check: string): Pick<Finding, 'ok' | 'text'> | undefined {
  return findings.find((finding) => finding.check === check)
}

test('a sound database is found sound, with its version and that of the server', async (t) => {
  const storage = await openStorage(await databases.server.newDatabase())
  t.teardown(() => storage.close())
  const findings = await storage.upkeep.examine()
  t.same(
    findings.map(({ check, ok: isOk }) => [check, isOk]),
    ['database', 'settings', 'standbys', 'connections', 'vacuum'].map((check) => [check, true]),
  )
  t.match(textOf(findings, 'database')?.text, /version \d+ of the tables, on PostgreSQL 1\d/)
})

test('counters of the quota that cannot be written are found, and canWrite says so', async (t) => {
  const url = await databases.server.newDatabase()
  const storage = await openStorage(url)
  t.teardown(() => storage.close())
  await query(url, 'ALTER TABLE quota RENAME TO quota_before')
  t.match(expectErr(await storage.upkeep.canWrite()), { code: 'storage_failed' })
  t.match(textOf(await storage.upkeep.examine(), 'database'), { ok: false, text: /cannot be written/ })
})

test('canWrite leaves no row in the quota, though many call it at the same time', async (t) => {
  const url = await databases.server.newDatabase()
  const storage = await openStorage(url)
  t.teardown(() => storage.close())
  const results = await Promise.all(Array.from({ length: 10 }, () => storage.upkeep.canWrite()))
  for (const result of results) expectOk(result)
  await t.rejects(query(url, 'SELECT 1 / count(*) FROM quota'), 'there is no row to divide by')
})

test('a database that was replaced by another one cannot be written', async (t) => {
  const url = await databases.server.newDatabase()
  const storage = await openStorage(url)
  t.teardown(() => storage.close())
  await query(url, `UPDATE sotto SET instance_id = decode(repeat('00', 32), 'hex')`)
  t.match(expectErr(await storage.upkeep.canWrite()), { code: 'storage_failed', detail: /replaced/ })
})

test('autovacuum that is off for a table is found', async (t) => {
  const url = await databases.server.newDatabase()
  const storage = await openStorage(url)
  t.teardown(() => storage.close())
  for (const [table, value] of [
    ['quota', 'false'],
    ['secrets', 'off'],
  ] as const) {
    await query(url, `ALTER TABLE ${table} SET (autovacuum_enabled = ${value})`)
    const text = new RegExp(`autovacuum is off for .*${table}`)
    t.match(textOf(await storage.upkeep.examine(), 'vacuum'), { ok: false, text })
  }
})

test('a server that loses what it acknowledges is found', async (t) => {
  const rows = (fsync: string, fullPageWrites: string) => [
    '150000',
    fsync,
    fullPageWrites,
    'UTF8',
    'off',
    'off',
  ]
  for (const [row, text] of [
    [rows('off', 'on'), /fsync is off/],
    [rows('on', 'off'), /full_page_writes is off/],
  ] as const)
    t.match(textOf(await examineDatabase(answering({ fitness: row }), canWrite), 'settings'), {
      ok: false,
      text,
    })
})

/** A database whose statements answer these rows, by their names. */
function answering(rows: Readonly<Record<string, readonly unknown[]>>): Database {
  const row = ({ name }: { readonly name: string }) => Promise.resolve(rows[name])
  const sql = { row, rows: () => Promise.resolve([]), changes: () => Promise.resolve(0) }
  const read = (work: (given: unknown) => Promise<unknown>) =>
    new ResultAsync(work(sql).then((value) => ok(value)))
  return { read } as unknown as Database
}

const canWrite: Upkeep['canWrite'] = () => okAsync(undefined)

test('a server with hardly a connection left is found', async (t) => {
  for (const [used, isOk] of [
    [89, true],
    [90, false],
  ] as const) {
    const db = answering({ examine_connections: [used, '100'] })
    t.match(textOf(await examineDatabase(db, canWrite), 'connections'), { ok: isOk, text: `${used} of 100` })
  }
})

test('dead rows that no vacuum removes are found, those of the quota too, with what to do', (t) => {
  const table = (name: string, deadRows: number) => ({ name, isOn: true, liveRows: 20_000, deadRows })
  const tables = (secrets: number, quota: number) => [table('secrets', secrets), table('quota', quota)]
  const snapshot = { pid: 47, name: 'pg_dump' }
  for (const [given, isOk, text] of [
    [
      tables(30_000, 30_000),
      true,
      /^autovacuum is on: 30000 dead rows of secrets .*, 30000 dead rows of quota/,
    ],
    [
      tables(30_001, 1),
      false,
      /^30001 dead rows of secrets beside 20000: the snapshot of connection 47 \(pg_dump\)/,
    ],
    [tables(1, 30_001), false, /^30001 dead rows of quota .* end it with SELECT pg_terminate_backend\(47\)$/],
  ] as const)
    t.match(vacuumVerdict({ tables: given, snapshot }), { ok: isOk, text })
  const without = vacuumVerdict({ tables: tables(1, 30_001), snapshot: undefined })
  t.match(without, { ok: false, text: /autovacuum does not keep up, or a replication slot/ })
  t.end()
})

/** A user who may only do what Sotto does. */
async function ownedBy(user: string, url: string): Promise<string> {
  await query(url, `CREATE ROLE ${user} LOGIN`)
  await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO ${user}`)
  return url.replace('//sotto@', `//${user}@`)
}

test('a long snapshot of another program, beside which the counters of the quota get slow, is found', async (t) => {
  const url = await databases.server.newDatabase()
  const storage = await openStorage(await ownedBy('plain', url))
  t.teardown(() => storage.close())
  const dump = new pg.Client({ connectionString: url, application_name: 'a_dump' })
  await dump.connect()
  t.teardown(() => dump.end())
  await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1')
  const count = `INSERT INTO quota (bucket, minute_start, minute_count, day_start, day_count, taken, is_address)
    SELECT nr, 0, 0, 0, 0, 0, false FROM generate_series(1, 20) AS nr ON CONFLICT (bucket) DO UPDATE SET taken = quota.taken + 1`
  await query(url, `DO $$ BEGIN FOR i IN 1..1100 LOOP ${count}; COMMIT; END LOOP; END $$`)
  const found = textOf(await storage.upkeep.examine(), 'vacuum')
  t.match(found, {
    ok: false,
    text: /\d{5} dead rows of quota beside 20: the snapshot of connection \d+ \(a_dump\)/,
  })
})

test('what cannot be asked is not checked, and a database that cannot be read is a finding', async (t) => {
  const busy: StorageError = { code: 'storage_unavailable', reason: 'busy' }
  const db = { read: () => errAsync(busy) } as unknown as Database
  const findings = await examineDatabase(db, () => errAsync(busy))
  t.same(
    findings.map(({ ok: isOk }) => isOk),
    [false, undefined, undefined, undefined, undefined],
  )
  for (const { text } of findings) t.match(text, 'it is busy')
})

test('what an acknowledged write is worth when a standby takes over is said in words', async (t) => {
  for (const [names, synchronousCommit, receivers, text] of [
    ['', 'on', 0, /^no standby receives its log: .* on the disk of this server alone$/],
    ['', 'on', 1, /^1 standby receives its log, and no commit waits for one: a failover loses the latest/],
    ['', 'remote_apply', 2, /^2 standbys receive its log, and no commit waits for one/],
    ['ANY 1 (a, b)', 'on', 2, /^commits wait until a standby has them on its disk .*; 2 standbys receive/],
    ['a', 'remote_apply', 1, /^commits wait until a standby shows them/],
    ['a', 'on', 0, /^commits wait until .*; 0 standbys receive its log$/],
    ['a', 'local', 1, /^commits wait until a standby has them on its disk/],
  ] as const)
    t.match(standbysText({ names, synchronousCommit, receivers }), text)
})

test('the settings of the server for standbys are read', async (t) => {
  const storage = await openStorage(await databases.server.newDatabase())
  t.teardown(() => storage.close())
  t.match(textOf(await storage.upkeep.examine(), 'standbys'), {
    ok: true,
    text: /^no standby receives its log/,
  })
})
