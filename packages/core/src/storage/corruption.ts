import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { DecryptError, StorageError } from '../shared/errors.ts'
import type { Ciphertext } from '../shared/ciphertext.ts'
import type { StoredText, StoredWrappedKey } from '../keys/key-store.ts'
import type { StoredNote } from '../secrets/secret-store.ts'
import { textColumns, type TextColumn } from '../shared/text-columns.ts'
import type { DepsOf } from '../shared/use-case.ts'

// What finding corruption and dropping it have in common.

/** The label that a folder gets in place of a corrupted one. */
export const labelInPlaceOfCorrupted = '(damaged label)'

/** Rows that are read together. */
const batchSize = 50

/** No key has this number, so the rows that are not under it are all rows. */
const noKid = 0

/** A row that does not decrypt. */
export interface CorruptedRow {
  readonly kind:
    | 'account'
    | 'folder'
    | 'access_token'
    | 'password'
    | 'webhook'
    | 'display_name'
    | 'session'
    | 'request'
    | 'identity'
    | 'passkey'
    | 'file'
    | 'draft'
    | 'secret'
  readonly id: Uuid
  /** The account that the row belongs to, as the row says: that may be what was changed. */
  readonly accountId: Uuid
  /** `data_damaged` with the first column that does not decrypt. `key_unknown` is no corruption: the ring lacks a key. */
  readonly error: DecryptError
}

/** What was read of a corrupted row: the text, or the secret's wrapped key, and its note if that is corrupted. */
export type CorruptedData =
  { readonly text: StoredText } | { readonly stored: StoredWrappedKey; readonly note: Ciphertext | undefined }

/** What {@link authenticateRows} needs. */
export const authenticateRowsNeeds = [
  'rewraps.texts',
  'rewraps.secrets',
  'drafts.find',
  'links.findWithNote',
  'textCipher.decryptText',
  'secretCipher.decryptHead',
  'secretCipher.decryptNote',
] as const

type Deps = DepsOf<(typeof authenticateRowsNeeds)[number]>

type OnCorruption<E> = (row: CorruptedRow, data: CorruptedData) => Promise<Result<void, E>>

/**
 * Authenticates everything that is encrypted: each text, head, wrapped key and note, without any password. Calls `onCorruption` for each
 * corrupted row right after it was read, texts first; its Err ends the reading. Reads all rows, in pages.
 */
export async function authenticateRows<E>(
  deps: Deps,
  onCorruption: OnCorruption<E>,
): Promise<Result<void, E | StorageError>> {
  for (const column of textColumns) {
    const done = await everyRow(
      (after) => deps.rewraps.texts(column, noKid, after, batchSize),
      ({ place }) => place.rowId,
      (text) => checkText(deps, text, onCorruption),
    )
    if (done.isErr()) return done
  }
  return everyRow(
    (after) => deps.rewraps.secrets(noKid, after, batchSize),
    ({ secret }) => secret.id,
    (stored) => checkSecret(deps, stored, onCorruption),
  )
}

async function everyRow<Row, E>(
  read: (after: Uuid | undefined) => ResultAsync<readonly Row[], StorageError>,
  idOf: (row: Row) => Uuid,
  check: (row: Row) => Promise<Result<void, E | StorageError>>,
): Promise<Result<void, E | StorageError>> {
  let after: Uuid | undefined
  for (;;) {
    const rows = await read(after)
    if (rows.isErr()) return err(rows.error)
    for (const row of rows.value) {
      const checked = await check(row)
      if (checked.isErr()) return checked
    }
    const last = rows.value.at(-1)
    if (last === undefined || rows.value.length < batchSize) return ok()
    after = idOf(last)
  }
}

const kinds = {
  'account.name': 'account',
  'folder.label': 'folder',
  'access_token.name': 'access_token',
  'account.password': 'password',
  'webhook.endpoint': 'webhook',
  'account.display_name': 'display_name',
  'session.name': 'session',
  'request.content': 'request',
  'identity.name': 'identity',
  'passkey.name': 'passkey',
  'file.about': 'file',
} as const satisfies Record<TextColumn, CorruptedRow['kind']>

async function checkText<E>(
  { textCipher }: Deps,
  text: StoredText,
  onCorruption: OnCorruption<E>,
): Promise<Result<void, E>> {
  const { place, encrypted } = text
  const { column, rowId: id, accountId } = place
  const plain = textCipher.decryptText(place, encrypted)
  return plain.isOk()
    ? ok()
    : onCorruption({ kind: kinds[column], id, accountId, error: plain.error }, { text })
}

async function checkSecret<E>(
  deps: Deps,
  stored: StoredWrappedKey,
  onCorruption: OnCorruption<E>,
): Promise<Result<void, E | StorageError>> {
  const { id, accountId, link } = stored.secret
  const kind = link === undefined ? 'draft' : 'secret'
  const head = deps.secretCipher.decryptHead(stored.secret)
  if (head.isErr())
    return onCorruption({ kind, id, accountId, error: head.error }, { stored, note: undefined })
  const found = await readNote(deps, stored)
  if (found.isErr()) return err(found.error)
  // The note is destroyed; or it was opened for the last time, shared, deleted or put under another key after the row was read.
  if (found.value === undefined) return ok()
  const note = await deps.secretCipher.decryptNote(stored.secret, found.value, undefined)
  return note.isErr() && isCorruption(note.error)
    ? onCorruption({ kind, id, accountId, error: note.error }, { stored, note: found.value.note })
    : ok()
}

/** The note, as long as the row has the wrapped key that was read before. */
async function readNote(
  { drafts, links }: Deps,
  { secret, wrappedKey }: StoredWrappedKey,
): Promise<Result<StoredNote | undefined, StorageError>> {
  if (wrappedKey === undefined) return ok(undefined)
  const found =
    secret.link === undefined
      ? await drafts.find(secret.accountId, secret.id)
      : // As of when the link was made, so that an expired one is checked until it is erased.
        await links.findWithNote(secret.link.lookup, {
          nowMicros: secret.link.createdAtMicros,
          evenWithPassword: true,
        })
  const isSame = (note: StoredNote): boolean => note.wrappedKey.every((byte, at) => byte === wrappedKey[at])
  return found.map((row) => (row?.note !== undefined && isSame(row.note) ? row.note : undefined))
}

function isCorruption(error: { readonly code: string }): error is DecryptError {
  return error.code === 'data_damaged' || error.code === 'key_unknown'
}
