import { expectErr, expectOk } from '@sotto/test-kit'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { err, ok, type Result } from 'neverthrow'
import { test, type Test } from 'tap'
import { GroupCommit, type GroupCommitBounds } from '../../src/connection/group-commit.ts'
import { temporaryDir } from '../support/helpers.ts'
import { createManualTimers } from '../support/manual-timers.ts'

const full = { code: 'storage_unavailable', reason: 'full' }
const busy = { code: 'storage_unavailable', reason: 'busy' }
const closed = { code: 'storage_unavailable', reason: 'closed' }

/** A file with a table of numbers, a group commit on it, and another connection to it. */
function setUp(t: Test, bounds: Partial<GroupCommitBounds> = {}, isIntact = () => true) {
  const path = join(temporaryDir(t), 'numbers.sqlite')
  const commits: string[] = []
  const db = new Sqlite(path, { timeout: 0, verbose: (sql) => void commits.push(String(sql)) })
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY, bytes BLOB) STRICT')
  const other = new Sqlite(path, { timeout: 0 })
  const fatal: unknown[] = []
  const timers = createManualTimers()
  const group = new GroupCommit({ db, onFatal: (error) => fatal.push(error), timers, isIntact, bounds })
  const insert = db.prepare('INSERT INTO numbers (n, bytes) VALUES (?, ?)')
  t.teardown(() => {
    db.close()
    other.close()
  })
  return {
    db,
    other,
    group,
    timers,
    fatal,
    add: (n: number, bytes: Buffer | null = null) => group.run(() => ok(insert.run(n, bytes).changes)),
    insert: (n: number) => insert.run(n, null),
    /** What other connections see. */
    stored: () => other.prepare('SELECT n FROM numbers ORDER BY n').pluck().all(),
    count: (sql: string) => commits.filter((each) => each === sql).length,
  }
}

test('writes of one turn share a transaction', async (t) => {
  const { add, stored, count } = setUp(t)
  const answers = await Promise.all([1, 2, 3].map((n) => add(n).then(expectOk)))
  t.same(answers, [1, 1, 1])
  t.same(stored(), [1, 2, 3])
  t.equal(count('COMMIT'), 1)
})

test('writes of several turns share a transaction where they wait so long, and only there', async (t) => {
  for (const [turns, commits] of [
    [3, 1],
    [2, 2],
    [1, 3],
  ] as const) {
    const { db, timers, count } = setUp(t)
    const group = new GroupCommit({ db, onFatal: () => undefined, timers, turns })
    const writes: ReturnType<typeof group.run>[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      writes.push(group.run(() => ok()))
      await setImmediate()
    }
    for (const answer of await Promise.all(writes)) expectOk(answer)
    t.equal(count('COMMIT'), commits)
  }
})

test('a batch takes no more writes than its bound, and the others come next', async (t) => {
  const { add, stored, count } = setUp(t, { batchLength: 10 })
  await Promise.all(Array.from({ length: 25 }, (_, n) => add(n).then(expectOk)))
  t.equal(stored().length, 25)
  t.equal(count('COMMIT'), 3)
})

test('a transaction takes no further write after its time', async (t) => {
  const { group, timers, count } = setUp(t, { transactionMillis: 10 })
  const slow = () =>
    group.run(() => {
      timers.pass(4)
      return ok()
    })
  await Promise.all(Array.from({ length: 7 }, () => slow().then(expectOk)))
  t.equal(count('COMMIT'), 3, 'three, three and one')
})

