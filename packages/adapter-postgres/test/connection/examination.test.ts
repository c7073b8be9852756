import { createHash } from 'node:crypto'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import { after, test, type Test } from 'tap'
import pg from 'pg'
import type { Connection } from '../../src/connection/connection.ts'
import { Unfit } from '../../src/connection/errors.ts'
import { createPool, type PoolOptions } from '../../src/connection/pool.ts'
import { postgresDriver } from '../../src/identity.ts'
import { openStorage } from '../support/databases.ts'
import { startProxy } from '../support/proxy.ts'
import { poolOptions } from '../support/raw.ts'
import { addSampleFolder } from '../support/sample-folder.ts'
import { query, rowsOf, startServer } from '../support/server.ts'

// Its settings change, so no other test uses it.
const server = await startServer()
after(() => server.stop())

const levelOf = async (sql: Connection): Promise<string | undefined> =>
  (await sql.row<[string]>({ name: 'level', text: `SELECT current_setting('synchronous_commit')` }))?.[0]

function poolOn(t: Test, url: string, options: Partial<PoolOptions> = {}) {
  const pool = createPool({ ...poolOptions(url, options), onError: () => undefined })
  t.teardown(() => pool.close())
  return pool
}

/** A database whose sessions begin with a setting. */
async function databaseWith(setting: string): Promise<string> {
  const url = await server.newDatabase()
  await query(server.urlOf('postgres'), `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`)
  return url
}

// Promise (On PostgreSQL): What is acknowledged is on the disk, whatever the server's synchronous_commit is
test('commits wait for the disk where the server has less, and for a standby where it has more', async (t) => {
  for (const [given, expected] of [
    ['off', 'on'],
    ['local', 'on'],
    ['remote_write', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ] as const) {
    const url = await databaseWith(`synchronous_commit = ${given}`)
    t.equal(await poolOn(t, url).withConnection(levelOf), expected, given)
    t.equal(await poolOn(t, url, { commits: 'off' }).withConnection(levelOf), 'off', 'those of the quota')
  }
})

test('what PGOPTIONS says changes nothing', async (t) => {
  process.env['PGOPTIONS'] = '-c synchronous_commit=off'
  t.teardown(() => delete process.env['PGOPTIONS'])
  t.equal(await poolOn(t, await server.newDatabase()).withConnection(levelOf), 'on')
})

// Promise (On PostgreSQL): What is acknowledged is on the disk, whatever the server's synchronous_commit is: also when it is switched off
// while servers run
test('synchronous_commit that is switched off later counts for no connection, open or new', async (t) => {
  const url = await server.newDatabase()
  const open = poolOn(t, url)
  t.equal(await open.withConnection(levelOf), 'on')
  const plain = new pg.Client(url)
  await plain.connect()
  t.teardown(() => plain.end())
  const plainLevel = async () =>
    (await plain.query<{ readonly level: string }>(`SELECT current_setting('synchronous_commit') AS level`))
      .rows[0]

  await query(url, 'ALTER SYSTEM SET synchronous_commit = off')
  t.teardown(() => query(url, 'ALTER SYSTEM RESET synchronous_commit'))
  await query(url, 'SELECT pg_reload_conf()')
  while ((await plainLevel())?.level !== 'off') continue
  t.equal(await open.withConnection(levelOf), 'on', 'one that was open')
  t.equal(await poolOn(t, url).withConnection(levelOf), 'on', 'a new one')
  const pooled = poolOn(t, url, { prepare: false })
  t.equal(await pooled.withConnection(levelOf), 'off', 'one that a pooler may hand on keeps its own')
})

test('a connection whose server must not be used is closed, and nothing is sent on it', async (t) => {
  for (const [setting, fault] of [
    ['default_transaction_read_only = on', 'the server is read-only'],
    [`default_transaction_isolation = 'serializable'`, undefined],
  ] as const) {
    const pool = poolOn(t, await databaseWith(setting), { connectionsMax: 1 })
    const work = pool.withConnection(levelOf)
    if (fault === undefined) t.equal(await work, 'on')
    else await t.rejects(work, new Unfit(fault, true))
  }
})

// Promise (On PostgreSQL): A standby is never read: a token that was revoked is not honoured by a stale one
test('a connection that lands on a standby is dropped, so that a token that was revoked is not honoured', async (t) => {
  const primary = await startServer()
  t.teardown(() => primary.stop())
  const url = await primary.newDatabase()
  const proxy = await startProxy(url)
  t.teardown(() => proxy.close())
  const storage = await openStorage(proxy.url)
  t.teardown(() => storage.close())
  const { make, folder } = await addSampleFolder(storage)
  const digest = createHash('sha256').update('token').digest()
  const token = make.accessToken(folder.accountId)
  expectOk(await storage.accessTokens.insert(token, digest))
  const find = () => storage.accessTokens.findUsable(digest, noonMicros)
  const standby = await primary.startStandby()
  t.teardown(() => standby.stop())
  t.ok(expectOk(await find()))

  // The primary is lost before the standby has what came last. Its address leads to the standby.
  const stale = new URL(standby.urlOf(new URL(url).pathname.slice(1))).href
  await query(stale, 'SELECT pg_wal_replay_pause()')
  expectOk(await storage.accessTokens.revoke(folder.accountId, token.id, noonMicros))
  t.equal(expectOk(await find()), undefined)
  proxy.redirect(stale)
  await primary.crash()
  for (let tries = 0; tries < 3; tries += 1)
    t.same(expectErr(await find()), {
      code: 'storage_unavailable',
      reason: 'read_only',
      detail: 'the server is a standby',
    })
  t.match(await rowsOf(stale, 'SELECT count(*) FROM access_tokens WHERE revoked_at IS NULL'), [['1']])
  t.match(expectErr(await postgresDriver({ url: proxy.url }).prepare()), {
    code: 'database_unfit',
    detail: 'the server is a standby',
  })
})
