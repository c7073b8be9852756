import type {
  Ciphertext,
  LinkedSecret,
  StoredNote,
  StoredSecret,
  StoredShareableSecret,
  Uuid,
} from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { uuidOf } from '../engine/codec.ts'

/** The columns of `secrets` (as `s`) that make a {@link LinkedSecret}, in the order of {@link LinkedRow}. */
export const linkedColumns =
  'hex(s.id), hex(s.folder_id), s.created_at, s.open_limit, s.notify, s.has_password, s.kid, ' +
  's.link_created_at, s.expires_at'

/** The ciphertext of the head of the secret `s`. */
export const headColumn = '(SELECT head FROM ciphertexts WHERE nr = s.nr)'

/**
 * The columns that make a {@link StoredSecret}, in the order of {@link SecretRow}. Without its account, which most callers know already:
 * another column would make every row of a list slower.
 */
export const secretColumns = `${linkedColumns}, hex(${headColumn}), hex(s.lookup)`

/** Whether a row of `secrets` (as `s`) has its note. */
export const hasNote = 's.has_note'

const wrappedKey = '(SELECT wrap FROM ciphertexts WHERE nr = s.nr)'
const note = `coalesce((SELECT note FROM long_notes WHERE nr = s.nr), (SELECT note FROM ciphertexts WHERE nr = s.nr))`

/** The columns that make a {@link StoredNote}, in the order of {@link NoteRow}. Zeros or NULL unless `s.has_note`. */
export const noteColumns = `${wrappedKey}, ${note}`

/**
 * The columns of {@link CiphertextsRow}: one value that holds all three ciphertexts, and the lengths of the first two. For so few bytes each
 * value costs as much as all of them. (`||` makes text of them.)
 * @param condition which secrets the wrapped key and the note are read of; of others the value is the head, and the second length is 0
 */
export function ciphertextsColumns(condition: string): string {
  const note = 'wrap || coalesce((SELECT note FROM long_notes WHERE nr = s.nr), note)'
  const [all, wrapLength] =
    condition === 'true'
      ? [`head || ${note}`, 'length(wrap)']
      : [`head || iif(${condition}, ${note}, '')`, `iif(${condition}, length(wrap), 0)`]
  return [`CAST(${all} AS BLOB)`, 'length(head)', wrapLength]
    .map((each) => `(SELECT ${each} FROM ciphertexts WHERE nr = s.nr)`)
    .join(', ')
}

export type CiphertextsRow = [all: Buffer | null, headLength: number | null, wrapLength: number | null]

export function ciphertextsOf([all, headLength, wrapLength]: CiphertextsRow): {
  readonly headCiphertext: Ciphertext
  readonly note: StoredNote
} {
  const bytes = all ?? noBytes
  const wrappedKeyAt = headLength ?? 0
  const noteAt = wrappedKeyAt + (wrapLength ?? 0)
  return {
    headCiphertext: ciphertextOf(bytes.subarray(0, wrappedKeyAt)),
    note: {
      wrappedKey: ciphertextOf(bytes.subarray(wrappedKeyAt, noteAt)),
      note: ciphertextOf(bytes.subarray(noteAt)),
    },
  }
}

/** The wrapped key and the note of the secret `s`; NULL when its note is destroyed. */
export const wrappedKeyOrNull = `iif(s.has_note, ${wrappedKey}, NULL)`
export const noteOrNull = `iif(s.has_note, ${note}, NULL)`

export type NoteRow = [wrap: Buffer, note: Buffer]

type Fixed = [
  id: string,
  folderId: string,
  createdAt: number,
  openLimit: number | null,
  notify: number,
  hasPassword: number,
  kid: number,
]
export type LinkedRow = [...Fixed, linkCreatedAt: number, expiresAt: number]
export type SecretRow = [
  ...Fixed,
  linkCreatedAt: number | null,
  expiresAt: number | null,
  /** The ciphertext of the head in hexadecimal digits, as the lookup: they are read faster than bytes. */
  head: string,
  /** The lookup; none for a draft. */
  lookup: string,
]
/** A row with further columns. */
export type More<Row extends readonly unknown[]> = readonly [...Row, ...unknown[]]