test('writes take effect in the order in which they were queued', async (t) => {
  const { group, other, db } = setUp(t, { batchLength: 3 })
  const read = db.prepare('SELECT count(*) FROM numbers').pluck()
  const insert = db.prepare('INSERT INTO numbers (n) VALUES (?)')
  const order: number[] = []
  const each = Array.from({ length: 10 }, (_, n) =>
    group
      .run(() => {
        insert.run(n)
        return ok(read.get())
      })
      .map((count) => order.push(Number(count))),
  )
  await Promise.all(each)
  t.same(order, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  t.equal(other.prepare('SELECT count(*) FROM numbers').pluck().get(), 10)
})

test('no write is answered before the commit', async (t) => {
  const { group, insert, stored } = setUp(t)
  const seen: unknown[] = []
  const look = () => seen.push(stored())
  const failing = group.run((): Result<void, { code: 'no' }> => err({ code: 'no' }))
  const both = [group.run(() => ok(insert(1))).map(look), failing.mapErr(look)]
  await Promise.all(both)
  t.same(seen, [[1], [1]], 'the committed row was there when either was answered')
})

test('an Err undoes only its own changes', async (t) => {
  const { add, group, insert, stored } = setUp(t)
  const refused = group.run((): Result<void, { code: 'no' }> => {
    insert(7)
    return err({ code: 'no' })
  })
  const [first, error, last] = await Promise.all([
    add(1).then(expectOk),
    refused.then((result) => expectErr(result)),
    add(2).then(expectOk),
  ])
  t.same([first, error, last], [1, { code: 'no' }, 1])
  t.same(stored(), [1, 2])
})

test('an Err undoes its changes also when it is the only write', async (t) => {
  const { group, insert, stored } = setUp(t)
  expectErr(
    await group.run((): Result<void, { code: 'no' }> => {
      insert(7)
      return err({ code: 'no' })
    }),
  )
  t.same(stored(), [])
})

test('writes have savepoints only in a transaction where one fails, and for a second after it', async (t) => {
  const { add, stored, count, timers } = setUp(t)
  await Promise.all([add(1), add(2)].map((answer) => answer.then(expectOk)))
  t.equal(count('SAVEPOINT job'), 0)
  const [three, one, four] = [add(3), add(1), add(4)]
  t.match(expectErr(await one), { code: 'storage_failed' })
  t.same(await Promise.all([three.then(expectOk), four.then(expectOk)]), [1, 1])
  t.equal(count('SAVEPOINT job'), 3, 'the whole transaction has run again')
  t.equal(count('COMMIT'), 2)
  timers.pass(999)
  expectOk(await add(5))
  t.equal(count('SAVEPOINT job'), 4)
  timers.pass(1)
  expectOk(await add(6))
  t.equal(count('SAVEPOINT job'), 4)
  t.same(stored(), [1, 2, 3, 4, 5, 6])
})

test('with savepoints or without, a write that ends the transaction ends it only for the writes before it', async (t) => {
  const { db, add, group, stored, timers } = setUp(t)
  for (const careful of [true, false]) {
    if (careful) expectErr(await group.run((): Result<void, { code: 'no' }> => err({ code: 'no' })))
    else timers.pass(1_000)
    const before = add(1)
    const ending = group.run(() => {
      db.exec('ROLLBACK')
      return ok('done')
    })
    const after = add(careful ? 2 : 3)
    t.match(
      [expectErr(await before), expectErr(await ending)],
      [{ code: 'storage_failed' }, { code: 'storage_failed' }],
    )
    t.equal(expectOk(await after), 1)
  }
  t.same(stored(), [2, 3])
})

test('a constraint that a write breaks does not affect the other writes', async (t) => {
  const { add, stored } = setUp(t)
  const [one, twice, two] = [add(1), add(1), add(2)]
  t.same(expectErr(await twice), {
    code: 'storage_failed',
    detail: 'SQLITE_CONSTRAINT_PRIMARYKEY: UNIQUE constraint failed: numbers.n',
  })
  t.same([expectOk(await one), expectOk(await two)], [1, 1])
  t.same(stored(), [1, 2])
})

test('a job that throws is undone, reported without the quoted input, and does not affect the other writes', async (t) => {
  const { add, group, insert, stored } = setUp(t)
  const mistaken = group.run(() => {
    insert(7)
    return ok(JSON.parse('a confidential text'))
  })
  const later = add(2)
  const error = expectErr(await mistaken)
  t.match(error, { code: 'storage_failed', detail: /^SyntaxError( at group-commit\.test\.ts:\d+:\d+)?$/ })
  t.notMatch(JSON.stringify(error), 'confidential')
  t.equal(expectOk(await later), 1)
  t.same(stored(), [2])
})

test('a full disk fails every write in the transaction, and none once there is room again', async (t) => {
  const { db, add, stored } = setUp(t)
  expectOk(await add(1))
  const pages = db.pragma('page_count', { simple: true }) as number
  db.pragma(`max_page_count = ${pages + 2}`)
  const answers = [add(2), add(3, Buffer.alloc(100_000)), add(4)]
  t.same(expectErr(await answers[1]!), full)
  const others = await Promise.all([answers[0]!, answers[2]!])
  t.same(
    stored(),
    [1, ...others.flatMap((answer, at) => (answer.isOk() ? [2 + 2 * at] : []))],
    'what was answered with Ok is stored, what was answered with Err is not',
  )
  db.pragma('max_page_count = 1000000')
  t.equal(expectOk(await add(5, Buffer.alloc(100_000))), 1)
})

test('what is committed while its file is moved is answered outcome_unknown', async (t) => {
  let asked = 0
  const { add, stored, count } = setUp(t, {}, () => (asked += 1) !== 2)
  const unknown = {
    code: 'storage_unavailable',
    reason: 'outcome_unknown',
    detail: 'a file of it was moved, replaced or removed',
  }
  for (const answer of await Promise.all([add(1), add(2)])) t.same(expectErr(answer), unknown)
  t.same(stored(), [1, 2])
  t.equal(expectOk(await add(3)), 1)
  t.same([count('COMMIT'), asked], [2, 4], 'it is asked before and after each transaction')
})

test('an error that ends the transaction is the answer to every write in it', async (t) => {
  const { db, add, group, insert, stored } = setUp(t)
  const before = add(1)
  const ending = group.run(() => {
    insert(7)
    db.exec('ROLLBACK')
    throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE')
  })
  const detail = 'SQLITE_IOERR_WRITE: disk I/O error'
  const failed = { code: 'storage_unavailable', reason: 'disk_failed', detail }
  t.same(
    await Promise.all([
      before.then((result) => expectErr(result)),
      ending.then((result) => expectErr(result)),
    ]),
    [failed, failed],
  )
  t.same(stored(), [])
  t.equal(expectOk(await add(9)), 1, 'the next transaction succeeds')
})

test('a write before one that ends the transaction is not answered with Ok', async (t) => {
  const { db, add, group, stored } = setUp(t)
  const before = add(1)
  const ending = group.run(() => {
    db.exec('ROLLBACK')
    // The job itself caught the error: it must not count as a success.
    return ok('done')
  })
  const after = add(2)
  t.match(expectErr(await before), { code: 'storage_failed' })
  t.match(expectErr(await ending), { code: 'storage_failed' })
  t.equal(expectOk(await after), 1, 'a write that had not run yet gets another transaction')
  t.same(stored(), [2])
})

test('a commit that fails is the answer to every write, also to one that ended in Err', async (t) => {
  const { db, add, group, stored } = setUp(t)
  // COMMIT checks a deferred foreign key.
  db.exec('CREATE TABLE children (n INTEGER REFERENCES numbers (n) DEFERRABLE INITIALLY DEFERRED)')
  const orphan = db.prepare('INSERT INTO children (n) VALUES (99)')
  db.pragma('foreign_keys = ON')
  const refused = group.run((): Result<void, { code: 'no' }> => err({ code: 'no' }))
  const answers = await Promise.all([
    add(1).then((result) => expectErr(result)),
    group.run(() => ok(orphan.run())).then((result) => expectErr(result)),
    refused.then((result) => expectErr(result)),
  ])
  const failed = {
    code: 'storage_failed',
    detail: 'SQLITE_CONSTRAINT_FOREIGNKEY: FOREIGN KEY constraint failed',
  }
  t.same(answers, [failed, failed, failed])
  t.same(stored(), [])
  t.equal(expectOk(await add(2)), 1, 'the connection is not stuck in the transaction')
})

test('writes wait for a lock without blocking, and keep their order', async (t) => {
  const { other, add, stored, timers, count } = setUp(t)
  other.exec('BEGIN IMMEDIATE')
  const answers = [add(1), add(2)].map((answer) => answer.then(expectOk))
  await setImmediate()
  t.same(timers.waiting(), [1], 'the lock is tried again after a millisecond')
  timers.pass(500)
  answers.push(add(3).then(expectOk))
  await setImmediate()
  t.equal(timers.waiting().length, 1, 'a write that arrives in between waits with the others')
  other.exec('COMMIT')
  timers.pass(25)
  t.same(await Promise.all(answers), [1, 1, 1])
  t.same(stored(), [1, 2, 3])
  t.equal(count('COMMIT'), 1)
})

test('a write that has waited two seconds for a lock is answered with busy, later ones keep waiting', async (t) => {
  const { other, add, stored, timers } = setUp(t)
  other.exec('BEGIN IMMEDIATE')
  const early = add(1).then((result) => expectErr(result))
  await setImmediate()
  timers.pass(1_500)
  const late = add(2).then(expectOk)
  timers.pass(525)
  t.same(await early, busy)
  other.exec('COMMIT')
  timers.pass(25)
  t.equal(await late, 1)
  t.same(stored(), [2])
})

test('a queue that is full refuses the next write', async (t) => {
  const { add, stored } = setUp(t, { queueLength: 3 })
  const [one, two, three, four] = [add(1), add(2), add(3), add(4)]
  t.same(expectErr(await four), busy)
  await Promise.all([one.then(expectOk), two.then(expectOk), three.then(expectOk)])
  t.same(stored(), [1, 2, 3])
  t.equal(expectOk(await add(5)), 1)
})

test('closing commits what is queued and refuses what comes later', async (t) => {
  const { group, add, stored } = setUp(t, { batchLength: 2 })
  const queued = [1, 2, 3, 4, 5].map((n) => add(n).then(expectOk))
  const closing = group.close()
  t.same(expectErr(await add(6)), closed)
  await closing
  t.same(await Promise.all(queued), [1, 1, 1, 1, 1])
  t.same(stored(), [1, 2, 3, 4, 5])
  await group.close()
  t.same(expectErr(await add(7)), closed)
})

test('closing an idle group resolves', async (t) => {
  const { group } = setUp(t)
  await t.resolves(group.close())
})

test('a failed fsync is reported as fatal, and every further write is refused', async (t) => {
  const { db, fatal, timers } = setUp(t)
  const fsyncError = new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC')
  const failing = Object.create(db) as Sqlite.Database
  Object.defineProperties(failing, {
    inTransaction: { get: () => db.inTransaction },
    prepare: {
      value: (sql: string) =>
        sql === 'COMMIT'
          ? {
              run: () => {
                throw fsyncError
              },
            }
          : db.prepare(sql),
    },
  })
  const group = new GroupCommit({ db: failing, onFatal: (error) => fatal.push(error), timers })
  const failed = { code: 'storage_failed', detail: 'SQLITE_IOERR_FSYNC: disk I/O error' }
  t.same(
    await Promise.all([
      group.run(() => ok()).then((result) => expectErr(result)),
      group.run(() => ok()).then((result) => expectErr(result)),
    ]),
    [failed, failed],
  )
  t.same(fatal, [fsyncError])
  t.same(expectErr(await group.run(() => ok())), failed, 'a later write')
  t.equal(fatal.length, 1)
})

test('the process does not end while a write waits for a lock', async (t) => {
  const { other, add, timers } = setUp(t)
  other.exec('BEGIN IMMEDIATE')
  const answer = add(1).then(expectOk)
  await setImmediate()
  t.strictSame(timers.waitingFor({ background: false }), timers.waiting())
  other.exec('COMMIT')
  timers.pass(25)
  t.equal(await answer, 1)
})

test('waiting for a lock does not block the event loop', async (t) => {
  const { other, add, timers } = setUp(t)
  other.exec('BEGIN IMMEDIATE')
  const answer = add(1).then((result) => expectErr(result))
  const startMillis = performance.now()
  for (let turn = 0; turn < 50; turn += 1) {
    await setImmediate()
    timers.pass(50)
  }
  t.same(await answer, busy)
  t.ok(performance.now() - startMillis < 2_000, 'waiting for two seconds blocked nothing')
})

test('a transaction that runs again has savepoints, however long another connection held the lock in between', async (t) => {
  const { db, other, timers, count, stored } = setUp(t)
  // Takes the lock as soon as the first run has released it.
  const contended = Object.create(db) as Sqlite.Database
  Object.defineProperties(contended, {
    inTransaction: { get: () => db.inTransaction },
    prepare: {
      value: (sql: string) => {
        const statement = db.prepare(sql)
        if (sql !== 'ROLLBACK') return statement
        return {
          run: () => {
            statement.run()
            other.exec('BEGIN IMMEDIATE')
          },
        }
      },
    },
  })
  const group = new GroupCommit({ db: contended, onFatal: () => undefined, timers })
  const insert = db.prepare('INSERT INTO numbers (n) VALUES (?)')
  const good = group.run(() => ok(insert.run(1).changes)).then(expectOk)
  const bad = group
    .run((): Result<void, { code: 'no' }> => {
      insert.run(7)
      return err({ code: 'no' })
    })
    .then((result) => expectErr(result))
  await setImmediate()
  timers.pass(1_500)
  other.exec('COMMIT')
  timers.pass(25)
  t.same(await Promise.all([good, bad]), [1, { code: 'no' }])
  t.equal(count('SAVEPOINT job'), 2)
  t.same(stored(), [1])
})

test('the lock is tried again after 1, 2, 4 … ms, at most 25, and after 1 ms for the next lock', async (t) => {
  const { other, add, timers } = setUp(t)
  for (let lock = 0; lock < 2; lock += 1) {
    other.exec('BEGIN IMMEDIATE')
    const answer = add(lock).then(expectOk)
    await setImmediate()
    const waits: (readonly number[])[] = []
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const waiting = timers.waiting()
      waits.push(waiting)
      timers.pass(waiting[0] ?? 0)
    }
    t.same(waits, [[1], [2], [4], [8], [16], [25], [25]])
    other.exec('COMMIT')
    timers.pass(25)
    t.equal(await answer, 1)
  }
})

