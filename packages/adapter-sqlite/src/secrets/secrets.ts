import {
  attemptsOf,
  type Cursor,
  type FolderNotFound,
  type SecretActivity,
  type SecretEvent,
  type SecretStore,
  type StorageError,
  type StoredShareableSecret,
  type Uuid,
} from '@sotto/core'
import {
  countOfFiles,
  createCounts,
  createMarkSeen,
  eraseUpTo,
  statusSql,
  withFiles,
  withFilesCount,
  type Engine,
  type Erased,
} from '@sotto/storage-sql'
import { ok, ResultAsync } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { openTimesOf, uuidBytes, uuidOf } from '../engine/codec.ts'
import { createDropDeadRows, deadRows } from './dead-rows.ts'
import { createEraseSecrets, toErase, type ToErase } from './erase-secrets.ts'
import { createQueueEvent } from './events.ts'
import { createInsertSecret } from './insert-secret.ts'
import type { KeyCheck } from '../engine/key-check.ts'
import { createChangeFiles, createFilesOf } from '../files/secret-files.ts'
import { secretColumns, shareableOf, type SecretRow } from './secret-rows.ts'

const status = statusSql({ hasNote: 'has_note', wrongTotal: `attempts ->> 'wrongTotal'` })

export function createSecrets(connections: Connections, engine: Engine, keyCheck: KeyCheck): SecretStore {
  const { db, write, read } = connections
  const insert = createInsertSecret(connections)
  const changeFiles = createChangeFiles(connections)
  // Finding nothing costs one search of an index and the reading of one row, whatever the cause, as with links.
  const find = db
    .prepare<[id: Buffer, sameId: Buffer, accountId: Buffer, nowMicros: number], SecretRow>(
      `SELECT ${secretColumns} FROM secrets s
       WHERE s.nr = coalesce((SELECT nr FROM secrets WHERE id = ?), (SELECT min(nr) FROM secrets))
         AND s.id = ? AND (s.account_id = ?) & (s.expires_at > ?)`,
    )
    .raw()

  return {
    insert: (secret, note, files) =>
      write(() =>
        keyCheck<FolderNotFound>(secret.kid, () => insert(secret, note), {
          code: 'folder_not_found',
        }).andThen(() => changeFiles(secret, files)),
      ),

    find: (accountId, id, nowMicros) =>
      read(() => {
        const key = uuidBytes(id)
        const row = find.get(key, key, uuidBytes(accountId), nowMicros)
        return row && shareableOf(accountId, row)
      }),

    page: createReadList(connections, secretColumns, shareableOf),

    overviews: createReadList(
      connections,
      `${secretColumns}, ${activityColumns}, ${countOfFiles}`,
      (accountId, row: [...SecretRow, ...ActivityRow, filesCount: number]) => ({
        secret: shareableOf(accountId, row),
        activity: activityOf([row[11], row[12], row[13], row[14], row[15]]),
        ...withFilesCount(row[16]),
      }),
    ),

    counts: createCounts(engine, status),

    activity: createActivity(connections),

    markSeen: createMarkSeen(engine),

    erase: createErase(connections),

    eraseExpired: createEraseExpired(connections),
  }
}

/** A place after every link: the list begins there. */
const newest: [number, Buffer] = [Number.MAX_SAFE_INTEGER, Buffer.alloc(17, 0xff)]

/** Makes the method that reads a part of a list, newest link first. */
function createReadList<T>(
  { db, read }: Connections,
  columns: string,
  make: (accountId: Uuid, row: never) => T,
): (
  filter: Parameters<SecretStore['page']>[0],
  after: Cursor | undefined,
  limit: number,
) => ResultAsync<readonly T[], StorageError> {
  const prepare = (owned: string, which = '') =>
    db
      .prepare<(Buffer | number | string)[]>(
        `SELECT ${columns} FROM secrets s
         WHERE ${owned} AND expires_at > ? ${which} AND (link_created_at, id) < (?, ?)
         ORDER BY link_created_at DESC, id DESC LIMIT ?`,
      )
      .raw()
  const ofStatus = `AND ${status} = ?`
  const ofAccount = 'account_id = ?'
  // The unary plus keeps SQLite from using the folder's index, which would have to be sorted.
  const ofFolder = 'account_id = ? AND +folder_id = ?'
  const inAccount = { any: prepare(ofAccount), one: prepare(ofAccount, ofStatus) }
  const inFolder = { any: prepare(ofFolder), one: prepare(ofFolder, ofStatus) }
  return ({ accountId, folderId, nowMicros, status }, after, limit) =>
    read(() => {
      const folder = folderId === undefined ? [] : [uuidBytes(folderId)]
      const statuses = status === undefined ? [] : [status]
      const cursor = after === undefined ? newest : ([after.createdAtMicros, uuidBytes(after.id)] as const)
      const list = (folderId === undefined ? inAccount : inFolder)[status === undefined ? 'any' : 'one']
      return list
        .all(uuidBytes(accountId), ...folder, nowMicros, ...statuses, ...cursor, limit)
        .map((row) => make(accountId, row as never))
    })
}

