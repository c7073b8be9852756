import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expectOk } from '@sotto/test-kit'
import { after, test } from 'tap'
import { ConnectionBroke, isStale, NotConnected } from '../../src/connection/errors.ts'
import type { Connection } from '../../src/connection/connection.ts'
import { createPool, type Pool, type PoolOptions } from '../../src/connection/pool.ts'
import { readUrl } from '../../src/connection/url.ts'
import { startProxy } from '../support/proxy.ts'
import { startAnswering } from '../support/refusing.ts'
import { query, sharedServer } from '../support/server.ts'

const server = await sharedServer()
const url = await server.newDatabase()
after(() => server.stop())

function poolOn(options: Partial<PoolOptions> = {}, databaseUrl = url): Pool {
  const onError = (): void => undefined
  const defaults = { url: expectOk(readUrl(databaseUrl)), connectionsMax: 1, pipeline: true, prepare: true }
  return createPool({ ...defaults, ...options, onError })
}

const pid = { name: 'pid', text: 'SELECT pg_backend_pid()' }
const pidOf = async (connection: Connection) => (await connection.row<[number]>(pid))?.[0]
const endMyself = { name: 'end', text: 'SELECT pg_terminate_backend(pg_backend_pid())' }

test('whatever is thrown once the connection broke counts as that', async (t) => {
  const pool = poolOn()
  t.teardown(() => pool.close())
  const thrown = pool.withConnection(async (connection) => {
    // The first answer is the server's goodbye, the second one is that the socket closed.
    for (const statement of [endMyself, pid]) await connection.row(statement).catch(() => undefined)
    throw new RangeError('of the socket')
  })
  await t.rejects(thrown, ConnectionBroke)
  await t.rejects(
    pool.withConnection(() => Promise.reject(new RangeError('of this program'))),
    RangeError,
  )
})

test('a connection whose prepared statements are gone is not used again', async (t) => {
  const pool = poolOn()
  t.teardown(() => pool.close())
  const first = await pool.withConnection(pidOf)
  const used = pool.withConnection(async (connection) => {
    await connection.command('DEALLOCATE ALL')
    return pidOf(connection)
  })
  t.ok(isStale(await used.catch((error: unknown) => error)))
  t.not(await pool.withConnection(pidOf), first)
})

const isolation = { name: 'isolation', text: `SELECT current_setting('transaction_isolation')` }
const isolationOf = async (connection: Connection) => (await connection.row<[string]>(isolation))?.[0]

test('single statements are READ COMMITTED, whatever the database or PGOPTIONS makes the default', async (t) => {
  const strict = await server.newDatabase()
  await query(
    server.urlOf('postgres'),
    `ALTER DATABASE ${new URL(strict).pathname.slice(1)} SET default_transaction_isolation TO serializable`,
  )
  process.env['PGOPTIONS'] = '-c default_transaction_isolation=serializable'
  t.teardown(() => delete process.env['PGOPTIONS'])
  const pool = poolOn({}, strict)
  t.teardown(() => pool.close())
  t.equal(await pool.withConnection(isolationOf), 'read committed')
})

test('work that waits for a connection when the pool is closed is done before it closes', async (t) => {
  const pool = poolOn()
  const first = Promise.withResolvers<undefined>()
  const done: string[] = []
  const working = [
    pool.withConnection(async (connection) => {
      await first.promise
      await pidOf(connection)
      done.push('first')
    }),
    pool.withConnection(async (connection) => {
      await pidOf(connection)
      done.push('second')
    }),
  ]
  const closed = pool.close().then(() => done.push('closed'))
  first.resolve(undefined)
  await Promise.all([...working, closed])
  t.same(done, ['first', 'second', 'closed'])
  await t.rejects(pool.withConnection(pidOf), NotConnected)
})

test('a pool closes although the server is gone and closes nothing', { timeout: 10_000 }, async (t) => {
  const proxy = await startProxy(url)
  t.teardown(() => proxy.close())
  const pool = poolOn({}, proxy.url)
  const ended = Promise.withResolvers<unknown>()
  const hung = proxy.interruptNext('SELECT 1', 'hang')
  await pool.withConnection(async (connection) => {
    // Its socket closes when the connection has ended.
    void connection.command('SELECT 1').catch(ended.resolve)
    await hung
  })
  await pool.close()
  await ended.promise
})

test('a process that opened a storage, used it and closed nothing ends while its connections are idle', async (t) => {
  const program = new URL('../support/idle-process.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [program, url], { timeout: 60_000 })
  t.equal(stdout, '[1,1]', 'those for data and those for the quota are still open')
})

test('a connection that cannot be opened is closed immediately', { timeout: 10_000 }, async (t) => {
  const closed = Promise.withResolvers<undefined>()
  const port = await startAnswering(t, (socket) => {
    socket.on('close', () => closed.resolve(undefined))
    // AuthenticationSASL (protocol 3.0) with a mechanism that the client does not know.
    socket.write(Buffer.from([0x52, 0, 0, 0, 11, 0, 0, 0, 10, 0x58, 0, 0]))
  })
  const pool = poolOn({}, `postgres://me@127.0.0.1:${port}/sotto`)
  await t.rejects(pool.withConnection(pidOf), NotConnected)
  await closed.promise
  await pool.close()
})

test('a command may be given a time limit of its own', async (t) => {
  const pool = poolOn()
  t.teardown(() => pool.close())
  const slow = pool.withConnection((connection) => connection.command('SELECT pg_sleep(60)', 50))
  await t.rejects(slow, /timeout/)
})
