import type { KeyInUse, KeyStore, StoredKey } from '@sotto/core'
import { err, ok } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { rowsUnderKey } from '../keyed-columns.ts'

type Row = [kid: number, checkValue: Buffer, createdAt: number, rows: number]

export function createKeys({ reader, writer, read, write }: Connections): KeyStore {
  const list = reader
    .prepare<[], Row>(`SELECT k.kid, k.check_value, k.created_at, ${rowsUnderKey} FROM keys k ORDER BY k.kid`)
    .raw()
  const add = writer.prepare('INSERT OR IGNORE INTO keys (kid, check_value, created_at) VALUES (?, ?, ?)')
  const rowsUnder = writer
    .prepare<[number], number>(`SELECT ${rowsUnderKey} FROM keys k WHERE k.kid = ?`)
    .pluck()
  const retire = writer.prepare('DELETE FROM keys WHERE kid = ?')

  return {
    list: () => read(() => list.all().map(keyOf)),

    add: ({ kid, checkValue, createdAtMicros }) =>
      write(() => {
        add.run(kid, checkValue, createdAtMicros)
        return ok()
      }),

    retire: (kid) =>
      write<boolean, KeyInUse>(() => {
        const rows = rowsUnder.get(kid)
        if (rows === undefined) return ok(false)
        if (rows > 0) return err({ code: 'key_in_use', rows })
        retire.run(kid)
        return ok(true)
      }),
  }
}

function keyOf([kid, checkValue, createdAtMicros, rows]: Row): StoredKey & { readonly rows: number } {
  return { kid, checkValue, createdAtMicros, rows }
}
