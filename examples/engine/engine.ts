import type { DatabaseSync } from 'node:sqlite'
import {
  changes,
  done,
  type Asked,
  type Dialect,
  type Engine,
  type SqlValue,
  type Work,
} from '@sotto/storage-sql'
import type { StorageError, Uuid } from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'

/** Runs the stores of `@sotto/storage-sql` on Node's own SQLite. */
export function createEngine(db: DatabaseSync): Engine {
  return {
    dialect,
    read: (work) => answer(() => ok(run(db, work()))),
    find: (text, values, make) =>
      answer(() => {
        const found = answerTo(db, { text, values, answer: 'row' })
        return ok(found === undefined ? undefined : make(found as never))
      }),
    list: (text, values, make) =>
      answer(() => ok((answerTo(db, { text, values, answer: 'rows' }) as never[]).map(make))),
    write: (work) => answer(() => transact(db, () => run(db, work()))),
    change: (text, ...values) => answer(() => transact(db, () => ok(run(db, changes(text, ...values))))),
    // An adapter that promises erasure would empty its log here.
    erased: () => undefined,
  }
}

/** Ids and texts are stored as they are. Writers take turns, so that nothing needs a lock of its own. */
const dialect: Dialect = {
  id: { in: (id) => id, out: (stored) => stored as Uuid, read: (column) => column },
  flag: { in: Number, out: (stored) => stored === 1 },
  forUpdate: '',
  skipLocked: '',
  forKeyShare: '',
  texts: {
    column: (name) => name,
    read: (name) => name,
    none: `x''`,
    insert: done,
    replace: (_place, _id, text) => done(text),
  },
}

/** Gives each statement its answer until the work returns. */
function run<T>(db: DatabaseSync, work: Work<T>): T {
  let step = work.next()
  while (!step.done) step = work.next(answerTo(db, step.value))
  return step.value
}

function answerTo(db: DatabaseSync, { text, values, answer }: Asked): unknown {
  // SQLite's own placeholders have the numbers of ours.
  const statement = db.prepare(text.replaceAll('$', '?'))
  const given = values.map((value) => toSqlite(value))
  if (answer === 'changes') return Number(statement.run(...given).changes)
  statement.setReturnArrays(true)
  return answer === 'row' ? statement.get(...given) : statement.all(...given)
}

function toSqlite(value: SqlValue): string | number | Uint8Array | null {
  if (Array.isArray(value)) throw new TypeError('no shared store passes a list')
  return (typeof value === 'boolean' ? Number(value) : (value ?? null)) as string | number | Uint8Array | null
}

/** Ok commits, Err and whatever is thrown roll back. */
function transact<T, E>(db: DatabaseSync, work: () => Result<T, E>): Result<T, E> {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec(result.isOk() ? 'COMMIT' : 'ROLLBACK')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function answer<T, E>(work: () => Result<T, E>): ResultAsync<T, E | StorageError> {
  return new ResultAsync<T, E | StorageError>(
    Promise.resolve()
      .then(work)
      .catch((error) => err(storageErrorOf(error))),
  )
}

function storageErrorOf(error: unknown): StorageError {
  const { name, message } = error instanceof Error ? error : new Error()
  if (message.includes('not open')) return { code: 'storage_unavailable', reason: 'closed' }
  return { code: 'storage_failed', detail: name }
}
