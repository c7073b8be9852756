import type { KeyInUse, KeyStore, StoredKey } from '@sotto/core'
import { err, ok } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import { rowsUnderKey } from '../keyed-columns.ts'

const list = {
  name: 'keys_list',
  text: `SELECT k.kid, k.check_value, k.created_at, ${rowsUnderKey} FROM keys k ORDER BY k.kid`,
}
const add = {
  name: 'keys_add',
  text: 'INSERT INTO keys (kid, check_value, created_at) VALUES ($1, $2, $3) ON CONFLICT (kid) DO NOTHING',
}
const rowsUnder = { name: 'keys_rows', text: `SELECT ${rowsUnderKey} FROM keys k WHERE k.kid = $1` }
const remove = { name: 'keys_remove', text: 'DELETE FROM keys WHERE kid = $1' }

type Row = [kid: number, checkValue: Uint8Array, createdAt: number, rows: number]

export function createKeys(db: Database): KeyStore {
  return {
    list: () => db.read(async (sql) => (await sql.rows<Row>(list)).map(keyOf)),

    add: ({ kid, checkValue, createdAtMicros }) =>
      db.statement(async (sql) => {
        await sql.changes(add, [kid, checkValue, createdAtMicros])
        return ok()
      }),

    // A row that is written under the key at the same time breaks the foreign key, here or there.
    retire: (kid) =>
      db.transaction<boolean, KeyInUse>(
        async (sql) => {
          const [rows] = (await sql.row<[number]>(rowsUnder, [kid])) ?? []
          if (rows === undefined) return ok(false)
          if (rows > 0) return err({ code: 'key_in_use', rows })
          await sql.changes(remove, [kid])
          return ok(true)
        },
        { isRace: (constraint) => constraint.endsWith('_kid_fkey') },
      ),
  }
}

function keyOf([kid, checkValue, createdAtMicros, rows]: Row): StoredKey & { readonly rows: number } {
  return { kid, checkValue, createdAtMicros, rows }
}
