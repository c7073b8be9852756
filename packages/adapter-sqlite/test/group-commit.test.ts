import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { err, ok, type Result } from 'neverthrow'
import { test, type Test } from 'tap'
import { GroupCommit, type GroupCommitBounds } from '../src/group-commit.ts'
import { errOf, okOf, temporaryDir } from './helpers.ts'
import { createManualTimers } from './manual-timers.ts'

const full = { code: 'storage_unavailable', reason: 'full' }
const busy = { code: 'storage_unavailable', reason: 'busy' }
const closed = { code: 'storage_unavailable', reason: 'closed' }

/** A file with a table of numbers, a group commit on it, and somebody else who has it open. */
function setUp(t: Test, bounds: Partial<GroupCommitBounds> = {}) {
  const path = join(temporaryDir(t), 'numbers.sqlite')
  const commits: string[] = []
  const db = new Sqlite(path, { timeout: 0, verbose: (sql) => void commits.push(String(sql)) })
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY, bytes BLOB) STRICT')
  const other = new Sqlite(path, { timeout: 0 })
  const fatal: unknown[] = []
  const timers = createManualTimers()
  const group = new GroupCommit({ db, onFatal: (error) => fatal.push(error), timers, bounds })
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
    /** What others see. */
    kept: () => other.prepare('SELECT n FROM numbers ORDER BY n').pluck().all(),
    count: (sql: string) => commits.filter((each) => each === sql).length,
  }
}

test('writes of one turn share a transaction', async (t) => {
  const { add, kept, count } = setUp(t)
  const answers = await Promise.all([1, 2, 3].map((n) => okOf(add(n))))
  t.same(answers, [1, 1, 1])
  t.same(kept(), [1, 2, 3])
  t.equal(count('COMMIT'), 1)
})

test('a batch takes no more writes than its bound, and the others come next', async (t) => {
  const { add, kept, count } = setUp(t, { batchLength: 10 })
  await Promise.all(Array.from({ length: 25 }, (_, n) => okOf(add(n))))
  t.equal(kept().length, 25)
  t.equal(count('COMMIT'), 3)
})

