import type { KeyInUse, KeyStore } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { changes, row, type Engine, type Work } from './engine.ts'
import { keyedTables } from './tables.ts'

/** The number of rows that are under the key `k.kid`. */
const rowsUnderKey = keyedTables
  .map((table) => `(SELECT count(*) FROM ${table} WHERE kid = k.kid)`)
  .join(' + ')

type Row = [kid: number, checkValue: Uint8Array, createdAt: number, rows: number]

/** The keys that rows may be written under. */
export function createKeys({ list, write, change }: Engine): KeyStore {
  return {
    list: () =>
      list(
        `SELECT k.kid, k.check_value, k.created_at, ${rowsUnderKey} FROM keys k ORDER BY k.kid`,
        [],
        ([kid, checkValue, createdAtMicros, count]: Row) => ({
          ...{ kid, checkValue: new Uint8Array(checkValue), createdAtMicros },
          rows: count,
        }),
      ),

    add: ({ kid, checkValue, createdAtMicros }) =>
      change(
        'INSERT INTO keys (kid, check_value, created_at) VALUES ($1, $2, $3) ON CONFLICT (kid) DO NOTHING',
        ...[kid, checkValue, createdAtMicros],
      ).map(() => undefined),

    // A row that is written under the key at the same time breaks the foreign key, here or there.
    retire: (kid) =>
      write(function* (): Work<Result<boolean, KeyInUse>> {
        const [count] =
          (yield* row<[number]>(`SELECT ${rowsUnderKey} FROM keys k WHERE k.kid = $1`, kid)) ?? []
        if (count === undefined) return ok(false)
        if (count > 0) return err({ code: 'key_in_use', rows: count })
        yield* changes('DELETE FROM keys WHERE kid = $1', kid)
        return ok(true)
      }),
  }
}
