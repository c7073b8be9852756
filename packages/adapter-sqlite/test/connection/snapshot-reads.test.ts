import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { createSnapshotReads } from '../../src/connection/snapshot-reads.ts'
import { temporaryDir } from '../support/helpers.ts'

/** A file with one number, `read` for what is tested, and `add` for a commit by somebody else. */
function makeFile(t: Test) {
  const path = join(temporaryDir(t), 'numbers.db')
  const writer = new Sqlite(path)
  writer.pragma('journal_mode = WAL')
  writer.exec('CREATE TABLE numbers (n INTEGER); INSERT INTO numbers VALUES (0)')
  const reader = new Sqlite(path, { readonly: true })
  t.teardown(() => {
    reader.close()
    writer.close()
  })
  const reads = createSnapshotReads(reader)
  const select = reader.prepare<[], number>('SELECT n FROM numbers').pluck()
  return {
    reader,
    run: reads.run,
    end: reads.end,
    read: () => reads.run(() => select.get()),
    add: () => writer.exec('UPDATE numbers SET n = n + 1'),
  }
}

test('reads without a wait between them see one snapshot from the second on', async (t) => {
  const { read, add } = makeFile(t)
  const seen: unknown[] = []
  const readAll = async () => {
    for (let count = 0; count < 4; count += 1) {
      seen.push(read())
      add()
      // Settled promises are no wait: nothing is received in between.
      await Promise.resolve()
    }
  }
  await readAll()
  t.strictSame(seen, [0, 1, 1, 1])
})

test('what is committed before anything further is received is seen by the reads after it', async (t) => {
  const { read, add, reader } = makeFile(t)
  for (let expected = 0; expected < 5; expected += 1) {
    t.strictSame([read(), read(), read()], [expected, expected, expected])
    add()
    await turn()
    t.notOk(reader.inTransaction, 'the snapshot has ended')
  }
})

test('callbacks of one phase of the event loop do not share a snapshot', async (t) => {
  const { read, add } = makeFile(t)
  const seen: unknown[] = []
  const callbacks = [1, 2, 3].map(
    () =>
      new Promise<void>((resolve) => {
        setImmediate(() => {
          seen.push(read(), read())
          add()
          resolve()
        })
      }),
  )
  await Promise.all(callbacks)
  t.strictSame(seen, [0, 0, 1, 1, 2, 2])
})

test('a query that throws ends neither the snapshot nor the reads after it', async (t) => {
  const { run, read, add } = makeFile(t)
  const fail = () =>
    run(() => {
      throw new Error('a query failed')
    })
  t.throws(fail, { message: 'a query failed' })
  t.strictSame([read(), read()], [0, 0])
  t.throws(fail, { message: 'a query failed' })
  add()
  t.equal(read(), 0)
  await turn()
  t.equal(read(), 1)
})

test('a connection that is closed in the middle of reads is left alone', async (t) => {
  const { read, reader } = makeFile(t)
  t.strictSame([read(), read()], [0, 0])
  reader.close()
  await turn()
  t.notOk(reader.open)
})

test('a snapshot that could not be ended is ended by the next read, not used again', async (t) => {
  const { run, read, add, reader } = makeFile(t)
  read()
  read()
  // A query that is still running keeps its connection busy, so that the snapshot cannot end.
  const rows = run(() => reader.prepare('SELECT n FROM numbers').iterate())
  rows.next()
  await turn()
  t.ok(reader.inTransaction)
  rows.return?.()
  add()
  t.equal(read(), 1)
  await turn()
})

test('a snapshot can be ended immediately; the reads after it take another one', (t) => {
  const { read, end, add, reader } = makeFile(t)
  t.strictSame([read(), read()], [0, 0])
  add()
  end()
  t.notOk(reader.inTransaction)
  t.strictSame([read(), read()], [1, 1])
  t.end()
})

test('a read waits until another process has recovered the log, and leaves the connection as it was', (t) => {
  const { run, reader } = makeFile(t)
  reader.pragma('busy_timeout = 0')
  const timeouts: unknown[] = []
  const read = run(() => {
    timeouts.push(reader.pragma('busy_timeout', { simple: true }))
    if (timeouts.length === 1) throw new Sqlite.SqliteError('locked', 'SQLITE_BUSY_RECOVERY')
    return 'read'
  })
  t.equal(read, 'read')
  t.strictSame(timeouts, [0, 100])
  t.equal(reader.pragma('busy_timeout', { simple: true }), 0)
  t.end()
})