test('a transaction takes no further write after its time', async (t) => {
  const { group, timers, count } = setUp(t, { transactionMillis: 10 })
  const slow = () =>
    group.run(() => {
      timers.pass(4)
      return ok()
    })
  await Promise.all(Array.from({ length: 7 }, () => okOf(slow())))
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

test('nobody is answered before the commit', async (t) => {
  const { group, insert, kept } = setUp(t)
  const seen: unknown[] = []
  const look = () => seen.push(kept())
  const failing = group.run((): Result<void, { code: 'no' }> => err({ code: 'no' }))
  const both = [group.run(() => ok(insert(1))).map(look), failing.mapErr(look)]
  await Promise.all(both)
  t.same(seen, [[1], [1]], 'the one who failed and the one who succeeded saw the committed row')
})

test('an Err undoes its own changes alone', async (t) => {
  const { add, group, insert, kept } = setUp(t)
  const refused = group.run((): Result<void, { code: 'no' }> => {
    insert(7)
    return err({ code: 'no' })
  })
  const [first, error, last] = await Promise.all([okOf(add(1)), errOf(refused), okOf(add(2))])
  t.same([first, error, last], [1, { code: 'no' }, 1])
  t.same(kept(), [1, 2])
})

test('an Err undoes its changes also when it is alone', async (t) => {
  const { group, insert, kept } = setUp(t)
  await errOf(
    group.run((): Result<void, { code: 'no' }> => {
      insert(7)
      return err({ code: 'no' })
    }),
  )
  t.same(kept(), [])
})

test('only where a write fails, and for a second after, each write has a savepoint', async (t) => {
  const { add, kept, count, timers } = setUp(t)
  await Promise.all([add(1), add(2)].map(okOf))
  t.equal(count('SAVEPOINT job'), 0)
  const [three, one, four] = [add(3), add(1), add(4)]
  t.match(await errOf(one), { code: 'storage_failed' })
  t.same(await Promise.all([okOf(three), okOf(four)]), [1, 1])
  t.equal(count('SAVEPOINT job'), 3, 'the whole transaction has run again')
  t.equal(count('COMMIT'), 2)
  timers.pass(999)
  await okOf(add(5))
  t.equal(count('SAVEPOINT job'), 4)
  timers.pass(1)
  await okOf(add(6))
  t.equal(count('SAVEPOINT job'), 4)
  t.same(kept(), [1, 2, 3, 4, 5, 6])
})

test('with savepoints or without, who ends the transaction ends it for those before him alone', async (t) => {
  const { db, add, group, kept, timers } = setUp(t)
  for (const careful of [true, false]) {
    if (careful) await errOf(group.run((): Result<void, { code: 'no' }> => err({ code: 'no' })))
    else timers.pass(1_000)
    const before = add(1)
    const ending = group.run(() => {
      db.exec('ROLLBACK')
      return ok('kept')
    })
    const after = add(careful ? 2 : 3)
    t.match(
      [await errOf(before), await errOf(ending)],
      [{ code: 'storage_failed' }, { code: 'storage_failed' }],
    )
    t.equal(await okOf(after), 1)
  }
  t.same(kept(), [2, 3])
})

test('a constraint that a write breaks is its own affair', async (t) => {
  const { add, kept } = setUp(t)
  const [one, twice, two] = [add(1), add(1), add(2)]
  t.same(await errOf(twice), {
    code: 'storage_failed',
    detail: 'SQLITE_CONSTRAINT_PRIMARYKEY: UNIQUE constraint failed: numbers.n',
  })
  t.same([await okOf(one), await okOf(two)], [1, 1])
  t.same(kept(), [1, 2])
})

test('a mistake of the programmer is undone, told without what it quoted, and concerns nobody else', async (t) => {
  const { add, group, insert, kept } = setUp(t)
  const mistaken = group.run(() => {
    insert(7)
    return ok(JSON.parse('a confided text'))
  })
  const later = add(2)
  const error = await errOf(mistaken)
  t.match(error, { code: 'storage_failed', detail: /^SyntaxError( at group-commit\.test\.ts:\d+:\d+)?$/ })
  t.notMatch(JSON.stringify(error), 'confided')
  t.equal(await okOf(later), 1)
  t.same(kept(), [2])
})

test('a full disk fails everybody in the transaction, and nobody after there is room again', async (t) => {
  const { db, add, kept } = setUp(t)
  await okOf(add(1))
  const pages = db.pragma('page_count', { simple: true }) as number
  db.pragma(`max_page_count = ${pages + 2}`)
  const answers = [add(2), add(3, Buffer.alloc(100_000)), add(4)]
  t.same(await errOf(answers[1]!), full)
  const others = await Promise.all([answers[0]!, answers[2]!])
  t.same(
    kept(),
    [1, ...others.flatMap((answer, at) => (answer.isOk() ? [2 + 2 * at] : []))],
    'what was answered with Ok is kept, what was answered with Err is not',
  )
  db.pragma('max_page_count = 1000000')
  t.equal(await okOf(add(5, Buffer.alloc(100_000))), 1)
})

test('an error that ends the transaction is the answer of everybody in it', async (t) => {
  const { db, add, group, insert, kept } = setUp(t)
  const before = add(1)
  const ending = group.run(() => {
    insert(7)
    db.exec('ROLLBACK')
    throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE')
  })
  const failed = { code: 'storage_failed', detail: 'SQLITE_IOERR_WRITE: disk I/O error' }
  t.same(await Promise.all([errOf(before), errOf(ending)]), [failed, failed])
  t.same(kept(), [])
  t.equal(await okOf(add(9)), 1, 'the next transaction is sound')
})

test('who was queued before one that ends the transaction is not told that it was kept', async (t) => {
  const { db, add, group, kept } = setUp(t)
  const before = add(1)
  const ending = group.run(() => {
    db.exec('ROLLBACK')
    // Caught by the job itself: it must not pass for a success.
    return ok('kept')
  })
  const after = add(2)
  t.match(await errOf(before), { code: 'storage_failed' })
  t.match(await errOf(ending), { code: 'storage_failed' })
  t.equal(await okOf(after), 1, 'one that had not begun gets a transaction of its own')
  t.same(kept(), [2])
})

test('a commit that fails fails everybody, the Errs too', async (t) => {
  const { db, add, group, kept } = setUp(t)
  // A deferred foreign key is judged by COMMIT.
  db.exec('CREATE TABLE children (n INTEGER REFERENCES numbers (n) DEFERRABLE INITIALLY DEFERRED)')
  const orphan = db.prepare('INSERT INTO children (n) VALUES (99)')
  db.pragma('foreign_keys = ON')
  const refused = group.run((): Result<void, { code: 'no' }> => err({ code: 'no' }))
  const answers = await Promise.all([errOf(add(1)), errOf(group.run(() => ok(orphan.run()))), errOf(refused)])
  const failed = {
    code: 'storage_failed',
    detail: 'SQLITE_CONSTRAINT_FOREIGNKEY: FOREIGN KEY constraint failed',
  }
  t.same(answers, [failed, failed, failed])
  t.same(kept(), [])
  t.equal(await okOf(add(2)), 1, 'the connection is not stuck in the transaction')
})

test('a lock that somebody else holds is waited for without blocking, in the same order', async (t) => {
  const { other, add, kept, timers, count } = setUp(t)
  other.exec('BEGIN IMMEDIATE')
  const answers = [add(1), add(2)].map((answer) => okOf(answer))
  await setImmediate()
  t.same(timers.waiting(), [1], 'it asks again after a millisecond')
  timers.pass(500)
  answers.push(okOf(add(3)))
  await setImmediate()
  t.equal(timers.waiting().length, 1, 'one who arrives meanwhile waits with the others')
  other.exec('COMMIT')
  timers.pass(25)
  t.same(await Promise.all(answers), [1, 1, 1])
  t.same(kept(), [1, 2, 3])
  t.equal(count('COMMIT'), 1)
})

test('who has waited for a lock for two seconds is told that the storage is busy, others wait on', async (t) => {
  const { other, add, kept, timers } = setUp(t)
  other.exec('BEGIN IMMEDIATE')
  const early = errOf(add(1))
  await setImmediate()
  timers.pass(1_500)
  const late = okOf(add(2))
  timers.pass(525)
  t.same(await early, busy)
  other.exec('COMMIT')
  timers.pass(25)
  t.equal(await late, 1)
  t.same(kept(), [2])
})

test('a queue that is full refuses the next write', async (t) => {
  const { add, kept } = setUp(t, { queueLength: 3 })
  const [one, two, three, four] = [add(1), add(2), add(3), add(4)]
  t.same(await errOf(four), busy)
  await Promise.all([okOf(one), okOf(two), okOf(three)])
  t.same(kept(), [1, 2, 3])
  t.equal(await okOf(add(5)), 1)
})

test('closing commits what is queued and refuses what comes later', async (t) => {
  const { group, add, kept } = setUp(t, { batchLength: 2 })
  const queued = [1, 2, 3, 4, 5].map((n) => okOf(add(n)))
  const closing = group.close()
  t.same(await errOf(add(6)), closed)
  await closing
  t.same(await Promise.all(queued), [1, 1, 1, 1, 1])
  t.same(kept(), [1, 2, 3, 4, 5])
  await group.close()
  t.same(await errOf(add(7)), closed)
})

test('closing an idle group ends', async (t) => {
  const { group } = setUp(t)
  await t.resolves(group.close())
})

test('a failed fsync is reported as fatal, and no write is taken any more', async (t) => {
  const { db, fatal } = setUp(t)
  const failure = new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC')
  const failing = Object.create(db) as Sqlite.Database
  Object.defineProperties(failing, {
    inTransaction: { get: () => db.inTransaction },
    prepare: {
      value: (sql: string) =>
        sql === 'COMMIT'
          ? {
              run: () => {
                throw failure
              },
            }
          : db.prepare(sql),
    },
  })
  const group = new GroupCommit({ db: failing, onFatal: (error) => fatal.push(error) })
  const failed = { code: 'storage_failed', detail: 'SQLITE_IOERR_FSYNC: disk I/O error' }
  t.same(await Promise.all([errOf(group.run(() => ok())), errOf(group.run(() => ok()))]), [failed, failed])
  t.same(fatal, [failure])
  t.same(await errOf(group.run(() => ok())), failed, 'a later write')
  t.equal(fatal.length, 1)
})

test('the event loop turns while a lock is waited for', async (t) => {
  const { other, add, timers } = setUp(t)
  other.exec('BEGIN IMMEDIATE')
  const answer = errOf(add(1))
  const startMillis = performance.now()
  for (let turn = 0; turn < 50; turn += 1) {
    await setImmediate()
    timers.pass(50)
  }
  t.same(await answer, busy)
  t.ok(performance.now() - startMillis < 1_000, 'two seconds of waiting took none of ours')
})

test('what runs again has savepoints, however long the lock was in other hands meanwhile', async (t) => {
  const { db, other, timers, count, kept } = setUp(t)
  // Takes the lock as soon as the first run gives it back.
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
  const good = okOf(group.run(() => ok(insert.run(1).changes)))
  const bad = errOf(
    group.run((): Result<void, { code: 'no' }> => {
      insert.run(7)
      return err({ code: 'no' })
    }),
  )
  await setImmediate()
  timers.pass(1_500)
  other.exec('COMMIT')
  timers.pass(25)
  t.same(await Promise.all([good, bad]), [1, { code: 'no' }])
  t.equal(count('SAVEPOINT job'), 2)
  t.same(kept(), [1])
})
