import { nilUuid, type LinkRecord, type LinkStore } from '@sotto/core'
import type { Database } from '../connection/database.ts'
import { recordColumns, recordOf, type RecordRow } from './link-rows.ts'
import { createUpdate, type UpdateOptions } from './link-updates.ts'
import { noteOf, type NoteRow } from './secret-rows.ts'

/**
 * The row with a lookup, if it has its note, has not expired, and its account is there; the parameters are the lookup, the time, and the id
 * of the row that stands in. An absent row, and one that does not qualify, cost the same: two searches of an index and the reading of one row
 * and of its account. When there is no row with the lookup, another one is read instead; the comparison of its lookup refuses it. Only the
 * search for the lookup looks at one page more, which the row is read from next, when it finds one. `&`, unlike AND, evaluates both sides.
 */
const isLive = `s.id = coalesce((SELECT id FROM secrets WHERE lookup = $1), $3::uuid)
  AND (SELECT name_index IS NOT NULL FROM accounts WHERE id = s.account_id)::integer
    & (s.lookup = $1)::integer & (s.wrap IS NOT NULL)::integer & (s.expires_at > $2)::integer = 1`

const find = {
  name: 'links_find',
  text: `SELECT ${recordColumns} FROM secrets s WHERE ${isLive}`,
}
/** The note of a secret with a password, which may be long, is read only when the last parameter says so. */
const findWithNote = {
  name: 'links_find_with_note',
  text: `SELECT CASE WHEN $4::boolean OR NOT s.has_password THEN s.wrap END,
      CASE WHEN $4::boolean OR NOT s.has_password THEN s.note END, ${recordColumns}
    FROM secrets s WHERE ${isLive}`,
}

export function createLinks(db: Database, options?: UpdateOptions): LinkStore {
  // The row that stands in is the one that was found last. Right after the start there is none, until a link is found.
  let standIn = nilUuid
  const found = (row: RecordRow): LinkRecord => {
    const record = recordOf(row)
    standIn = record.secret.id
    return record
  }
  return {
    find: (lookup, nowMicros) =>
      db.read(async (sql) => {
        const row = await sql.row<RecordRow>(find, [lookup, nowMicros, standIn])
        return row && found(row)
      }),

    findWithNote: (lookup, { nowMicros, evenWithPassword }) =>
      db.read(async (sql) => {
        const values = [lookup, nowMicros, standIn, evenWithPassword]
        const row = await sql.row<[...NotePart, ...RecordRow]>(findWithNote, values)
        if (row === undefined) return undefined
        const [wrap, note, ...columns] = row
        return { ...found(columns), note: noteOf([wrap, note]) }
      }),

    update: createUpdate(db, options),
  }
}

type NotePart = [wrap: NoteRow[0], note: NoteRow[1]]
