import type { Ciphertext, StoredNote, StoredSecret, StoredShareableSecret, Uuid } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { uuidOf } from './codec.ts'

/**
 * The columns of `secrets` (as `s`) that make a {@link StoredSecret}, in the order of {@link SecretRow}. Without its account, which most
 * callers know already: another column would make every row of a list slower.
 */
export const secretColumns =
  'hex(s.id), hex(s.folder_id), s.created_at, s.open_limit, s.notify, s.has_password, s.kid, ' +
  '(SELECT head FROM ciphertexts WHERE nr = s.nr), ' +
  's.lookup, s.link_created_at, s.expires_at'

const wrap = wrapWhere('nr = s.nr')
const note = noteWhere('nr = s.nr')

/** The columns that make a {@link StoredNote}, in the order of {@link NoteRow}. Zeros or NULL unless `s.has_note`. */
export const noteColumns = `${wrap}, ${note}`

const unlessPassword = 'NOT s.has_password AND nr = s.nr'

/** The same, but NULL for a secret with a password: its note, which may be long, is not read. */
export const noteColumnsWithoutPassword = `${wrapWhere(unlessPassword)}, ${noteWhere(unlessPassword)}`

function wrapWhere(condition: string): string {
  return `(SELECT wrap FROM ciphertexts WHERE ${condition})`
}

function noteWhere(condition: string): string {
  const [long, short] = ['long_notes', 'ciphertexts'].map(
    (table) => `(SELECT note FROM ${table} WHERE ${condition})`,
  )
  return `coalesce(${long}, ${short})`
}

/** The wrap and the note of the secret `s`; NULL when its note is destroyed. */
export const wrapOrNull = `iif(s.has_note, ${wrap}, NULL)`
export const noteOrNull = `iif(s.has_note, ${note}, NULL)`

export type NoteRow = [wrap: Buffer, note: Buffer]

export type SecretRow = [
  id: string,
  folderId: string,
  createdAt: number,
  openLimit: number | null,
  notify: number,
  hasPassword: number,
  kid: number,
  head: Buffer,
  lookup: Buffer | null,
  linkCreatedAt: number | null,
  expiresAt: number | null,
  ...more: unknown[],
]

export function secretOf(accountId: Uuid, row: SecretRow): StoredSecret {
  const [id, folderId, createdAtMicros, openLimit, notify, hasPassword, kid, head] = row
  return {
    id: uuidOf(id),
    accountId,
    folderId: uuidOf(folderId),
    createdAtMicros,
    openLimit: openLimit ?? undefined,
    notify: notify === 1,
    hasPassword: hasPassword === 1,
    link: linkOf(row),
    kid,
    head: ciphertextOf(head),
  }
}

/** For rows that were selected by their link or their expiry. */
export function shareableOf(accountId: Uuid, row: SecretRow): StoredShareableSecret {
  const secret = secretOf(accountId, row)
  if (secret.link === undefined) throw new TypeError('a shareable secret has a link')
  return secret as StoredShareableSecret
}

export function noteOf([wrap, note]: NoteRow): StoredNote {
  return { note: ciphertextOf(note), wrap: ciphertextOf(wrap) }
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

function linkOf(row: SecretRow): StoredSecret['link'] {
  const [, , , , , , , , lookup, createdAtMicros, expiresAtMicros] = row
  if (lookup === null || createdAtMicros === null || expiresAtMicros === null) return undefined
  return { lookup, createdAtMicros, expiresAtMicros }
}

/**
 * Makes the function that destroys notes, inside a transaction, and returns how many there were.
 * @param which of the secrets, as an SQL condition whose parameters the function takes
 */
export function createDestroyNotes(
  db: Sqlite.Database,
  which: string,
): (...parameters: readonly number[]) => number {
  const nrs = `SELECT nr FROM secrets WHERE has_note AND ${which}`
  const overwrite = db.prepare<number[]>(
    `UPDATE ciphertexts SET wrap = zeroblob(length(wrap)), note = zeroblob(length(note)) WHERE nr IN (${nrs})`,
  )
  const drop = db.prepare<number[]>(`DELETE FROM long_notes WHERE nr IN (${nrs})`)
  const mark = db.prepare<number[]>(`UPDATE secrets SET has_note = 0 WHERE nr IN (${nrs})`)
  return (...parameters) => {
    overwrite.run(...parameters)
    drop.run(...parameters)
    return mark.run(...parameters).changes
  }
}
