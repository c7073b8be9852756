import {
  nilUuid,
  uuidToFind,
  type Clock,
  type ByteRange,
  type FileMissing,
  type FileStore,
  type Pieces,
  type StorageError,
  type Uuid,
} from '@sotto/core'
import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import { failureOf } from '../connection/errors.ts'
import { quickCommit } from '../connection/fitness.ts'
import type { Statement, Value } from '../connection/sql.ts'

/** What contents are stored on: a database, or one connection. */
export type FileDatabase = Pick<Database, 'read' | 'statement'>

/** How many bytes a row has: four chunks as the cipher of files makes them, in the multiples of which they are read. */
const rowLength = 4 * 65_552

/**
 * How many bytes of a row are read as one value. The client gets a value as text of twice as many bytes: from 128 KiB on, V8 takes 30 times as
 * long to make the string.
 */
const pieceLength = rowLength / 8

/** How many rows one statement erases at most: 64 MiB, which takes a tenth of a second. */
const rowsAtOnce = 256

const begin = {
  name: 'files_begin',
  text: 'INSERT INTO file_contents (id, written_at) VALUES ($1, $2)',
}
const add = {
  name: 'files_add',
  text: `INSERT INTO file_chunks (file_id, nr, bytes, written_at)
    SELECT $1::uuid, $2::bigint, $3::bytea, $4::bigint FROM ${quickCommit}`,
}
const finish = {
  name: 'files_finish',
  text: `UPDATE file_contents SET length = $2, written_at = $3 WHERE id = $1 AND written_at > 0
    AND (SELECT count(*) FROM file_chunks WHERE file_id = $1) = $4`,
}
const readRow = {
  name: 'files_read',
  text: `SELECT
      (SELECT substring(bytes FROM $3::int + at FOR least($4::int - at, ${pieceLength})) FROM file_chunks
       WHERE file_id = c.id AND nr = $2)
    FROM file_contents c CROSS JOIN generate_series(0, $4::int - 1, ${pieceLength}) at
    WHERE c.id = $1 AND c.length IS NOT NULL ORDER BY at`,
}
const beginToDrop = {
  name: 'files_begin_to_drop',
  text: 'UPDATE file_contents SET length = NULL, written_at = 0 WHERE id = $1',
}
const dropRows = {
  name: 'files_drop_rows',
  text: `DELETE FROM file_chunks WHERE file_id = $1 AND nr IN
    (SELECT nr FROM file_chunks WHERE file_id = $1 ORDER BY nr LIMIT ${rowsAtOnce})`,
}
const drop = { name: 'files_drop', text: 'DELETE FROM file_contents WHERE id = $1' }
const page = {
  name: 'files_page',
  text: `SELECT c.id,
      coalesce(c.length, (SELECT sum(length(bytes))::bigint FROM file_chunks WHERE file_id = c.id), 0),
      coalesce((SELECT max(written_at) FROM file_chunks WHERE file_id = c.id AND c.length IS NULL), c.written_at)
    FROM file_contents c WHERE c.id > $1 ORDER BY c.id LIMIT $2`,
}

/**
 * Stores contents in rows. A statement of its own writes or reads each, so that no connection is held while a sender or a reader is slow. A
 * content is there once its length is: until then, and from the beginning of its end on, nobody reads it.
 */
export function createFileStore(db: FileDatabase, clock: Clock): FileStore {
  return {
    append: (id, content) => new ResultAsync(append({ db, clock }, id, content)),
    read: (id, range) => read(db, id, range),
    drop: (id) => erase(db, uuidToFind(id)),
    // Only the server of the database knows its disk.
    freeBytes: () => okAsync(undefined),
    page: (after = nilUuid, limit) =>
      db.read(async (sql) => {
        const rows = await sql.rows<[Uuid, number, number]>(page, [after, limit])
        return rows.map(([id, length, writtenAtMicros]) => ({ id, length, writtenAtMicros }))
      }),
  }
}

interface Place {
  readonly db: FileDatabase
  readonly clock: Clock
}

