import { expectErr, expectOk } from '@sotto/test-kit'
import { err, ok } from 'neverthrow'
import { DatabaseError } from 'pg'
import { after, test, type Test } from 'tap'
import { createDatabase, retryMillis, type Database } from '../../src/connection/database.ts'
import type { Connection } from '../../src/connection/connection.ts'
import { createPool, type Pool } from '../../src/connection/pool.ts'
import type { Sql } from '../../src/connection/sql.ts'
import { readUrl } from '../../src/connection/url.ts'
import { sharedServer } from '../support/server.ts'

const server = await sharedServer()
const url = await server.newDatabase()
after(() => server.stop())

function poolOn(connectionsMax = 4): Pool {
  const onError = (): void => undefined
  return createPool({ url: expectOk(readUrl(url)), connectionsMax, pipeline: true, prepare: true, onError })
}

/** Counts how often work is given a connection. */
function counted(pool: Pool): Pool & { readonly tries: () => number } {
  let tries = 0
  return {
    ...pool,
    withConnection(work) {
      tries += 1
      return pool.withConnection(work)
    },
    tries: () => tries,
  }
}

const createTable = {
  name: 'create',
  text: 'CREATE TABLE IF NOT EXISTS numbers (id integer PRIMARY KEY, value integer)',
}
const emptyTable = { name: 'empty', text: 'DELETE FROM numbers' }
const put = { name: 'put', text: 'INSERT INTO numbers (id, value) VALUES ($1, $2)' }
const sum = { name: 'sum', text: 'SELECT coalesce(sum(value), 0) FROM numbers' }
const values = { name: 'values', text: 'SELECT value FROM numbers ORDER BY id' }
const endMyself = { name: 'end', text: 'SELECT pg_terminate_backend(pg_backend_pid())' }

/** A database with an empty table, the pool that it uses, and how often that was asked. */
async function open(t: Test): Promise<{ db: Database & { close(): Promise<void> }; tries: () => number }> {
  const pool = counted(poolOn())
  const db = createDatabase(pool)
  t.teardown(() => db.close())
  for (const statement of [createTable, emptyTable])
    expectOk(await db.statement(async (sql) => ok(await sql.changes(statement))))
  const before = pool.tries()
  return { db, tries: () => pool.tries() - before }
}

async function valuesIn(db: Database): Promise<readonly number[]> {
  return expectOk(await db.read((sql) => sql.rows<[number]>(values))).map(([value]) => value)
}

test('transactions that read what another one writes run again, one after the other in effect', async (t) => {
  const { db, tries } = await open(t)
  // Two have read before any of them writes.
  const met = Promise.withResolvers<undefined>()
  let reads = 0
  const add = (id: number) =>
    db.transaction(async (sql) => {
      const [total] = (await sql.row<[number]>(sum)) ?? []
      reads += 1
      if (reads === 2) met.resolve(undefined)
      await met.promise
      await sql.changes(put, [id, Number(total) + 1])
      return ok()
    })
  for (const result of await Promise.all([1, 2, 3, 4, 5, 6].map(add))) expectOk(result)
  t.same(
    (await valuesIn(db)).toSorted((one, other) => one - other),
    [1, 2, 4, 8, 16, 32],
  )
  t.ok(tries() > 7, 'some of them ran again')
})

const conflict = Object.assign(new DatabaseError('conflict', 0, 'error'), { code: '40001' })

/** A clock that goes on as long as each pause asks for. */
function manualPatience() {
  let nowMillis = 0
  const pauses: number[] = []
  return {
    pauses,
    nowMillis: () => nowMillis,
    async pause(millis: number) {
      pauses.push(millis)
      nowMillis += 100
    },
  }
}

test('a transaction that conflicts again and again is busy once its time is over', async (t) => {
  const patience = manualPatience()
  const pool = counted({ withConnection: () => Promise.reject(conflict), close: () => Promise.resolve() })
  const db = createDatabase(pool, patience)
  const failed = expectErr(await db.transaction(async () => ok()))
  t.same(failed, { code: 'storage_unavailable', reason: 'busy' })
  t.ok(patience.nowMillis() >= retryMillis - 100 && patience.nowMillis() <= retryMillis)
  t.same(pool.tries(), patience.pauses.length + 1)
  t.ok(Math.max(...patience.pauses) <= 100, 'no pause is long')
})

