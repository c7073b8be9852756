import type { MovedTableName } from '@sotto/core'
import { shortNoteMaxBytes } from '../secret-tables.ts'
import { textIn } from '../stores/texts.ts'

/** How the rows of a move are found in this file. A column that is not named is the one of its own name in the first table. */
export interface PlaceOfRows {
  /** Instead of the table of that name. */
  readonly from?: string
  readonly columns?: Readonly<Record<string, string>>
  /** An index by which a page begins: a condition on the first column of the key, whose value is its parameter. */
  readonly start?: string
  /** The column whose text is in `texts`, and the column that holds the number of that. */
  readonly text?: { readonly column: string; readonly nr: string }
}

/** The text of a column; empty when it is missing, as in damaged rows, which are moved as they are. */
const textOf = (column: string, nr: string): PlaceOfRows => ({
  columns: { [column]: `coalesce(${textIn(nr)}, x'')` },
  text: { column, nr },
})

/** A note of this file that has been destroyed is zeros; in a move it is none. */
const secrets: PlaceOfRows = {
  from: 'secrets s LEFT JOIN ciphertexts c ON c.nr = s.nr LEFT JOIN long_notes l ON l.nr = s.nr',
  columns: {
    head: `coalesce(c.head, x'')`,
    wrap: `iif(s.has_note, coalesce(c.wrap, x''), NULL)`,
    note: `iif(s.has_note, coalesce(l.note, c.note, x''), NULL)`,
  },
}

export const placesOfRows: Readonly<Partial<Record<MovedTableName, PlaceOfRows>>> = {
  accounts: textOf('name', 'name_nr'),
  folders: textOf('label', 'label_nr'),
  access_tokens: textOf('name', 'name_nr'),
  passwords: textOf('hash', 'hash_nr'),
  webhooks: textOf('endpoint', 'endpoint_nr'),
  secrets,
  opened_forms: {
    // In the order of the secrets' ids.
    from: 'secrets s CROSS JOIN opened_forms f ON f.nr = s.nr',
    columns: { secret_id: 's.id', form_id: 'f.form_id' },
    start: 's.id >= ?',
  },
  deliveries: {
    from: 'deliveries d JOIN targets t ON t.nr = d.target_nr',
    columns: {
      id: 'd.id',
      account_id: 'd.account_id',
      due_at: 'd.due_at',
      target_kind: 't.kind',
      target_id: `iif(t.kind = 'mail', t.account_id, t.webhook_id)`,
    },
  },
}

/** Whether a note is stored among the ciphertexts. */
export function isShortNote(note: Uint8Array): boolean {
  return note.length <= shortNoteMaxBytes
}