async function append<E>(
  place: Place,
  id: Uuid,
  content: Pieces<E>,
): Promise<Result<void, E | StorageError>> {
  const { db, clock } = place
  const begun = await change(db, begin, [id, clock.nowMicros()])
  if (begun.isErr()) return err(begun.error)
  const written = await write(place, id, content)
  // When erasing fails, too, a sweep finds the content by `page` and drops it.
  if (written.isErr()) await erase(db, id).unwrapOr(undefined)
  return written
}

async function write<E>(
  { db, clock }: Place,
  id: Uuid,
  content: Pieces<E>,
): Promise<Result<void, E | StorageError>> {
  let [nr, length] = [0, 0]
  // Each row is written while the next one is made. The length alone waits for the disk; it is written last, if all rows are there: a server
  // that has crashed in between may have lost some.
  let adding: ResultAsync<unknown, E | StorageError> = okAsync()
  try {
    for await (const row of rowsOf(content)) {
      const added = await adding.andThen(() => row)
      if (added.isErr()) return err(added.error)
      adding = change(db, add, [id, nr, added.value, clock.nowMicros()])
      nr += 1
      length += added.value.length
    }
  } catch (error) {
    return adding.andThen(() => err(failureOf(error)))
  }
  return adding
    .andThen(() => change(db, finish, [id, length, clock.nowMicros(), nr]))
    .andThen((count) =>
      count > 0
        ? ok()
        : err({ code: 'storage_failed', detail: 'the content was dropped, or lost a row' } as const),
    )
}

/** The bytes of the rows of a content. An Err ends them. */
async function* rowsOf<E>(content: Pieces<E>): AsyncGenerator<Result<Buffer, E>, void> {
  let [pieces, length] = [[] as Uint8Array[], 0]
  for await (const piece of content) {
    if (piece.isErr()) {
      yield err(piece.error)
      return
    }
    for (let rest = piece.value; rest.length > 0;) {
      const taken = rest.subarray(0, rowLength - length)
      pieces.push(taken)
      length += taken.length
      rest = rest.subarray(taken.length)
      if (length < rowLength) continue
      yield ok(Buffer.concat(pieces))
      ;[pieces, length] = [[], 0]
    }
  }
  if (length > 0) yield ok(Buffer.concat(pieces))
}

async function* read(
  db: FileDatabase,
  id: Uuid,
  { start, end }: ByteRange,
): AsyncGenerator<Result<Uint8Array, FileMissing | StorageError>, void> {
  for (let at = start; at < end;) {
    const from = at % rowLength
    const most = Math.min(rowLength - from, end - at)
    const values = [uuidToFind(id), Math.floor(at / rowLength), from + 1, most]
    const found = await db
      .read((sql) => sql.rows<[Uint8Array | null]>(readRow, values))
      .andThen((rows) => (rows.length === 0 ? err({ code: 'file_missing', id } as const) : ok(rows)))
    if (found.isErr()) {
      yield err(found.error)
      return
    }
    const before = at
    for (const [bytes] of found.value) {
      if (bytes === null || bytes.length === 0) continue
      yield ok(bytes)
      at += bytes.length
    }
    if (at === before) return
  }
}

/** Erases a content in steps that are short, whatever its length. When that is cut off, the rest is listed, and can be dropped. */
function erase(db: FileDatabase, id: Uuid): ResultAsync<void, StorageError> {
  return change(db, beginToDrop, [id])
    .andThen(() => new ResultAsync(eraseRows(db, id)))
    .andThen(() => change(db, drop, [id]))
    .map(() => undefined)
}

async function eraseRows(db: FileDatabase, id: Uuid): Promise<Result<void, StorageError>> {
  for (;;) {
    const erased = await change(db, dropRows, [id])
    if (erased.isErr()) return err(erased.error)
    if (erased.value < rowsAtOnce) return ok()
  }
}

/** Runs one statement. Answers how many rows it changed. */
function change(
  db: FileDatabase,
  statement: Statement,
  values: readonly Value[],
): ResultAsync<number, StorageError> {
  return db.statement(async (sql) => ok(await sql.changes(statement, values)))
}
