import {
  nilUuid,
  type ContentUnderWay,
  type DiskFull,
  type FilesFull,
  type ReserveLimits,
  type StorageFailed,
  type StorageUnavailable,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { changes, exists, row, rows, type Engine, type SqlValue, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { fileTables } from './tables.ts'

const underWayRows = rowsOf(fileTables.file_uploads).as<Omit<ContentUnderWay, 'isNew'>>({
  id: 'id',
  accountId: 'account_id',
  secretId: 'secret_id',
  bytes: 'bytes',
  aheadBytes: 'ahead',
  untilMicros: 'counts_until',
})

// What files and contents under way count. Whatever changes a sum locks it first, then the row whose bytes it has.

/** A content under way has ended: its sender was not heard for too long. */
export const ended: StorageUnavailable = { code: 'storage_unavailable', reason: 'busy' }
const taken: StorageFailed = { code: 'storage_failed', detail: 'the id of the content is taken' }

type ReserveError = FilesFull | DiskFull | StorageUnavailable | StorageFailed

/** See `SecretFileStore.reserve`. */
export function* reserve(
  { dialect }: Pick<Engine, 'dialect'>,
  content: ContentUnderWay,
  { bytesMax, aheadMax }: ReserveLimits,
): Work<Result<void, ReserveError>> {
  const { isNew, bytes, aheadBytes, untilMicros } = content
  const [key, account, secret] = [content.id, content.accountId, content.secretId].map(dialect.id.in)
  const [sum = 0] =
    (yield* row<[number]>(
      `INSERT INTO file_sums (account_id, bytes) VALUES ($1, 0)
       ON CONFLICT (account_id) DO UPDATE SET bytes = file_sums.bytes RETURNING bytes`,
      account,
    )) ?? []
  const [before] = isNew ? [0] : ((yield* row<[number]>(underWay, key)) ?? [])
  if (before === undefined) return err(ended)
  if (isNew && (yield* isTaken(key))) return err(taken)
  const more = bytes - before
  if (more > 0 && sum + more > bytesMax) return err({ code: 'files_full', maxBytes: bytesMax })
  if (more > 0 && aheadMax !== undefined && (yield* aheadOfOthers(key)) + aheadBytes > aheadMax)
    return err({ code: 'disk_full' })
  yield* changes('UPDATE file_sums SET bytes = $2 WHERE account_id = $1', account, Math.max(sum + more, 0))
  yield* isNew
    ? underWayRows(dialect).insert(content)
    : changes('UPDATE file_uploads SET bytes = $2, ahead = $3 WHERE id = $1', key, bytes, aheadBytes)
  yield* changes(
    'UPDATE file_uploads SET counts_until = $2 WHERE secret_id = $1 AND counts_until > 0',
    secret,
    untilMicros,
  )
  return ok()
}

const underWay = 'SELECT bytes FROM file_uploads WHERE id = $1 AND counts_until > 0'

function* isTaken(content: SqlValue): Work<boolean> {
  return yield* exists(
    'SELECT 1 FROM file_uploads WHERE id = $1 UNION ALL SELECT 1 FROM files WHERE id = $1',
    content,
  )
}

/** How many bytes of all other contents under way may not be written yet. They are few. */
function* aheadOfOthers(content: SqlValue): Work<number> {
  const found = yield* rows<[number]>('SELECT ahead FROM file_uploads WHERE ahead > 0 AND id <> $1', content)
  return found.reduce((sum, [ahead]) => sum + ahead, 0)
}

/** See `SecretFileStore.endUnderWay`. */
export function* endUnderWay(
  { dialect: { id } }: Pick<Engine, 'dialect'>,
  nowMicros: number,
  after: Uuid | undefined,
  limit: number,
): Work<Result<readonly Uuid[], never>> {
  yield* changes(
    'UPDATE file_uploads SET counts_until = 0 WHERE counts_until > 0 AND counts_until <= $1',
    nowMicros,
  )
  const found = yield* rows<[unknown]>(
    `SELECT ${id.read('id')} FROM file_uploads WHERE counts_until = 0 AND id > $1 ORDER BY id LIMIT $2`,
    ...[id.in(after ?? nilUuid), limit],
  )
  return ok(found.map(([content]) => id.out(content)))
}

/** See `SecretFileStore.erase`. */
export function* eraseCounted(engine: Engine, fileId: Uuid): Work<Result<boolean, never>> {
  const { id, forUpdate } = engine.dialect
  const file = id.in(fileId)
  const owners = ['files', 'file_uploads'].map(
    (table) => `SELECT ${id.read('account_id')} FROM ${table} WHERE id = $1`,
  )
  const [owner] = (yield* row<[unknown]>(owners.join(' UNION ALL '), file)) ?? []
  if (owner === undefined) return ok(false)
  const account = id.in(id.out(owner))
  yield* row(`SELECT bytes FROM file_sums WHERE account_id = $1${forUpdate}`, account)
  const [bytes] =
    (yield* row<[number]>('DELETE FROM files WHERE id = $1 RETURNING bytes', file)) ??
    (yield* row<[number]>('DELETE FROM file_uploads WHERE id = $1 RETURNING bytes', file)) ??
    []
  if (bytes === undefined) return ok(false)
  // A server that does not know what a file counts has added something else.
  yield* bytes === 0 ? changes(recountSum, account) : changes(lowerSum, account, bytes)
  yield* changes(
    `DELETE FROM file_sums WHERE account_id = $1 AND NOT EXISTS (SELECT 1 FROM files WHERE account_id = $1)
       AND NOT EXISTS (SELECT 1 FROM file_uploads WHERE account_id = $1)`,
    account,
  )
  engine.erased()
  return ok(true)
}

const lowerSum = `UPDATE file_sums SET bytes = CASE WHEN bytes > $2 THEN bytes - $2 ELSE 0 END WHERE account_id = $1`

const recountSum = `UPDATE file_sums SET bytes = (SELECT coalesce(sum(bytes), 0) FROM files WHERE account_id = $1)
  + (SELECT coalesce(sum(bytes), 0) FROM file_uploads WHERE account_id = $1) WHERE account_id = $1`