test('once no write waits for the lock, it is not tried again', async (t) => {
  const { other, add, timers } = setUp(t)
  other.exec('BEGIN IMMEDIATE')
  const late = add(1).then((result) => expectErr(result))
  await setImmediate()
  timers.pass(2_100)
  t.same(await late, busy)
  t.same(timers.waiting(), [])
})

test('a transaction that cannot begin for another reason than a lock is the answer to every write', async (t) => {
  const { db, timers, fatal } = setUp(t)
  const fullError = new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL')
  let isFull = true
  const failing = Object.create(db) as Sqlite.Database
  const begin = db.prepare('BEGIN IMMEDIATE')
  const run = () => {
    if (isFull) throw fullError
    return begin.run()
  }
  Object.defineProperties(failing, {
    inTransaction: { get: () => db.inTransaction },
    prepare: { value: (sql: string) => (sql === 'BEGIN IMMEDIATE' ? { run } : db.prepare(sql)) },
  })
  const group = new GroupCommit({ db: failing, onFatal: (error) => fatal.push(error), timers })
  const answers = await Promise.all(
    [1, 2].map(() => group.run(() => ok()).then((result) => expectErr(result))),
  )
  t.same(answers, [full, full])
  t.same(timers.waiting(), [])
  isFull = false
  t.equal(expectOk(await group.run(() => ok('written'))), 'written')
  t.same(fatal, [])
})

