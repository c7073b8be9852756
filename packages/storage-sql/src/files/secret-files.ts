import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  nilUuid,
  type FilesFilter,
  type KeyRetired,
  type SecretFileStore,
  type StorageError,
  type StorageUnavailable,
  type StoredSecret,
  type StoredSecretFile,
  type StoredTicket,
  type Uuid,
  type WithFiles,
} from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { maxUuid, underKey } from '../engine/codec.ts'
import { changes, row, rows, type Dialect, type Engine, type SqlValue, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { endUnderWay, ended, eraseCounted, reserve } from './reservations.ts'
import { fileTables } from './tables.ts'

const fileRows = rowsOf(fileTables.files).as<StoredSecretFile, { readonly bytes: number }>(
  {
    id: 'id',
    accountId: 'account_id',
    secretId: 'secret_id',
    number: 'nr',
    isShown: 'shown',
    about: 'about',
  },
  { bytes: 'bytes' },
)

const ticketRows = rowsOf(fileTables.file_tickets).reading<StoredTicket>({
  digest: 'digest',
  secretId: 'secret_id',
  accountId: 'account_id',
  expiresAtMicros: 'expires_at',
  sealed: 'sealed',
})

/** How many rows one statement looks at when it searches for files that are over. */
const sliceRows = 1_000

/** The rows of files, the sums of what they count, and tickets. @param hasNote whether a row of `secrets` (as `s`) has its note, as a condition */
export function createSecretFiles(
  engine: Engine,
  { hasNote }: { readonly hasNote: string },
): SecretFileStore {
  const { dialect, find, list } = engine
  const { id } = dialect
  const [files, tickets] = [fileRows(dialect), ticketRows(dialect)]
  return {
    bytesOf: (accountId) =>
      find(
        'SELECT bytes FROM file_sums WHERE account_id = $1',
        [id.in(accountId)],
        ([bytes]: [number]) => bytes,
      ).map((bytes = 0) => bytes),

    page({ accountId, secretId, overAtMicros }, after, limit) {
      if (secretId !== undefined)
        return ofSecret(engine, { hasNote, accountId, secretId, overAtMicros }, after, limit)
      if (overAtMicros !== undefined)
        return new ResultAsync(overFiles(engine, { hasNote, accountId, overAtMicros }, after, limit))
      return list(pageOf(dialect, accountId), pageValues(dialect, accountId, after, limit), files.read)
    },

    reserve: (content, limits) =>
      engine.write(() => reserve(engine, content, limits), { isolation: 'locks' }),

    endUnderWay: (nowMicros, after, limit) =>
      engine.write(() => endUnderWay(engine, nowMicros, after, limit), { isolation: 'locks' }),

    erase: (fileId) => engine.write(() => eraseCounted(engine, fileId), { isolation: 'locks' }),

    findTicket: (digest, nowMicros) =>
      find(
        `SELECT ${tickets.columns} FROM file_tickets t
         WHERE digest = $1 AND expires_at > $2
           AND EXISTS (SELECT 1 FROM accounts WHERE id = t.account_id AND name_index IS NOT NULL)`,
        [digest, nowMicros],
        tickets.read,
      ),

    eraseTickets: (expiredByMicros, limit) =>
      engine.write(() => eraseTickets(engine, expiredByMicros, limit), { isolation: 'locks' }),
  }
}

/**
 * Gives a secret or draft the files that it has from now on, inside work that writes its row. That work calls `engine.erased` where it replaces a
 * row. What a file counts stays: a content that was under way counts as a file, and one that is removed counts until it is erased.
 * @errors `key_retired`; `storage_unavailable` when a content under way has ended
 */
export function* changeFiles(
  engine: Pick<Engine, 'dialect'>,
  { id: secretId, accountId }: Pick<StoredSecret, 'id' | 'accountId'>,
  files: readonly StoredSecretFile[],
): Work<Result<void, KeyRetired | StorageUnavailable>> {
  const { id } = engine.dialect
  const secret = id.in(secretId)
  const counted: number[] = []
  for (const file of files) {
    const [bytes] = (yield* takeOver(id.in(file.id), secret, id.in(accountId))) ?? []
    if (bytes === undefined) return err(ended)
    counted.push(bytes)
  }
  yield* changes('UPDATE files SET secret_id = $2 WHERE secret_id = $1', secret, id.in(nilUuid))
  for (const [at, file] of files.entries()) {
    const insert = () => fileRows(engine.dialect).insert({ ...file, bytes: counted[at] ?? 0 })
    const inserted = yield* underKey(engine, file.about.kid, insert)
    if (inserted.isErr()) return err(inserted.error)
  }
  return ok()
}

/** Takes a row away that is written anew: that of a file of the secret, or of a content under way. Returns what it counts. */
function* takeOver(file: SqlValue, secret: SqlValue, account: SqlValue): Work<[number] | undefined> {
  const kept = yield* row<[number]>(
    'DELETE FROM files WHERE id = $1 AND secret_id = $2 RETURNING bytes',
    ...[file, secret],
  )
  if (kept !== undefined) return kept
  return yield* row<[number]>(
    'DELETE FROM file_uploads WHERE id = $1 AND account_id = $2 AND counts_until > 0 RETURNING bytes',
    ...[file, account],
  )
}

/** The files of a secret or draft, by their numbers, inside work. @param which `shown`: only those that are shown before an open */
export function* filesOf(
  dialect: Dialect,
  secretId: Uuid,
  which: 'all' | 'shown' = 'all',
): Work<readonly StoredSecretFile[]> {
  const { columns, read } = fileRows(dialect)
  const found = yield* rows(
    `SELECT ${columns} FROM files WHERE secret_id = $1 ORDER BY nr`,
    dialect.id.in(secretId),
  )
  const files = found.map(read)
  return which === 'all' ? files : files.filter(({ isShown }) => isShown)
}

/** The part of a record that has its files. */
export function withFiles(files: readonly StoredSecretFile[]): WithFiles {
  return files.length === 0 ? {} : { files }
}

/** How many files the secret or draft `s` has, as an expression. */
export const countOfFiles = '(SELECT count(*) FROM files WHERE secret_id = s.id)'

/** The part of an item of a list that has the number of its files. */
export function withFilesCount(filesCount: number): { readonly filesCount?: number } {
  return filesCount === 0 ? {} : { filesCount }
}

/** Whether files of the secret `s` are shown before it is opened, as an expression. */
export const hasShownFiles = 'EXISTS (SELECT 1 FROM files WHERE secret_id = s.id AND shown)'

function pageOf(dialect: Dialect, accountId: Uuid | undefined): string {
  const owned = accountId === undefined ? '' : 'account_id = $3 AND '
  return `SELECT ${fileRows(dialect).columns} FROM files WHERE ${owned}id > $1 ORDER BY id LIMIT $2`
}

function pageValues({ id }: Dialect, accountId: Uuid | undefined, after: Uuid | undefined, limit: number) {
  return [id.in(after ?? nilUuid), limit, ...(accountId === undefined ? [] : [id.in(accountId)])]
}

/** The files of a secret, or those that were removed from drafts: so few that no index has their order. */
function ofSecret(
  { dialect, list }: Engine,
  { hasNote, accountId, secretId = nilUuid, overAtMicros }: FilesFilter & { readonly hasNote: string },
  after: Uuid = nilUuid,
  limit: number,
): ResultAsync<readonly StoredSecretFile[], StorageError> {
  const files = fileRows(dialect)
  const over = overAtMicros === undefined ? '' : `AND ${isOver('files', hasNote, '$2')}`
  return list(
    `SELECT ${files.columns} FROM files WHERE secret_id = $1 ${over}`,
    [dialect.id.in(secretId), ...(overAtMicros === undefined ? [] : [overAtMicros])],
    files.read,
  ).map((found) =>
    found
      .filter((file) => file.id > after && (accountId === undefined || file.accountId === accountId))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, limit),
  )
}

