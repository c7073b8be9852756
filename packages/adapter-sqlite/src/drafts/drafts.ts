import {
  attemptsOf,
  attemptsText,
  type AttemptState,
  type Ciphertext,
  type Cursor,
  type DraftNotFound,
  type DraftStore,
  type StorageUnavailable,
  type FolderNotFound,
  type KeyRetired,
  type SecretFilter,
  type StoredSecret,
} from '@sotto/core'
import {
  answersColumns,
  answersOf,
  countOfFiles,
  createReadAnswers,
  withFiles,
  withFilesCount,
  type AnswersRow,
  type Engine,
} from '@sotto/storage-sql'
import { err, ok, type Result } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { cursorOf, uuidBytes } from '../engine/codec.ts'
import { createInsertSecret } from '../secrets/insert-secret.ts'
import type { KeyCheck } from '../engine/key-check.ts'
import { createChangeFiles, createFilesOf } from '../files/secret-files.ts'
import {
  noteColumns,
  noteOf,
  secretColumns,
  secretOf,
  type NoteRow,
  type SecretRow,
} from '../secrets/secret-rows.ts'

const oneDraft = 'WHERE s.id = ? AND s.account_id = ? AND s.expires_at IS NULL'

export function createDrafts(connections: Connections, engine: Engine, keyCheck: KeyCheck): DraftStore {
  const { reader, writer, read, write } = connections
  const readPage = createReadPage(connections, engine)
  const find = reader
    .prepare<[Buffer, Buffer], [...SecretRow, attempts: string | null, ...NoteRow, ...AnswersRow]>(
      `SELECT ${secretColumns}, s.attempts, ${noteColumns}, ${answersColumns(engine.dialect)} FROM secrets s ${oneDraft}`,
    )
    .raw()
  const filesOf = createFilesOf(connections)
  const erase = writer.prepare('DELETE FROM secrets WHERE id = ? AND account_id = ? AND expires_at IS NULL')

  return {
    find: (accountId, id) =>
      read(() => {
        const row = find.get(uuidBytes(id), uuidBytes(accountId))
        if (row === undefined) return undefined
        const [attempts, wrappedKey, note, requestId, news] = [row[11], row[12], row[13], row[14], row[15]]
        return {
          secret: secretOf(accountId, row),
          note: noteOf([wrappedKey, note]),
          attempts: attemptsOf(attempts),
          ...withFiles(filesOf(id)),
          ...answersOf(engine.dialect, [requestId, news]),
        }
      }),

    updateAttempts: createUpdateAttempts(connections),

    page: (filter, after, limit) => read(() => readPage(filter, after, limit)),

    ...createReadAnswers(
      engine,
      `${secretColumns}, ${noteColumns}`,
      (accountId, row: [...SecretRow, ...NoteRow]) => ({
        secret: secretOf(accountId, row),
        note: noteOf([row[11], row[12]]),
      }),
    ),

    share: createShare(connections, keyCheck),

    replace: createReplace(connections, keyCheck),

    erase: (accountId, id) =>
      write(() => {
        const isErased = erase.run(uuidBytes(id), uuidBytes(accountId)).changes > 0
        if (isErased) connections.erased()
        return ok(isErased)
      }),
  }
}

type ListedRow = [...SecretRow, filesCount: number, ...AnswersRow]

function createReadPage(
  { reader }: Connections,
  { dialect }: Engine,
): (
  filter: SecretFilter,
  after: Cursor | undefined,
  limit: number,
) => readonly (StoredSecret & ReturnType<typeof withFilesCount> & ReturnType<typeof answersOf>)[] {
  const prepare = (owned: string) =>
    reader
      .prepare<(Buffer | number)[], ListedRow>(
        `SELECT ${secretColumns}, ${countOfFiles}, ${answersColumns(dialect)} FROM secrets s
         WHERE ${owned} AND expires_at IS NULL AND (created_at, id) > (?, ?)
         ORDER BY created_at, id LIMIT ?`,
      )
      .raw()
  const ofAccount = prepare('account_id = ?')
  // The unary plus keeps SQLite from using the folder's index, which would have to be sorted.
  const ofFolder = prepare('account_id = ? AND +folder_id = ?')
  return ({ accountId, folderId }, after, limit) => {
    const account = uuidBytes(accountId)
    const rows =
      folderId === undefined
        ? ofAccount.all(account, ...cursorOf(after), limit)
        : ofFolder.all(account, uuidBytes(folderId), ...cursorOf(after), limit)
    return rows.map((row) => ({
      ...secretOf(accountId, row),
      ...withFilesCount(row[11]),
      ...answersOf(dialect, [row[12], row[13]]),
    }))
  }
}

