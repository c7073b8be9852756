import type { StoredNote, StoredSecret, StoredShareableSecret, Uuid } from '@sotto/core'
import { ciphertextOf } from './codec.ts'

/**
 * The columns of `secrets` (as `s`) that make a {@link StoredSecret}, in the order of {@link SecretRow}. Without its account, which most
 * callers know already.
 */
export const secretColumns = `s.id, s.folder_id, s.created_at, s.open_limit, s.notify, s.has_password, s.kid, s.head, s.lookup,
  s.link_created_at, s.expires_at`

export type SecretRow = readonly [
  id: Uuid,
  folderId: Uuid,
  createdAt: number,
  openLimit: number | null,
  notify: boolean,
  hasPassword: boolean,
  kid: number,
  head: Uint8Array,
  lookup: Uint8Array | null,
  linkCreatedAt: number | null,
  expiresAt: number | null,
  ...more: unknown[],
]

/** The columns that make a {@link StoredNote}, in the order of {@link NoteRow}: both NULL once the note is destroyed. */
export const noteColumns = 's.wrap, s.note'

export type NoteRow = readonly [wrap: Uint8Array | null, note: Uint8Array | null, ...more: unknown[]]

export function secretOf(accountId: Uuid, row: SecretRow): StoredSecret {
  const [id, folderId, createdAtMicros, openLimit, notify, hasPassword, kid, head] = row
  return {
    id,
    accountId,
    folderId,
    createdAtMicros,
    openLimit: openLimit ?? undefined,
    notify,
    hasPassword,
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

/** `undefined` once the note is destroyed. */
export function noteOf([wrap, note]: NoteRow): StoredNote | undefined {
  if (wrap === null || note === null) return undefined
  return { note: ciphertextOf(note), wrap: ciphertextOf(wrap) }
}

function linkOf(row: SecretRow): StoredSecret['link'] {
  const [, , , , , , , , lookup, createdAtMicros, expiresAtMicros] = row
  if (lookup === null || createdAtMicros === null || expiresAtMicros === null) return undefined
  return { lookup, createdAtMicros, expiresAtMicros }
}