const activityColumns = 's.opens, s.has_note, s.attempts, s.open_times, s.news'

type ActivityRow = [
  opens: number,
  hasNote: number,
  attempts: string | null,
  openTimes: Buffer | null,
  news: number,
]

function activityOf([opens, hasNote, attempts, openTimes, news]: ActivityRow): SecretActivity {
  return {
    opens,
    hasNote: hasNote === 1,
    attempts: attemptsOf(attempts),
    openedAtMicros: openTimesOf(openTimes),
    news,
  }
}

function createActivity(connections: Connections): SecretStore['activity'] {
  const { db, read } = connections
  const find = db
    .prepare<[Buffer, Buffer], ActivityRow>(
      `SELECT ${activityColumns} FROM secrets s WHERE id = ? AND account_id = ? AND expires_at IS NOT NULL`,
    )
    .raw()
  const filesOf = createFilesOf(connections)
  return (accountId, id) =>
    read(() => {
      const row = find.get(uuidBytes(id), uuidBytes(accountId))
      return row && { ...activityOf(row), ...withFiles(filesOf(id)) }
    })
}

function createErase(connections: Connections): SecretStore['erase'] {
  const { db, write } = connections
  const find = db
    .prepare<[Buffer, Buffer], ToErase>(
      `SELECT ${toErase} FROM secrets s WHERE id = ? AND account_id = ? AND expires_at IS NOT NULL`,
    )
    .raw()
  const eraseSecrets = createEraseSecrets(connections)
  return (accountId, id) => {
    let isFound = false
    const eraseSome = () =>
      write(() => {
        const secret = find.get(uuidBytes(id), uuidBytes(accountId))
        if (secret === undefined) return ok({ rows: 0, more: false })
        isFound = true
        return ok(eraseSecrets([secret]))
      })
    return eraseUpTo(1, eraseSome).map(() => isFound)
  }
}

function createEraseExpired(connections: Connections): SecretStore['eraseExpired'] {
  const { db, write } = connections
  const expired = db
    .prepare<[number, number], ToReport>(
      `SELECT ${toErase}, ${isUnopened} FROM secrets s
       WHERE s.expires_at <= ? AND NOT EXISTS (SELECT 1 FROM file_tickets WHERE secret_id = s.id) ORDER BY s.expires_at LIMIT ?`,
    )
    .raw()
  const eraseSecrets = createEraseAndReport(connections)
  const dropDead = deadRows.map((dead) => createDropDeadRows(connections, dead))
  return (expiredByMicros, limit, report) => {
    const eraseSome = (most: number) =>
      write(() => ok(eraseSecrets(expired.all(expiredByMicros, most), report)))
    return eraseUpTo(limit, eraseSome).andThen((erased) =>
      ResultAsync.combine(erased < limit ? dropDead.map((drop) => drop()) : [])
        // An error here changes nothing that matters: the rows of zeros are dropped at another time.
        .orElse(() => ok())
        .map(() => erased),
    )
  }
}

/** Whether the owner is to hear that `s` expired without an open. */
const isUnopened = 's.notify AND s.opens = 0'

type ToReport = [...ToErase, isUnopened: 0 | 1]

/** Makes the function that erases secrets, inside a job, and puts an event into the outbox for each of them that was never opened. */
function createEraseAndReport(
  connections: Connections,
): (secrets: readonly ToReport[], report: (unopened: StoredShareableSecret) => SecretEvent) => Erased {
  const eraseSecrets = createEraseSecrets(connections)
  const queueEvent = createQueueEvent(connections)
  const find = connections.db
    .prepare<[number], [...SecretRow, accountId: string]>(
      `SELECT ${secretColumns}, hex(s.account_id) FROM secrets s WHERE s.nr = ?`,
    )
    .raw()
  const read = (nr: number): readonly StoredShareableSecret[] => {
    const row = find.get(nr)
    return row === undefined ? [] : [shareableOf(uuidOf(row[11]), row)]
  }

  return (secrets, report) => {
    const unopened = secrets.map(([nr, , isReported]) => (isReported === 1 ? read(nr) : []))
    const erased = eraseSecrets(secrets.map(([nr, noteBytes]) => [nr, noteBytes]))
    for (const secret of unopened.slice(0, erased.rows).flat()) queueEvent(report(secret))
    return erased
  }
}