test('an idle group that closes begins no transaction', async (t) => {
  const { group, count } = setUp(t)
  await group.close()
  t.equal(count('BEGIN IMMEDIATE'), 0)
})

test('writes are refused once the version of the tables is another one', async (t) => {
  const { db, other, timers } = setUp(t)
  const group = new GroupCommit({ db, onFatal: () => undefined, timers, version: 0 })
  t.equal(expectOk(await group.run(() => ok('written'))), 'written')
  other.pragma('user_version = 1')
  const migrated = { code: 'storage_failed', detail: /migrated/ }
  t.match(expectErr(await group.run(() => ok())), migrated)
  other.pragma('user_version = 0')
  t.match(expectErr(await group.run(() => ok())), migrated, 'and later ones, whatever the version is then')
  t.notOk(db.inTransaction)
})

test('a failed fsync within a write ends the transaction immediately, with savepoints or without', async (t) => {
  for (const isCareful of [false, true]) {
    const { group, fatal, add } = setUp(t)
    if (isCareful) expectErr(await group.run(() => err('a failure before')))
    const fsyncError = new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC')
    let runs = 0
    const failed = group.run(() => {
      runs += 1
      throw fsyncError
    })
    const [one, other] = await Promise.all([failed, add(1)])
    t.match([expectErr(one), expectErr(other)], [{ code: 'storage_failed' }, { code: 'storage_failed' }])
    t.same([runs, fatal], [1, [fsyncError]])
  }
})

