import {
  attemptsOf,
  attemptsText,
  type AttemptState,
  type Ciphertext,
  type DraftNotFound,
  type DraftStore,
  type StorageUnavailable,
  type FolderNotFound,
  type KeyRetired,
  type StorageError,
  type Uuid,
} from '@sotto/core'
import {
  answersColumns,
  answersOf,
  countOfFiles,
  createReadAnswers,
  filesOf,
  withFiles,
  withFilesCount,
  type AnswersRow,
} from '@sotto/storage-sql'
import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql, Statement, Value } from '../connection/sql.ts'
import { createEngine, postgresDialect, run } from '../engine/engine.ts'
import { ciphertextOf, cursorOf } from '../engine/codec.ts'
import { refusalOf, replaceFiles, writableKid } from '../secrets/insert-secret.ts'
import {
  noteColumns,
  noteOf,
  secretColumns,
  secretOf,
  type NoteRow,
  type SecretRow,
} from '../secrets/secret-rows.ts'

/** `IS TRUE` keeps the planner from the index of the account's drafts, all of which it would read. */
const oneDraft = 'id = $1 AND (account_id = $2 AND expires_at IS NULL) IS TRUE'

const find = {
  name: 'drafts_find',
  text: `SELECT ${answersColumns(postgresDialect)}, ${noteColumns}, s.attempts, ${secretColumns} FROM secrets s WHERE ${oneDraft}`,
}
const exists = { name: 'drafts_exists', text: `SELECT 1 FROM secrets WHERE ${oneDraft}` }
const erase = { name: 'drafts_erase', text: `DELETE FROM secrets WHERE ${oneDraft}` }

// Indexes as in the lists of shareable secrets.
const pageFor = (name: string, owned: string) => ({
  name,
  text: `SELECT ${answersColumns(postgresDialect)}, ${countOfFiles}, ${secretColumns} FROM secrets s
    WHERE ${owned} AND s.expires_at IS NULL AND (s.created_at, s.id) > ($2, $3)
    ORDER BY s.created_at, s.id LIMIT $4`,
})
const pageOfAccount = pageFor('drafts_page', 's.account_id = $1')
const pageOfFolder = pageFor(
  'drafts_page_of_folder',
  's.folder_id = (SELECT id FROM folders WHERE account_id = $1 AND id = $5)',
)

const share = {
  name: 'drafts_share',
  text: `UPDATE secrets SET lookup = $4, link_created_at = $5, expires_at = $6, kid = ${writableKid('$7')}, head = $8,
      wrap = $9, news = 0, version = version + 1
    WHERE ${oneDraft} AND head = $3`,
}
const replace = {
  name: 'drafts_replace',
  text: `UPDATE secrets SET folder_id = $4, open_limit = $5, notify = $6, has_password = $7, kid = ${writableKid('$8')},
      head = $9, wrap = $10, note = $11, attempts = CASE WHEN $12 THEN NULL ELSE attempts END, version = version + 1
    WHERE ${oneDraft} AND head = $3`,
}
const lockAttempts = {
  name: 'drafts_lock_attempts',
  text: `SELECT attempts FROM secrets WHERE ${oneDraft} FOR UPDATE`,
}
const storeAttempts = {
  name: 'drafts_store_attempts',
  text: `UPDATE secrets SET attempts = $3, version = version + 1 WHERE ${oneDraft}`,
}

type ListedRow = readonly [...AnswersRow, filesCount: number, ...SecretRow]
type DraftRow = readonly [
  ...AnswersRow,
  wrap: NoteRow[0],
  note: NoteRow[1],
  attempts: string | null,
  ...SecretRow,
]
const noBytes = new Uint8Array()
type AnswerRow = readonly [wrap: NoteRow[0], note: NoteRow[1], ...SecretRow]

