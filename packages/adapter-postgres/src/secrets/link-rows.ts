import { attemptsOf, type LinkRecord, type StorageError, type Uuid } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import { array } from '../connection/sql.ts'
import { keyOf } from '../engine/codec.ts'
import type { LinkUpdate, ReadLink } from './link-decisions.ts'
import { linkedColumns, linkedOf, type LinkedRow } from './secret-rows.ts'

/** The columns of `secrets` (as `s`) that make a {@link LinkRecord}, in the order of {@link RecordRow}. */
export const recordColumns = `s.version, s.opens, s.attempts, s.wrap IS NOT NULL, s.account_id, ${linkedColumns}`

export type RecordRow = [
  version: number,
  opens: number,
  attempts: string | null,
  hasNote: boolean,
  accountId: Uuid,
  ...secret: LinkedRow,
]

/** A link as a decision sees it that names no form. */
export function recordOf(
  lookup: Uint8Array,
  [, opens, attempts, hasNote, accountId, ...secret]: RecordRow,
): LinkRecord {
  const state = { opens, hasNote, attempts: attemptsOf(attempts), formUsed: false }
  return { secret: linkedOf(accountId, lookup, secret), state }
}

export type LinkRow = [lookup: Uint8Array, usedForms: readonly Uuid[] | null, ...RecordRow]

/** The second parameter: the forms that any caller names. */
const findMany = {
  name: 'links_find_many',
  text: `SELECT s.lookup,
      (SELECT array_agg(form_id) FROM opened_forms WHERE secret_id = s.id AND form_id = ANY (${array(2, 'uuid')}::uuid[])), ${recordColumns}
    FROM secrets s WHERE s.lookup = ANY (${array(1, 'bytea')}::bytea[])
      AND (SELECT name_index IS NOT NULL FROM accounts WHERE id = s.account_id)`,
}

/** The rows of all links that the calls are about, by {@link keyOf}. */
export function readLinks(
  db: Database,
  calls: readonly LinkUpdate[],
): ResultAsync<ReadonlyMap<string, LinkRow>, StorageError> {
  const lookups = new Map(calls.map(({ key, lookup }) => [key, lookup]))
  const forms = new Set(calls.flatMap(({ formId }) => formId ?? []))
  return db.read(async (sql) => {
    const rows = await sql.rows<LinkRow>(findMany, [[...lookups.values()], [...forms]])
    return new Map(rows.map((row) => [keyOf(row[0]), row]))
  })
}

/** Throws when the row was corrupted. */
export function linkOf([lookup, usedForms, ...row]: LinkRow): ReadLink {
  const [version] = row
  return { version, record: recordOf(lookup, row), usedForms: (usedForms ?? []).map(formIdOf) }
}

/** A form's id is 32 hexadecimal digits; the server writes it as a UUID. */
function formIdOf(uuid: Uuid): string {
  return uuid.replaceAll('-', '')
}