test('a failed fsync is reported once, also when further writes wait', async (t) => {
  const { group, fatal, add } = setUp(t, { batchLength: 1 })
  const fsyncError = new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC')
  const failed = group.run(() => {
    throw fsyncError
  })
  const answers = await Promise.all([failed, add(1), add(2)])
  for (const answer of answers) t.match(expectErr(answer), { code: 'storage_failed' })
  t.same(fatal, [fsyncError])
})

test('a transaction takes one write, however short its time', async (t) => {
  const { add, count } = setUp(t, { transactionMillis: 0 })
  await Promise.all([1, 2, 3].map((n) => add(n).then(expectOk)))
  t.equal(count('COMMIT'), 3)
})

test('a write that has waited exactly as long as it may is answered with busy', async (t) => {
  const { other, add, timers } = setUp(t, { lockWaitMillis: 3 })
  other.exec('BEGIN IMMEDIATE')
  const late = add(1).then((result) => expectErr(result))
  await setImmediate()
  timers.pass(3)
  t.same(timers.waiting(), [])
  t.same(await late, busy)
})

test('how long writes have waited is reported in seconds, and how many were committed together', async (t) => {
  const { db, timers } = setUp(t)
  const reported: unknown[] = []
  const report = (...given: unknown[]) => reported.push(given)
  const group = new GroupCommit({ db, onFatal: () => undefined, timers, report })
  const early = group.run(() => ok())
  timers.pass(500)
  const answers = await Promise.all([early, group.run(() => ok())])
  for (const answer of answers) expectOk(answer)
  t.same(reported, [
    ['commit_batch_writes', 2],
    ['commit_wait_seconds', 0.5],
    ['commit_wait_seconds', 0],
  ])
})