export function createDrafts(db: Database): DraftStore {
  return {
    find: (accountId, id) =>
      db.read(async (sql) => {
        const row = await sql.row<DraftRow>(find, [id, accountId])
        if (row === undefined) return undefined
        const [requestId, news, wrappedKey, sealed, attempts, ...columns] = row
        const note = noteOf([wrappedKey, sealed])
        if (note === undefined) return undefined
        const files = withFiles(await run(sql, filesOf(postgresDialect, id)))
        const answers = answersOf(postgresDialect, [requestId, news])
        return {
          secret: secretOf(accountId, columns),
          note,
          attempts: attemptsOf(attempts),
          ...files,
          ...answers,
        }
      }),

    updateAttempts: createUpdateAttempts(db),

    page: ({ accountId, folderId }, after, limit) =>
      db.read(async (sql) => {
        const values = [accountId, ...cursorOf(after), limit]
        const rows =
          folderId === undefined
            ? await sql.rows<ListedRow>(pageOfAccount, values)
            : await sql.rows<ListedRow>(pageOfFolder, [...values, folderId])
        return rows.map(([requestId, news, filesCount, ...row]) => ({
          ...secretOf(accountId, row),
          ...answersOf(postgresDialect, [requestId, news]),
          ...withFilesCount(filesCount),
        }))
      }),

    ...createReadAnswers(
      createEngine(db),
      `${noteColumns}, ${secretColumns}`,
      (accountId, [wrappedKey, sealed, ...columns]: AnswerRow) => ({
        secret: secretOf(accountId, columns),
        // Where somebody has emptied them, they decrypt to nothing.
        note: { wrappedKey: ciphertextOf(wrappedKey ?? noBytes), note: ciphertextOf(sealed ?? noBytes) },
      }),
    ),

    share: createShare(db),

    replace: createReplace(db),

    erase: (accountId, id) =>
      db.statement(async (sql) => ok((await sql.changes(erase, [id, accountId])) > 0)),
  }
}

/** The row is locked, so that attempts that come at the same time wait for each other, and none has to run again. */
function createUpdateAttempts(db: Database): DraftStore['updateAttempts'] {
  return <Change extends { readonly attempts: AttemptState }>(
    accountId: Uuid,
    id: Uuid,
    decide: (attempts: AttemptState) => Change,
  ) =>
    db.transaction<Change, DraftNotFound>(
      async (sql) => {
        const row = await sql.row<readonly [string | null]>(lockAttempts, [id, accountId])
        if (row === undefined) return err({ code: 'draft_not_found' })
        const change = decide(attemptsOf(row[0]))
        await sql.changes(storeAttempts, [id, accountId, attemptsText(change.attempts)])
        return ok(change)
      },
      { isolation: 'READ COMMITTED' },
    )
}

function createShare(db: Database): DraftStore['share'] {
  const change = createChange<KeyRetired>(db, share, (constraint) => {
    const error = refusalOf(constraint)
    return error?.code === 'key_retired' ? error : undefined
  })
  return (draft, { lookup, createdAtMicros, expiresAtMicros }, { kid, headCiphertext, wrappedKey }) =>
    change(draft, [lookup, createdAtMicros, expiresAtMicros, kid, headCiphertext, wrappedKey])
}

function createReplace(db: Database): DraftStore['replace'] {
  const change = createChange<FolderNotFound | KeyRetired | StorageUnavailable>(db, replace, refusalOf)
  return (expectedHeadCiphertext, draft, { wrappedKey, note }, { forgetsAttempts = false, files } = {}) => {
    const { folderId, openLimit, notify, hasPassword, kid, headCiphertext } = draft
    const shape = [folderId, openLimit, notify, hasPassword]
    const values = [...shape, kid, headCiphertext, wrappedKey, note, forgetsAttempts]
    return change(
      { ...draft, expectedHeadCiphertext },
      values,
      files && ((sql) => run(sql, replaceFiles(draft, files))),
    )
  }
}

/**
 * Makes the function that changes a draft by one statement, while its head is the expected one, and by what follows that in the same
 * transaction. The draft is the first three parameters.
 */
function createChange<E extends FolderNotFound | KeyRetired | StorageUnavailable>(
  db: Database,
  statement: Statement,
  violation: (constraint: string) => E | undefined,
): (
  draft: { readonly id: Uuid; readonly accountId: Uuid; readonly expectedHeadCiphertext: Ciphertext },
  values: readonly Value[],
  then?: (sql: Sql) => Promise<Result<void, E>>,
) => ResultAsync<boolean, DraftNotFound | E | StorageError> {
  return ({ id, accountId, expectedHeadCiphertext }, values, then) => {
    const draft = [id, accountId]
    const write = async (sql: Sql): Promise<Result<boolean, E>> => {
      const isChanged = (await sql.changes(statement, [...draft, expectedHeadCiphertext, ...values])) > 0
      return isChanged && then !== undefined ? (await then(sql)).map(() => true) : ok(isChanged)
    }
    const written =
      then === undefined
        ? db.statement(write, { violation })
        : db.transaction(write, { violation, isolation: 'READ COMMITTED' })
    return written.andThen((isChanged) =>
      isChanged
        ? okAsync(true)
        : db
            .read(async (sql) => (await sql.row(exists, draft)) !== undefined)
            .andThen((isThere) => (isThere ? ok(false) : err({ code: 'draft_not_found' } as const))),
    )
  }
}
