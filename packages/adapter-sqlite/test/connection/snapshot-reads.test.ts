import { expectErr, expectOk } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { createSnapshotReads } from '../../src/connection/snapshot-reads.ts'
import { temporaryDir } from '../support/helpers.ts'

/** A file with one number, `read` for what is tested, and `add` for a commit by somebody else. */
function makeFile(t: Test) {
  const path = join(temporaryDir(t), 'numbers.db')
  const other = new Sqlite(path)
  other.pragma('journal_mode = WAL')
  other.exec('CREATE TABLE numbers (n INTEGER); INSERT INTO numbers VALUES (0)')
  const statements: string[] = []
  const db = new Sqlite(path, { timeout: 0, verbose: (sql) => void statements.push(String(sql)) })
  t.teardown(() => {
    db.close()
    other.close()
  })
  const reads = createSnapshotReads(db)
  const select = db.prepare<[], number>('SELECT n FROM numbers').pluck()
  return {
    db,
    ...reads,
    run: reads.read,
    read: () => reads.read(() => select.get()).then(expectOk),
    add: () => other.exec('UPDATE numbers SET n = n + 1'),
    begun: () => statements.filter((sql) => sql === 'BEGIN').length,
  }
}

test('reads that were asked for in one phase share a snapshot, which is taken after it', async (t) => {
  const { read, add, begun } = makeFile(t)
  const asked = [read(), read()]
  add()
  asked.push(read())
  t.strictSame(await Promise.all(asked), [1, 1, 1])
  t.equal(begun(), 1)
})

test('reads that follow without a wait see the same snapshot', async (t) => {
  const { read, add, begun } = makeFile(t)
  const first = read()
  const seen: unknown[] = []
  const readOn = async () => {
    seen.push(await first)
    for (let count = 0; count < 3; count += 1) {
      seen.push(await read())
      add()
    }
  }
  await Promise.all([readOn(), readOn()])
  t.strictSame(seen, [0, 0, 0, 0, 0, 0, 0, 0])
  t.equal(begun(), 1)
})

test('what is committed before anything further is received is seen by the reads after it', async (t) => {
  const { read, add, db } = makeFile(t)
  for (let expected = 0; expected < 5; expected += 1) {
    t.strictSame(await Promise.all([read(), read(), read()]), [expected, expected, expected])
    add()
    await turn()
    t.notOk(db.inTransaction, 'the snapshot has ended')
  }
})

test('a read that is asked for after a commit sees it, whatever was read in the callback before', async (t) => {
  const { read, add } = makeFile(t)
  const seen: unknown[] = []
  const callbacks = [1, 2, 3].map(
    () =>
      new Promise<void>((resolve) => {
        setImmediate(() => {
          add()
          void Promise.all([read(), read()]).then((both) => {
            seen.push(both)
            resolve()
          })
        })
      }),
  )
  await Promise.all(callbacks)
  t.strictSame(seen, [
    [3, 3],
    [3, 3],
    [3, 3],
  ])
})

test('a single read takes no transaction', async (t) => {
  const { read, begun } = makeFile(t)
  t.equal(await read(), 0)
  await turn()
  t.equal(await read(), 0)
  t.equal(begun(), 0)
})

test('a query that throws ends neither the snapshot nor the reads after it', async (t) => {
  const { run, read, add } = makeFile(t)
  const fail = () =>
    run(() => {
      throw new Error('a query failed')
    })
  const [failed, seen] = await Promise.all([fail(), read()])
  t.match(expectErr(failed), { code: 'storage_failed' })
  t.equal(seen, 0)
  add()
  t.equal(await read(), 0)
  await turn()
  t.equal(await read(), 1)
})

test('reads that wait are answered when the connection is closed, later ones are refused', async (t) => {
  const { run, read, close, db } = makeFile(t)
  const waiting = [read(), read()]
  close()
  t.notOk(db.open)
  t.match(expectErr(await run(() => t.fail('the connection is closed'))), { reason: 'closed' })
  t.strictSame(await Promise.all(waiting), [0, 0])
  close()
  await turn()
})

test('a snapshot that could not be ended is ended by the next read, not used again', async (t) => {
  const { run, read, add, db } = makeFile(t)
  // A query that is still running keeps its connection busy, so that the snapshot cannot end.
  const [, rows] = await Promise.all([
    read(),
    run(() => db.prepare('SELECT n FROM numbers').iterate()).then(expectOk),
  ])
  rows.next()
  await turn()
  t.ok(db.inTransaction)
  rows.return?.()
  add()
  t.strictSame(await Promise.all([read(), read()]), [1, 1])
  await turn()
  t.notOk(db.inTransaction)
})

test('a snapshot can be ended immediately; the reads after it take another one', async (t) => {
  const { read, end, add, db } = makeFile(t)
  t.strictSame(await Promise.all([read(), read()]), [0, 0])
  add()
  end()
  t.notOk(db.inTransaction)
  t.strictSame(await Promise.all([read(), read()]), [1, 1])
})

test('a read waits until another process has recovered the log, and leaves the connection as it was', async (t) => {
  const { run, db } = makeFile(t)
  const timeouts: unknown[] = []
  const read = await run(() => {
    timeouts.push(db.pragma('busy_timeout', { simple: true }))
    if (timeouts.length === 1) throw new Sqlite.SqliteError('locked', 'SQLITE_BUSY_RECOVERY')
    return 'read'
  })
  t.equal(expectOk(read), 'read')
  t.strictSame(timeouts, [0, 100])
  t.equal(db.pragma('busy_timeout', { simple: true }), 0)
})