function createUpdateAttempts({ writer, write }: Connections): DraftStore['updateAttempts'] {
  const find = writer
    .prepare<[Buffer, Buffer], [nr: number, attempts: string | null]>(
      `SELECT s.nr, s.attempts FROM secrets s ${oneDraft}`,
    )
    .raw()
  const store = writer.prepare('UPDATE secrets SET attempts = ? WHERE nr = ?')
  return <Change extends { readonly attempts: AttemptState }>(
    accountId: string,
    id: string,
    decide: (attempts: AttemptState) => Change,
  ) =>
    write<Change, DraftNotFound>(() => {
      const draft = find.get(uuidBytes(id), uuidBytes(accountId))
      if (draft === undefined) return err({ code: 'draft_not_found' })
      const [nr, attempts] = draft
      const change = decide(attemptsOf(attempts))
      store.run(attemptsText(change.attempts), nr)
      return ok(change)
    })
}

type FoundDraft = Result<number | undefined, DraftNotFound>

/** Makes the function that finds the `nr` of a draft, inside a job: `undefined` when the ciphertext of its head is not the expected one. */
function createFindUnchanged({
  writer,
}: Connections): (
  draft: Pick<StoredSecret, 'accountId' | 'id'>,
  expectedHeadCiphertext: Ciphertext,
) => FoundDraft {
  const find = writer
    .prepare<[Buffer, Buffer], [nr: number, head: Buffer]>(
      `SELECT s.nr, c.head FROM secrets s JOIN ciphertexts c ON c.nr = s.nr ${oneDraft}`,
    )
    .raw()
  return ({ accountId, id }, expectedHeadCiphertext) => {
    const draft = find.get(uuidBytes(id), uuidBytes(accountId))
    if (draft === undefined) return err({ code: 'draft_not_found' })
    const [nr, headCiphertext] = draft
    return ok(headCiphertext.equals(expectedHeadCiphertext) ? nr : undefined)
  }
}

function createShare(connections: Connections, keyCheck: KeyCheck): DraftStore['share'] {
  const { writer, write } = connections
  const findUnchanged = createFindUnchanged(connections)
  const shareSecret = writer.prepare(
    'UPDATE secrets SET lookup = ?, link_created_at = ?, expires_at = ?, kid = ?, news = 0 WHERE nr = ?',
  )
  const shareCiphertexts = writer.prepare('UPDATE ciphertexts SET head = ?, wrap = ? WHERE nr = ?')

  return ({ accountId, id, expectedHeadCiphertext }, link, { kid, headCiphertext, wrappedKey }) =>
    write<boolean, DraftNotFound | KeyRetired>(() =>
      findUnchanged({ accountId, id }, expectedHeadCiphertext).andThen((nr) => {
        if (nr === undefined) return ok(false)
        const { lookup, createdAtMicros, expiresAtMicros } = link
        return keyCheck(kid, () => {
          shareSecret.run(lookup, createdAtMicros, expiresAtMicros, kid, nr)
          shareCiphertexts.run(headCiphertext, wrappedKey, nr)
        }).map(() => true)
      }),
    )
}

/** The ciphertexts of the new draft may be longer than the old ones, so they are not stored in their place. */
function createReplace(connections: Connections, keyCheck: KeyCheck): DraftStore['replace'] {
  const { writer, write } = connections
  const findUnchanged = createFindUnchanged(connections)
  const erase = writer.prepare<[number]>('DELETE FROM secrets WHERE nr = ?')
  const insert = createInsertSecret(connections)
  const changeFiles = createChangeFiles(connections)
  const keptOf = writer
    .prepare<[number], [attempts: string | null, news: number, requestId: Buffer | null]>(
      'SELECT attempts, news, answers_request FROM secrets WHERE nr = ?',
    )
    .raw()
  const keep = writer.prepare('UPDATE secrets SET attempts = ?, news = ?, answers_request = ? WHERE id = ?')

  return (expectedHeadCiphertext, draft, note, { forgetsAttempts = false, files } = {}) =>
    write<boolean, DraftNotFound | FolderNotFound | KeyRetired | StorageUnavailable>(() =>
      findUnchanged(draft, expectedHeadCiphertext).andThen((nr) => {
        if (nr === undefined) return ok(false)
        const replace = () => {
          const [attempts, ...kept] = keptOf.get(nr) ?? [null, 0, null]
          erase.run(nr)
          insert(draft, note)
          keep.run(forgetsAttempts ? null : attempts, ...kept, uuidBytes(draft.id))
          connections.erased()
        }
        return keyCheck<FolderNotFound>(draft.kid, replace, { code: 'folder_not_found' })
          .andThen(() => changeFiles(draft, files))
          .map(() => true)
      }),
    )
}
