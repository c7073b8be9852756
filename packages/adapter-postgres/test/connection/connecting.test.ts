import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import { after, test } from 'tap'
import { clientConfigOf } from '../../src/connection/client-config.ts'
import { createConnecting } from '../../src/connection/connecting.ts'
import { NoHost, NotConnected } from '../../src/connection/errors.ts'
import { realPausing } from '../../src/connection/hosts.ts'
import { createPool } from '../../src/connection/pool.ts'
import { readUrl } from '../../src/connection/url.ts'
import { postgresDriver } from '../../src/identity.ts'
import { openStorage } from '../support/databases.ts'
import { poolOptions } from '../support/raw.ts'
import { startAnswering, startRefusing } from '../support/refusing.ts'
import { addSampleFolder } from '../support/sample-folder.ts'
import { query, startServer } from '../support/server.ts'

const primary = await startServer()
const url = await primary.newDatabase()
const storageBefore = await openStorage(url)
const { folder } = await addSampleFolder(storageBefore)
await storageBefore.close()
const standby = await primary.startStandby()
after(() => Promise.all([primary.stop(), standby.stop()]))

const { pathname, port: primaryPort } = new URL(url)
const { port: standbyPort } = new URL(standby.urlOf(''))
const canary = 'canary-7f3a'
const through = (...ports: readonly (number | string)[]): string =>
  `postgres://sotto:${canary}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}${pathname}`

const port = { name: 'port', text: `SELECT current_setting('port')` }

/** The port of the server that a new pool gets to. */
async function reached(databaseUrl: string): Promise<string | undefined> {
  const pool = createPool({ ...poolOptions(databaseUrl), onError: () => undefined })
  try {
    return await pool.withConnection(async (sql) => (await sql.row<[string]>(port))?.[0])
  } finally {
    await pool.close()
  }
}

/** What a driver says about a database of several hosts that cannot be reached. */
async function detailOf(databaseUrl: string): Promise<string> {
  const error = expectErr(await postgresDriver({ url: databaseUrl }).hasData())
  if (error.code !== 'database_unreachable') throw new Error(error.code)
  return error.detail
}

test('hosts that do not answer, start up, have no connection left or are standbys are passed over', async (t) => {
  const closing = await startAnswering(t, (socket) => socket.end())
  const others = [1, closing, await startRefusing(t, '57P03'), await startRefusing(t, '53300'), standbyPort]
  for (const other of others) t.equal(await reached(through(other, primaryPort)), primaryPort, String(other))
  t.equal(await reached(through(...others, primaryPort)), primaryPort)
  t.equal(await reached(through(primaryPort, 1)), primaryPort)
})

test('when no host can be used, each one is named with the reason, and the password is not', async (t) => {
  const databaseUrl = through(1, standbyPort)
  const detail = `127.0.0.1:1: ECONNREFUSED; 127.0.0.1:${standbyPort}: the server is a standby`
  t.equal(await detailOf(databaseUrl), detail)
  const driver = postgresDriver({ url: databaseUrl })
  t.notMatch(JSON.stringify([driver.location, expectErr(await driver.hasData())]), canary)
})

test('a server that refuses the user, or lacks the database, is the answer: no other host is asked', async (t) => {
  for (const code of ['28P01', '28000', '3D000']) {
    const refusing = await startRefusing(t, code)
    await t.rejects(reached(through(refusing, primaryPort)), NoHost, code)
    await t.rejects(reached(through(refusing)), NotConnected, code)
  }
})

test('the password of the host that is tried is the one in the password file', async (t) => {
  const passwords: string[] = []
  // AuthenticationCleartextPassword (protocol 3.0), and no word after it.
  const asking = () =>
    startAnswering(t, (socket) => {
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
      socket.once('data', (message) => {
        passwords.push(message.subarray(5, -1).toString())
        socket.end()
      })
    })
  const [first, second] = [await asking(), await asking()]
  const file = join(t.testdir(), 'passwords')
  const lines = [first, second].map((at) => `127.0.0.1:${at}:*:*:of ${at}\n`)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
  process.env['PGPASSFILE'] = file
  t.teardown(() => delete process.env['PGPASSFILE'])
  await t.rejects(reached(`postgres://me@127.0.0.1:${first},127.0.0.1:${second}/sotto`), NoHost)
  t.same(passwords, [`of ${first}`, `of ${second}`])
})

test('there are bounds for a host, which are lower for one of several, and for all of them', async (t) => {
  const limit = (databaseUrl: string): number | undefined => {
    const read = expectOk(readUrl(databaseUrl))
    return clientConfigOf(read, read.hosts[0], true).connectionTimeoutMillis
  }
  t.same([limit(through(1)), limit(through(1, 2))], [5_000, 3_000])

  let now = 0
  const options = poolOptions(through(1, 1, 1, 1, 1, 1, 1, 1))
  const { take, pool } = createConnecting(options, { ...realPausing, nowMillis: () => (now += 3_000) })
  const thrown: unknown = await take().catch((error: unknown) => error)
  await pool.end()
  if (!(thrown instanceof NoHost)) throw thrown
  t.equal(thrown.failures.length, 4, 'no other attempt begins after 10 seconds')
})

test('a pause comes before all hosts are tried again', async (t) => {
  const pauses: number[] = []
  const options = poolOptions(through(1, standbyPort))
  const { take, pool } = createConnecting(options, {
    ...realPausing,
    pause: (millis) => Promise.resolve(pauses.push(millis)),
  })
  for (let tries = 0; tries < 2; tries += 1) await t.rejects(take(), NoHost)
  await pool.end()
  t.equal(pauses.length, 1)
})

// Promise (On PostgreSQL): Of several hosts the one is used that can be written, also after a failover
test('after the primary is lost and the standby promoted, an open storage goes on with the other host', async (t) => {
  const log = new Set<unknown>()
  const opened = await postgresDriver({ url: through(primaryPort, standbyPort) }).open({
    onFatal: () => undefined,
    log: (level, message, fields) => void log.add([level, message, fields]),
  })
  const storage = expectOk(opened)
  t.teardown(() => storage.close())
  const find = () =>
    storage.folders.find(folder.accountId, folder.id, noonMicros).map((found) => found !== undefined)
  t.equal(expectOk(await find()), true)
  await primary.crash()
  t.match(expectErr(await find()), { code: 'storage_unavailable' })
  await query(standby.urlOf(pathname.slice(1)), 'SELECT pg_promote()')
  t.equal(expectOk(await find()), true)
  expectOk(await storage.upkeep.canWrite())
  const host = `127.0.0.1:${standbyPort}`
  t.match(log, new Set([['info', 'The database is on another host now.', { host }]]))
})