/** A pool with one connection, whose commands and statements fail as `failing` says, and what was sent on it. */
function scripted(failing: Readonly<Record<string, Error>>): { pool: Pool; sent: readonly string[] } {
  const sent: string[] = []
  const send = async <T>(what: string, answer: T): Promise<T> => {
    sent.push(what)
    const error = failing[what]
    if (error !== undefined) throw error
    return Promise.resolve(answer)
  }
  const connection: Connection = {
    isPipelined: true,
    rows: ({ name }) => send(name, []),
    row: ({ name }) => send(name, undefined),
    changes: ({ name }) => send(name, 1),
    all: () => Promise.resolve([]),
    command: (text) => send(text.split(' ')[0] ?? '', text),
  }
  return { pool: { withConnection: (work) => work(connection), close: () => Promise.resolve() }, sent }
}

const cancelled = Object.assign(new DatabaseError('cancelled', 0, 'error'), { code: '57014' })

test('a transaction that could not begin sends no statement', async (t) => {
  const { pool, sent } = scripted({ BEGIN: cancelled })
  const result = await createDatabase(pool).transaction(async (sql) => ok(await sql.changes(put, [1, 1])))
  t.same(expectErr(result), { code: 'storage_unavailable', reason: 'busy' })
  t.same(sent, ['BEGIN'])
})

test('a transaction whose statement failed is rolled back, unless nothing answers any more', async (t) => {
  const work = (pool: Pool) =>
    createDatabase(pool).transaction(async (sql) => ok(await sql.changes(put, [1, 1])))
  const failed = scripted({ put: cancelled })
  t.same(expectErr(await work(failed.pool)), { code: 'storage_unavailable', reason: 'busy' })
  t.same(failed.sent, ['BEGIN', 'put', 'ROLLBACK'])
  const silent = scripted({ put: new Error('Query read timeout') })
  t.same(expectErr(await work(silent.pool)), { code: 'storage_unavailable', reason: 'outcome_unknown' })
  t.same(silent.sent, ['BEGIN', 'put'])
})

test('what a connection is to blame for runs again on another one', async (t) => {
  const stale = Object.assign(new DatabaseError('stale', 0, 'error'), { code: '26000' })
  for (const kind of ['read', 'statement', 'transaction'] as const) {
    const [bad, good] = [scripted({ put: stale }), scripted({})]
    const pools = [bad.pool, good.pool]
    const pool = counted({
      withConnection: (work) => (pools.shift() ?? bad.pool).withConnection(work),
      close: () => Promise.resolve(),
    })
    const db = createDatabase(pool, manualPatience())
    const work = (sql: Sql) => sql.changes(put, [1, 1])
    const result = kind === 'read' ? await db.read(work) : await db[kind](async (sql) => ok(await work(sql)))
    t.equal(expectOk(result), 1, kind)
    t.equal(pool.tries(), 2, kind)
  }
})

test('a row that breaks a foreign key is an error that the caller named, a race, or a failure', async (t) => {
  const broken = Object.assign(new DatabaseError('broken', 0, 'error'), {
    code: '23503',
    constraint: 'a_fkey',
  })
  const failing = { withConnection: () => Promise.reject(broken), close: () => Promise.resolve() }
  const write = async (options: object) => {
    const pool = counted(failing)
    const result = await createDatabase(pool, manualPatience()).statement(async () => ok(), options)
    return { error: expectErr(result), tries: pool.tries() }
  }
  const named = await write({
    violation: (name: string) => (name === 'a_fkey' ? { code: 'named' } : undefined),
  })
  t.same(named, { error: { code: 'named' }, tries: 1 })
  const raced = await write({ isRace: (name: string) => name === 'a_fkey' })
  t.same(raced.error, { code: 'storage_unavailable', reason: 'busy' })
  t.ok(raced.tries > 1)
  const failed = await write({ isRace: (name: string) => name === 'b_fkey' })
  t.same(failed, { error: { code: 'storage_failed', detail: '23503 a_fkey' }, tries: 1 })
})

test('an Err of the work rolls the transaction back and is passed on', async (t) => {
  const { db, tries } = await open(t)
  const refused = await db.transaction(async (sql) => {
    await sql.changes(put, [1, 1])
    return err({ code: 'refused' as const })
  })
  t.same(expectErr(refused), { code: 'refused' })
  t.same(await valuesIn(db), [])
  t.same(tries(), 2)
})

