import type { DamageStore, Encrypted, StorageError, TextColumn, Uuid } from '@sotto/core'
import { ok, type ResultAsync } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { keyedColumns } from '../keyed-columns.ts'
import { uuidBytes } from './codec.ts'
import { isSameOrNone, noBytes, noteOrNull, wrapOrNull } from './secret-rows.ts'
import { textIn } from './texts.ts'

type SecretRow = [nr: number, head: Buffer | null, wrap: Buffer | null, note: Buffer | null]

export function createDamage(connections: Connections): DamageStore {
  const { writer, write, erased } = connections
  const find = writer
    .prepare<[Buffer], SecretRow>(
      `SELECT s.nr, (SELECT head FROM ciphertexts WHERE nr = s.nr), ${wrapOrNull}, ${noteOrNull}
       FROM secrets s WHERE s.id = ?`,
    )
    .raw()
  const eraseSecret = writer.prepare<[number]>('DELETE FROM secrets WHERE nr = ?')

  return {
    eraseSecret: ({ secret, wrap: wrapRead }, noteRead) =>
      write(() => {
        const row = find.get(uuidBytes(secret.id))
        if (row === undefined) return ok(false)
        const [nr, head, wrap, note] = row
        // A row of `secrets` may have lost its row of `ciphertexts`; its head was read as no bytes then.
        if (!(head ?? noBytes).equals(secret.head) || !isSameOrNone(wrap, wrapRead)) return ok(false)
        if (noteRead !== undefined && !isSameOrNone(note, noteRead)) return ok(false)
        eraseSecret.run(nr)
        erased()
        return ok(true)
      }),

    eraseAccessToken: createEraseRow(connections, 'access_token.name'),
    erasePassword: createEraseRow(connections, 'account.password'),
  }
}

/** Makes the method that erases the row of a text. A missing text was read as no bytes. */
function createEraseRow(
  { writer, write, erased }: Connections,
  textColumn: TextColumn,
): (id: Uuid, text: Encrypted) => ResultAsync<boolean, StorageError> {
  const { table, column } = keyedColumns[textColumn]
  const erase = writer.prepare(
    `DELETE FROM ${table} WHERE id = ? AND kid = ? AND coalesce(${textIn(column)}, x'') = ?`,
  )
  return (id, { kid, ciphertext }) =>
    write(() => {
      const isErased = erase.run(uuidBytes(id), kid, ciphertext).changes > 0
      if (isErased) erased()
      return ok(isErased)
    })
}