export function linkedOf(
  accountId: Uuid,
  lookup: Uint8Array,
  [
    id,
    folderId,
    createdAtMicros,
    openLimit,
    notify,
    hasPassword,
    kid,
    linkedAt,
    expiresAtMicros,
  ]: More<LinkedRow>,
): LinkedSecret {
  return {
    id: uuidOf(id),
    accountId,
    folderId: uuidOf(folderId),
    createdAtMicros,
    openLimit: openLimit ?? undefined,
    notify: notify === 1,
    hasPassword: hasPassword === 1,
    link: { lookup, createdAtMicros: linkedAt, expiresAtMicros },
    kid,
  }
}

export function secretOf(accountId: Uuid, row: More<SecretRow>): StoredSecret {
  const [
    id,
    folderId,
    createdAtMicros,
    openLimit,
    notify,
    hasPassword,
    kid,
    linkedAt,
    expiresAt,
    head,
    lookup,
  ] = row
  return {
    id: uuidOf(id),
    accountId,
    folderId: uuidOf(folderId),
    createdAtMicros,
    openLimit: openLimit ?? undefined,
    notify: notify === 1,
    hasPassword: hasPassword === 1,
    link:
      linkedAt === null || expiresAt === null
        ? undefined
        : { lookup: Buffer.from(lookup, 'hex'), createdAtMicros: linkedAt, expiresAtMicros: expiresAt },
    kid,
    headCiphertext: ciphertextOf(Buffer.from(head, 'hex')),
  }
}

/** The shareable secret of a row that was selected by its link or its expiry. */
export function shareableOf(accountId: Uuid, row: More<SecretRow>): StoredShareableSecret {
  const secret = secretOf(accountId, row)
  if (secret.link === undefined) throw new TypeError('a shareable secret has a link')
  return secret as StoredShareableSecret
}

export function noteOf([wrappedKey, note]: NoteRow): StoredNote {
  return { note: ciphertextOf(note), wrappedKey: ciphertextOf(wrappedKey) }
}

export const noBytes = Buffer.alloc(0)

/** Bytes from a column that only ciphertexts are written to. Empty when the row is missing: that decrypts to nothing. */
export function ciphertextOf(bytes: Buffer | null): Ciphertext {
  return (bytes ?? noBytes) as Uint8Array as Ciphertext
}

/** Whether a column holds what was read: the same bytes, or none both times. */
export function isSameOrNone(current: Buffer | null, expected: Uint8Array | undefined): boolean {
  return current === null || expected === undefined
    ? (current ?? undefined) === expected
    : current.equals(expected)
}

/**
 * Makes the function that destroys notes, inside a transaction, and returns how many there were.
 * @param which of the secrets, as an SQL condition whose parameters the function takes
 */
export function createDestroyNotes(
  db: Sqlite.Database,
  which: string,
): (...parameters: readonly (number | Buffer)[]) => number {
  const nrs = `SELECT nr FROM secrets WHERE has_note AND ${which}`
  const overwrite = db.prepare<(number | Buffer)[]>(
    `UPDATE ciphertexts SET wrap = zeroblob(length(wrap)), note = zeroblob(length(note)) WHERE nr IN (${nrs})`,
  )
  const drop = db.prepare<(number | Buffer)[]>(`DELETE FROM long_notes WHERE nr IN (${nrs})`)
  const mark = db.prepare<(number | Buffer)[]>(`UPDATE secrets SET has_note = 0 WHERE nr IN (${nrs})`)
  return (...parameters) => {
    overwrite.run(...parameters)
    drop.run(...parameters)
    return mark.run(...parameters).changes
  }
}
