import { changes, type OwnDrafts } from '@sotto/storage-sql'
import { ciphertextOf } from '../engine/codec.ts'
import { noteColumns, secretColumns, secretOf, type NoteRow, type SecretRow } from '../secrets/secret-rows.ts'

const noBytes = new Uint8Array()

/** How the shared stores read and change drafts. */
export const ownDrafts: OwnDrafts = {
  secretColumns,
  secretOf: (accountId, found) => secretOf(accountId, found as SecretRow),
  noteColumns,
  noteOf(found) {
    const [wrap, note] = found as NoteRow
    return { wrappedKey: ciphertextOf(wrap ?? noBytes), note: ciphertextOf(note ?? noBytes) }
  },
  head: 's.head',
  // An index as in the lists of shareable secrets.
  inFolder: 'folder_id = (SELECT id FROM folders WHERE account_id = $1 AND id = $5)',

  storeAttempts: (draft, attempts) =>
    changes('UPDATE secrets SET attempts = $2, version = version + 1 WHERE id = $1', draft, attempts),

  share: (draft, { lookup, createdAtMicros, expiresAtMicros }, { kid, headCiphertext, wrappedKey }) =>
    changes(
      `UPDATE secrets SET lookup = $2, link_created_at = $3, expires_at = $4, kid = $5, head = $6, wrap = $7, news = 0,
         version = version + 1 WHERE id = $1`,
      ...[draft, lookup, createdAtMicros, expiresAtMicros, kid, headCiphertext, wrappedKey],
    ),

  replace: ({ id, folderId, openLimit, notify, hasPassword, kid, headCiphertext }, { wrappedKey, note }) =>
    changes(
      `UPDATE secrets SET folder_id = $2, open_limit = $3, notify = $4, has_password = $5, kid = $6, head = $7, wrap = $8,
         note = $9, version = version + 1 WHERE id = $1`,
      ...[id, folderId, openLimit, notify, hasPassword, kid, headCiphertext, wrappedKey, note],
    ),
}
