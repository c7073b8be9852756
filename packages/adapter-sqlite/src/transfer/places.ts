import type { PlaceOfRows } from '@sotto/storage-sql'
import { shortNoteMaxBytes } from '../tables/secret-tables.ts'

/** Where the rows of a move are in this file. A note that has been destroyed is zeros here; in a move it is none. */
export const placesOfRows: Readonly<Record<string, PlaceOfRows>> = {
  secrets: {
    from: 'secrets s LEFT JOIN ciphertexts c ON c.nr = s.nr LEFT JOIN long_notes l ON l.nr = s.nr',
    columns: {
      head: `coalesce(c.head, x'')`,
      wrap: `iif(s.has_note, coalesce(c.wrap, x''), NULL)`,
      note: `iif(s.has_note, coalesce(l.note, c.note, x''), NULL)`,
    },
  },
  opened_forms: {
    // The rows come in the order of the secrets' ids.
    from: 'secrets s CROSS JOIN opened_forms f ON f.nr = s.nr',
    columns: { secret_id: 's.id', form_id: 'f.form_id' },
    start: 's.id >= $1',
  },
}

/** Whether a note is stored among the ciphertexts. */
export function isShortNote(note: Uint8Array): boolean {
  return note.length <= shortNoteMaxBytes
}