/** Whether nobody can read a file any more, as a condition. @param at the parameter that has the time */
function isOver(file: string, hasNote: string, at: string): string {
  return `NOT EXISTS (SELECT 1 FROM secrets s WHERE s.id = ${file}.secret_id AND ${hasNote})
    AND NOT EXISTS (SELECT 1 FROM file_tickets t WHERE t.secret_id = ${file}.secret_id AND t.expires_at > ${at})`
}

interface OverFilter extends FilesFilter {
  readonly hasNote: string
  readonly overAtMicros: number
}

/**
 * No index tells which files are over, and hardly any is: the database looks at all rows, a slice at a time, between which all other work gets its
 * turn. It reads only the ids of a row that is not over.
 */
async function overFiles(
  { dialect, find, list }: Engine,
  { hasNote, accountId, overAtMicros }: OverFilter,
  after: Uuid | undefined,
  limit: number,
): Promise<Result<readonly StoredSecretFile[], StorageError>> {
  const { id } = dialect
  const text = overIn(dialect, hasNote, accountId !== undefined)
  const owner = accountId === undefined ? [] : [id.in(accountId)]
  const over: StoredSecretFile[] = []
  for (let last = after ?? nilUuid; ;) {
    const slice = await find(endOfSlice(dialect), [id.in(last)], ([fileId]: [unknown]) =>
      id.out(fileId),
    ).andThen((end) => {
      const values = [id.in(last), id.in(end ?? maxUuid), overAtMicros, ...owner]
      return list(text, values, fileRows(dialect).read).map((found) => ({ end, found }))
    })
    if (slice.isErr()) return err(slice.error)
    const { end, found } = slice.value
    over.push(...found)
    if (over.length >= limit || end === undefined) return ok(over.slice(0, limit))
    last = end
    await nextTurn()
  }
}

/** The id of the last row of a full slice. */
function endOfSlice({ id }: Dialect): string {
  return `SELECT ${id.read('id')} FROM files WHERE id > $1 ORDER BY id LIMIT 1 OFFSET ${sliceRows - 1}`
}

/** The files of a slice that are over. Its LIMIT tells the planner that it has few rows, so that no other table is read as a whole. */
function overIn(dialect: Dialect, hasNote: string, ofAccount: boolean): string {
  return `SELECT ${fileRows(dialect).columns}
    FROM (SELECT * FROM files WHERE id > $1 AND id <= $2 ORDER BY id LIMIT ${sliceRows}) slice
    WHERE ${isOver('slice', hasNote, '$3')} ${ofAccount ? 'AND account_id = $4' : ''}
    ORDER BY id`
}

function* eraseTickets(engine: Engine, expiredByMicros: number, limit: number): Work<Result<number, never>> {
  const erased = yield* changes(
    `DELETE FROM file_tickets WHERE digest IN
       (SELECT digest FROM file_tickets WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`,
    ...[expiredByMicros, limit],
  )
  if (erased > 0) engine.erased()
  return ok(erased)
}
