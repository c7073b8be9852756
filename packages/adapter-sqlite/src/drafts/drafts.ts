import { changes, row, type InsertSecret, type OwnDrafts } from '@sotto/storage-sql'
import { sqliteDialect } from '../engine/engine.ts'
import {
  headColumn,
  noteColumns,
  noteOf,
  secretColumns,
  secretOf,
  type NoteRow,
  type SecretRow,
} from '../secrets/secret-rows.ts'

type Kept = [attempts: string | null, news: number, requestId: Buffer | null]

/** How the shared stores read and change drafts. */
export function createOwnDrafts(insert: InsertSecret): OwnDrafts {
  return {
    secretColumns,
    secretOf: (accountId, found) => secretOf(accountId, found as SecretRow),
    noteColumns,
    noteOf: (found) => noteOf(found as NoteRow),
    head: headColumn,
    // The unary plus keeps SQLite from using the folder's index, which would have to be sorted.
    inFolder: 'account_id = $1 AND +folder_id = $5',

    storeAttempts: (draft, attempts) =>
      changes('UPDATE secrets SET attempts = $2 WHERE id = $1', draft, attempts),

    *share(draft, { lookup, createdAtMicros, expiresAtMicros }, { kid, headCiphertext, wrappedKey }) {
      yield* changes(
        'UPDATE secrets SET lookup = $2, link_created_at = $3, expires_at = $4, kid = $5, news = 0 WHERE id = $1',
        ...[draft, lookup, createdAtMicros, expiresAtMicros, kid],
      )
      yield* changes(
        'UPDATE ciphertexts SET head = $2, wrap = $3 WHERE nr = (SELECT nr FROM secrets WHERE id = $1)',
        ...[draft, headCiphertext, wrappedKey],
      )
    },

    // The ciphertexts of the new draft may be longer than the old ones, so they are not stored in their place.
    *replace(draft, note) {
      const id = sqliteDialect.id.in(draft.id)
      const kept = yield* row<Kept>('SELECT attempts, news, answers_request FROM secrets WHERE id = $1', id)
      yield* changes('DELETE FROM secrets WHERE id = $1', id)
      yield* insert(draft, note)
      yield* changes(
        'UPDATE secrets SET attempts = $2, news = $3, answers_request = $4 WHERE id = $1',
        ...[id, ...(kept ?? [null, 0, null])],
      )
    },
  }
}
