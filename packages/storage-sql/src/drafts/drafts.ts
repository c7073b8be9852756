import {
  attemptsOf,
  attemptsText,
  type AttemptState,
  type Ciphertext,
  type DraftNotFound,
  type DraftStore,
  type EncryptedSecret,
  type FolderNotFound,
  type KeyRetired,
  type StorageUnavailable,
  type StoredLink,
  type StoredNote,
  type StoredSecret,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { answersColumns, answersOf, createReadAnswers, type AnswersRow } from './answers.ts'
import { cursorOf, underKey } from '../engine/codec.ts'
import { changes, exists, row, type Engine, type SqlValue, type Work } from '../engine/engine.ts'
import { changeFiles, countOfFiles, filesOf, withFiles, withFilesCount } from '../files/secret-files.ts'

/** What an adapter brings of drafts, because each database has the table of secrets in a form of its own. A row of it is `s` in SQL. */
export interface OwnDrafts {
  /** The columns that {@link secretOf} takes. */
  readonly secretColumns: string
  /** The draft of these columns. */
  secretOf(accountId: Uuid, found: readonly unknown[]): StoredSecret
  /** The two columns that {@link noteOf} takes. */
  readonly noteColumns: string
  /** A note that somebody has emptied has no bytes: it decrypts to nothing. */
  noteOf(found: readonly unknown[]): StoredNote
  /** The ciphertext of its head, as an expression. */
  readonly head: string
  /** Whether it is in the folder `$5` of the account `$1`, as a condition by which the folder's drafts are read in their order. */
  readonly inFolder: string
  /** Stores the attempts of a draft, as `attemptsText` writes them. */
  storeAttempts(draft: SqlValue, attempts: string | null): Work<unknown>
  /** Gives it a link, and no news. */
  share(
    draft: SqlValue,
    link: StoredLink,
    keys: EncryptedSecret & { readonly wrappedKey: Ciphertext },
  ): Work<unknown>
  /** Writes another one in its place. Its attempts, its news and the request that it answers stay. */
  replace(draft: StoredSecret, note: StoredNote): Work<unknown>
}

/** The draft `$1` of the account `$2`. `IS TRUE` keeps a planner from the index of the account's drafts, all of which it would read. */
const one = 's.id = $1 AND (s.account_id = $2 AND s.expires_at IS NULL) IS TRUE'

/** Others may be written at the same time: those that change a draft wait for its lock. */
const byLocks = { isolation: 'locks' } as const

/** The drafts. */
export function createDrafts(engine: Engine, own: OwnDrafts): DraftStore {
  const { dialect, list, read, write } = engine
  const { id } = dialect
  const { secretColumns, noteColumns } = own
  const answers = answersColumns(dialect)
  const find = `SELECT s.attempts, ${answers}, ${noteColumns}, ${secretColumns} FROM secrets s WHERE ${one}`
  const pageOf = (owned: string) => `SELECT ${countOfFiles}, ${answers}, ${secretColumns} FROM secrets s
    WHERE ${owned} AND expires_at IS NULL AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT $4`
  const [ofAccount, ofFolder] = [pageOf('account_id = $1'), pageOf(own.inFolder)]
  return {
    find: (accountId, draftId) =>
      read(function* () {
        const found = yield* row<[string | null, ...AnswersRow, unknown, unknown, ...unknown[]]>(
          find,
          ...[id.in(draftId), id.in(accountId)],
        )
        if (found === undefined) return undefined
        const [attempts, requestId, news, wrappedKey, note, ...secret] = found
        return {
          secret: own.secretOf(accountId, secret),
          note: own.noteOf([wrappedKey, note]),
          attempts: attemptsOf(attempts),
          ...withFiles(yield* filesOf(dialect, draftId)),
          ...answersOf(dialect, [requestId, news]),
        }
      }),

    updateAttempts: createUpdateAttempts(engine, own),

    page: ({ accountId, folderId }, after, limit) =>
      list(
        folderId === undefined ? ofAccount : ofFolder,
        [
          ...[id.in(accountId), ...cursorOf(dialect, after), limit],
          ...(folderId === undefined ? [] : [id.in(folderId)]),
        ],
        ([filesCount, requestId, news, ...secret]: [number, ...AnswersRow, ...unknown[]]) => ({
          ...own.secretOf(accountId, secret),
          ...withFilesCount(filesCount),
          ...answersOf(dialect, [requestId, news]),
        }),
      ),

    ...createReadAnswers(
      engine,
      `${noteColumns}, ${secretColumns}`,
      (accountId, [wrappedKey, note, ...secret]: [unknown, unknown, ...unknown[]]) => ({
        secret: own.secretOf(accountId, secret),
        note: own.noteOf([wrappedKey, note]),
      }),
    ),

    share: ({ accountId, id: draftId, expectedHeadCiphertext }, link, keys) =>
      write(function* (): Work<Result<boolean, DraftNotFound | KeyRetired>> {
        const draft = { id: draftId, accountId }
        const isUnchanged = yield* lockUnchanged(engine, own, draft, expectedHeadCiphertext)
        if (isUnchanged === undefined) return err({ code: 'draft_not_found' })
        if (!isUnchanged) return ok(false)
        return (yield* underKey(engine, keys.kid, () => own.share(id.in(draftId), link, keys))).map(
          () => true,
        )
      }, byLocks),

    replace: createReplace(engine, own),

    erase: (accountId, draftId) =>
      write(function* () {
        const statement = `DELETE FROM secrets AS s WHERE ${one}`
        const count = yield* changes(statement, id.in(draftId), id.in(accountId))
        if (count > 0) engine.erased()
        return ok(count > 0)
      }, byLocks),
  }
}

function createUpdateAttempts(engine: Engine, { storeAttempts }: OwnDrafts): DraftStore['updateAttempts'] {
  const { id, forUpdate } = engine.dialect
  return <Change extends { readonly attempts: AttemptState }>(
    accountId: Uuid,
    draftId: Uuid,
    decide: (attempts: AttemptState) => Change,
  ) =>
    engine.write<Change, DraftNotFound>(function* () {
      const draft = id.in(draftId)
      const found = yield* row<[string | null]>(
        `SELECT s.attempts FROM secrets s WHERE ${one}${forUpdate}`,
        ...[draft, id.in(accountId)],
      )
      if (found === undefined) return err({ code: 'draft_not_found' })
      const change = decide(attemptsOf(found[0]))
      yield* storeAttempts(draft, attemptsText(change.attempts))
      return ok(change)
    }, byLocks)
}

function createReplace(engine: Engine, own: OwnDrafts): DraftStore['replace'] {
  const { id } = engine.dialect
  return (expectedHeadCiphertext, draft, note, { forgetsAttempts = false, files } = {}) =>
    engine.write(function* (): Work<
      Result<boolean, DraftNotFound | FolderNotFound | KeyRetired | StorageUnavailable>
    > {
      const isUnchanged = yield* lockUnchanged(engine, own, draft, expectedHeadCiphertext)
      if (isUnchanged === undefined) return err({ code: 'draft_not_found' })
      if (!isUnchanged) return ok(false)
      const folder = [id.in(draft.folderId), id.in(draft.accountId)]
      if (!(yield* exists('SELECT 1 FROM folders WHERE id = $1 AND account_id = $2', ...folder)))
        return err({ code: 'folder_not_found' })
      const replaced = yield* underKey(engine, draft.kid, function* () {
        yield* own.replace(draft, note)
        if (forgetsAttempts) yield* own.storeAttempts(id.in(draft.id), null)
      })
      if (replaced.isErr()) return err(replaced.error)
      engine.erased()
      return files === undefined ? ok(true) : (yield* changeFiles(engine, draft, files)).map(() => true)
    }, byLocks)
}

/**
 * Whether the head of a draft is still the expected one; `undefined` when there is no such draft. The draft stays as it is until the
 * transaction ends.
 */
function* lockUnchanged(
  { dialect: { id, flag, forUpdate } }: Engine,
  { head }: OwnDrafts,
  draft: Pick<StoredSecret, 'id' | 'accountId'>,
  expectedHead: Ciphertext,
): Work<boolean | undefined> {
  const [isSame] =
    (yield* row<[unknown]>(
      `SELECT ${head} = $3 FROM secrets s WHERE ${one}${forUpdate}`,
      ...[id.in(draft.id), id.in(draft.accountId), expectedHead],
    )) ?? []
  return isSame === undefined ? undefined : flag.out(isSame)
}