test('a transaction whose failed statement was swallowed is not reported as committed', async (t) => {
  const { db } = await open(t)
  const result = await db.transaction(async (sql) => {
    await sql.changes(put, [1, 1])
    await sql.changes(put, [1, 1]).catch(() => undefined)
    return ok()
  })
  t.match(expectErr(result), { code: 'storage_failed' })
  t.same(await valuesIn(db), [])
})

test('a write whose connection is cut has an unknown outcome, runs once, and the next one succeeds', async (t) => {
  const { db, tries } = await open(t)
  const unknown = { code: 'storage_unavailable', reason: 'outcome_unknown' }
  t.same(expectErr(await db.statement(async (sql) => ok(await sql.changes(endMyself)))), unknown)
  const cut = await db.transaction(async (sql) => {
    await sql.changes(put, [1, 1])
    await sql.changes(endMyself)
    return ok()
  })
  t.same(expectErr(cut), unknown)
  t.same(tries(), 2)
  expectOk(await db.transaction(async (sql) => ok(await sql.changes(put, [2, 2]))))
  t.same(await valuesIn(db), [2])
})

test('a read whose connection is cut runs once more on another one', async (t) => {
  const { db, tries } = await open(t)
  let runs = 0
  const read = await db.read(async (sql) => {
    runs += 1
    if (runs === 1) await sql.row(endMyself)
    return runs
  })
  t.same(expectOk(read), 2)
  const cut = await db.read((sql) => sql.row(endMyself))
  t.same(expectErr(cut), { code: 'storage_unavailable', reason: 'busy' })
  t.same(tries(), 4)
})

test('an error that no statement caused is a failure without its message', async (t) => {
  const { db, tries } = await open(t)
  const canary = 'canary-7f3a'
  const work = (): Promise<never> => Promise.reject(new TypeError(canary))
  const results = [await db.read(work), await db.statement(work), await db.transaction(work)]
  for (const result of results) {
    const error = expectErr(result)
    t.match(error, { code: 'storage_failed', detail: /^TypeError/ })
    t.notMatch(JSON.stringify(error), canary)
  }
  t.same(tries(), 3)
})

test('once closed, nothing runs', async (t) => {
  const { db, tries } = await open(t)
  await db.close()
  await db.close()
  const work = async () => ok()
  const closed = { code: 'storage_unavailable', reason: 'closed' }
  t.same(expectErr(await db.read(() => Promise.resolve(1))), closed)
  t.same(expectErr(await db.statement(work)), closed)
  t.same(expectErr(await db.transaction(work)), closed)
  t.same(tries(), 0)
})

const pid = { name: 'pid', text: 'SELECT pg_backend_pid()' }
const pidOf = async (connection: Connection) => (await connection.row<[number]>(pid))?.[0]

test('a connection whose transaction stays open, or which did not answer in time, is not used again', async (t) => {
  const pool = poolOn(1)
  t.teardown(() => pool.close())
  const open = await pool.withConnection(async (connection) => {
    await connection.command('BEGIN')
    return pidOf(connection)
  })
  const next = await pool.withConnection(pidOf)
  t.not(next, open)
  t.same(await pool.withConnection(pidOf), next, 'one that is free is used again')
  await t.rejects(pool.withConnection(() => Promise.reject(new Error('Query read timeout'))))
  t.not(await pool.withConnection(pidOf), next)
})

test('how many writes are committed together, and how long each of them waited, is measured; nothing of one that fails', async (t) => {
  const { pool } = scripted({ fails: cancelled })
  const measured: unknown[] = []
  const meter = { observe: (...seen: unknown[]) => void measured.push(seen), gauge: () => undefined }
  let millis = 10_000
  const db = createDatabase(pool, { meter, part: 'quota', nowMillis: () => millis })
  const statement = { name: 'works', text: '' }
  const works = async (sql: Sql) => {
    millis += 250
    return ok(await sql.changes(statement))
  }
  expectOk(await db.statement(works, { askedMillis: [9_000, 9_750] }))
  expectOk(await db.transaction(works))
  expectErr(await db.statement(async (sql) => ok(await sql.changes({ ...statement, name: 'fails' }))))
  expectErr(await db.statement(() => Promise.resolve(err({ code: 'no' } as const)), { askedMillis: [0] }))
  t.same(measured, [
    ['commit_batch_writes', 'quota', 2],
    ['commit_wait_seconds', 'quota', 1.25],
    ['commit_wait_seconds', 'quota', 0.5],
    ['commit_batch_writes', 'quota', 1],
    ['commit_wait_seconds', 'quota', 0.25],
  ])
})
