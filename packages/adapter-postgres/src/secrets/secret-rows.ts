import type { LinkedSecret, StoredNote, StoredSecret, StoredShareableSecret, Uuid } from '@sotto/core'
import { ciphertextOf } from '../engine/codec.ts'

/** The columns of `secrets` (as `s`) that make a {@link LinkedSecret}, in the order of {@link LinkedRow}. */
export const linkedColumns =
  's.id, s.folder_id, s.created_at, s.open_limit, s.notify, s.has_password, s.kid, s.link_created_at, s.expires_at'

/** The columns that make a {@link StoredSecret}, in the order of {@link SecretRow}. Without its account, which most callers know already. */
export const secretColumns = `${linkedColumns}, s.head, s.lookup`

type Fixed = readonly [
  id: Uuid,
  folderId: Uuid,
  createdAt: number,
  openLimit: number | null,
  notify: boolean,
  hasPassword: boolean,
  kid: number,
]
export type LinkedRow = readonly [...Fixed, linkCreatedAt: number, expiresAt: number]
export type SecretRow = readonly [
  ...Fixed,
  linkCreatedAt: number | null,
  expiresAt: number | null,
  head: Uint8Array,
  lookup: Uint8Array | null,
  ...more: unknown[],
]

/** Whether a row of `secrets` (as `s`) has its note. */
export const hasNote = 's.note IS NOT NULL'

/** The columns that make a {@link StoredNote}, in the order of {@link NoteRow}: both NULL once the note is destroyed. */
export const noteColumns = 's.wrap, s.note'

export type NoteRow = readonly [wrap: Uint8Array | null, note: Uint8Array | null, ...more: unknown[]]

export function linkedOf(
  accountId: Uuid,
  lookup: Uint8Array,
  [id, folderId, createdAtMicros, openLimit, notify, hasPassword, kid, linkedAt, expiresAtMicros]: LinkedRow,
): LinkedSecret {
  return {
    id,
    accountId,
    folderId,
    createdAtMicros,
    openLimit: openLimit ?? undefined,
    notify,
    hasPassword,
    link: { lookup, createdAtMicros: linkedAt, expiresAtMicros },
    kid,
  }
}

export function secretOf(accountId: Uuid, row: SecretRow): StoredSecret {
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
    id,
    accountId,
    folderId,
    createdAtMicros,
    openLimit: openLimit ?? undefined,
    notify,
    hasPassword,
    link:
      lookup === null || linkedAt === null || expiresAt === null
        ? undefined
        : { lookup, createdAtMicros: linkedAt, expiresAtMicros: expiresAt },
    kid,
    headCiphertext: ciphertextOf(head),
  }
}

/** The shareable secret of a row that was selected by its link or its expiry. */
export function shareableOf(accountId: Uuid, row: SecretRow): StoredShareableSecret {
  const secret = secretOf(accountId, row)
  if (secret.link === undefined) throw new TypeError('a shareable secret has a link')
  return secret as StoredShareableSecret
}

/** `undefined` once the note is destroyed. */
export function noteOf([wrap, note]: NoteRow): StoredNote | undefined {
  if (wrap === null || note === null) return undefined
  return { note: ciphertextOf(note), wrappedKey: ciphertextOf(wrap) }
}
