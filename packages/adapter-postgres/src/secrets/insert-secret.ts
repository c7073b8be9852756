import type {
  FolderNotFound,
  KeyRetired,
  SecretStore,
  StorageError,
  StorageUnavailable,
  StoredNote,
  StoredSecret,
  StoredSecretFile,
} from '@sotto/core'
import { changeFiles, changes, type SqlValue, type Work } from '@sotto/storage-sql'
import { ok, type Result } from 'neverthrow'
import { askedMillisOf, createBatches, type Waiting } from '../connection/batches.ts'
import type { Database } from '../connection/database.ts'
import { postgresDialect, run } from '../engine/engine.ts'
import { placeholders, type Sql, type Statement, type Value } from '../connection/sql.ts'

/** A secret or a draft, and its note. */
type NewSecret = readonly [secret: StoredSecret, note: StoredNote]
type Refusal = FolderNotFound | KeyRetired
type Batch = readonly Waiting<NewSecret, void, Refusal>[]

const columns = [
  ...['id', 'account_id', 'folder_id', 'created_at', 'link_created_at', 'expires_at', 'open_limit', 'notify'],
  ...['has_password', 'kid', 'lookup', 'head', 'wrap', 'note'],
]

/**
 * How many secrets one statement adds: one statement for each of these sizes, so that the server has a plan for all of them. Half of an
 * even size is one of them, and both halves of an odd one.
 */
const sizes = [...Array.from({ length: 16 }, (_, at) => at + 1), 24, 32, 48, 64]
const rowsMax = 64
/** How many statements are under way at the same time. */
const atOnce = 3

/**
 * The key of a row as an expression: 0, which is no key, when no row may be written under it. So the row breaks its foreign key. The key stays
 * writable until the transaction ends.
 * @param kid the parameter
 */
export function writableKid(kid: string): string {
  return `coalesce((SELECT kid FROM keys WHERE kid = ${kid} AND NOT read_only FOR KEY SHARE), 0)`
}

const statements: ReadonlyMap<number, Statement> = new Map(sizes.map(statementFor))

/** All rows are under one key, which is looked at once. */
function statementFor(rows: number): readonly [number, Statement] {
  const types = columns.map(() => '')
  const kid = `$${columns.indexOf('kid') + 1}`
  const values = placeholders(rows, types).replace(kid, () => writableKid(kid))
  const text = `INSERT INTO secrets (${columns.join(', ')}) VALUES ${values}`
  return [rows, { name: `secrets_insert_${rows}`, text }]
}

/**
 * Makes the method that adds secrets. Those that arrive together are added by one statement, which costs the disk one write. When a row is
 * refused, or not all are under one key, the batch is added in halves, and so on, until the refused row is alone.
 */
export function createInsertSecret(db: Database): SecretStore['insert'] {
  const insert = createBatches({
    measureQueue: db.measureQueue,
    run: (batch: Batch) => addBatch(db, batch),
    sizeMax: rowsMax,
    sizeOf: (waiting) => sizes.findLast((size) => size <= waiting) ?? 1,
    atOnce,
  })
  return (secret, note, files) =>
    files === undefined ? insert([secret, note]) : insertWithFiles(db, secret, note, files)
}

/** Inserts a secret with files in a transaction of its own: such secrets do not arrive by the hundred. */
function insertWithFiles(db: Database, ...row: RowWithFiles): ReturnType<SecretStore['insert']> {
  return db.transaction((sql) => run(sql, addWithFiles(...row)), {
    isolation: 'READ COMMITTED',
    violation: refusalOf,
  })
}

type RowWithFiles = readonly [...NewSecret, files: readonly StoredSecretFile[]]

/** Adds a secret or a draft with its files, as part of a transaction. */
export function* addWithFiles(
  ...[secret, note, files]: RowWithFiles
): Work<Result<void, Refusal | StorageUnavailable>> {
  yield* insertSecretOf(secret, note)
  return yield* changeFiles({ dialect: postgresDialect }, secret, files)
}

async function addBatch(db: Database, batch: Batch): Promise<void> {
  const rows = batch.map(({ input }) => input)
  if (isUnderOneKey(rows)) {
    const result = await db.statement(
      async (sql) => {
        await addSecrets(sql, rows)
        return ok()
      },
      { violation: refusalOf, askedMillis: askedMillisOf(batch) },
    )
    if (batch.length === 1 || !isOfOneRow(result)) {
      for (const { answer } of batch) answer(result)
      return
    }
  }
  const half = Math.floor(batch.length / 2)
  await addBatch(db, batch.slice(0, half))
  await addBatch(db, batch.slice(half))
}

/** Whether all rows are under one key. A batch may hold rows under two while the active key changes. */
function isUnderOneKey(rows: readonly NewSecret[]): boolean {
  return rows.every(([secret]) => secret.kid === rows[0]?.[0].kid)
}

/** Whether the server refused the statement for what one of its rows holds. Then it added none of them. */
function isOfOneRow(result: Result<void, Refusal | StorageError>): boolean {
  return result.isErr() && result.error.code !== 'storage_unavailable'
}

/**
 * The refusal of a secret in a folder that is not there, or under a key that no row may be written under, by the constraint that it breaks.
 */
export function refusalOf(constraint: string): Refusal | undefined {
  if (constraint === 'secrets_kid_fkey') return { code: 'key_retired' }
  return constraint === 'secrets_folder_fkey' ? { code: 'folder_not_found' } : undefined
}

/** Adds a secret or a draft, as part of a transaction. */
export async function addSecret(sql: Sql, ...row: NewSecret): Promise<void> {
  await addSecrets(sql, [row])
}

/** Adds a draft as part of the work of the shared stores. */
export function* insertSecretOf(...row: NewSecret): Work<void> {
  yield* changes(statementFor(1)[1].text, ...(valuesOf(row) as readonly SqlValue[]))
}

/** @param rows as many as one of {@link sizes}, all under one key */
async function addSecrets(sql: Sql, rows: readonly NewSecret[]): Promise<void> {
  const statement = statements.get(rows.length)
  if (statement === undefined) throw new RangeError(`no statement adds ${rows.length} secrets`)
  await sql.changes(statement, rows.flatMap(valuesOf))
}

function valuesOf([secret, { note, wrappedKey }]: NewSecret): readonly Value[] {
  const {
    id,
    accountId,
    folderId,
    createdAtMicros,
    link,
    openLimit,
    notify,
    hasPassword,
    kid,
    headCiphertext,
  } = secret
  return [
    ...[id, accountId, folderId, createdAtMicros, link?.createdAtMicros, link?.expiresAtMicros],
    ...[openLimit, notify, hasPassword, kid, link?.lookup, headCiphertext, wrappedKey, note],
  ]
}
