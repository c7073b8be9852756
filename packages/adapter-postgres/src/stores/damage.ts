import type { DamageStore, Encrypted, StorageError, TextColumn, Uuid } from '@sotto/core'
import { ok, type ResultAsync } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import { keyedColumns } from '../keyed-columns.ts'

const eraseSecret = {
  name: 'damage_erase_secret',
  text: `DELETE FROM secrets WHERE id = $1 AND head = $2 AND wrap IS NOT DISTINCT FROM $3::bytea
    AND ($4::bytea IS NULL OR note = $4)`,
}

export function createDamage(db: Database): DamageStore {
  return {
    eraseSecret: ({ secret: { id, head }, wrap }, note) =>
      db.statement(async (sql) => ok((await sql.changes(eraseSecret, [id, head, wrap, note])) > 0)),

    eraseAccessToken: createEraseRow(db, 'access_token.name'),
    erasePassword: createEraseRow(db, 'account.password'),
  }
}

/** Makes the method that erases the row of a text. */
function createEraseRow(
  db: Database,
  textColumn: TextColumn,
): (id: Uuid, text: Encrypted) => ResultAsync<boolean, StorageError> {
  const { table, column } = keyedColumns[textColumn]
  const erase = {
    name: `damage_erase_${table}`,
    text: `DELETE FROM ${table} WHERE id = $1 AND kid = $2 AND ${column} = $3`,
  }
  return (id, { kid, ciphertext }) =>
    db.statement(async (sql) => ok((await sql.changes(erase, [id, kid, ciphertext])) > 0))
}
