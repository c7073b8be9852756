import type { AccountExists, AccountStore, KeyRetired, StoredAccount } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { cursorOf, uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { ciphertextOf } from './secret-rows.ts'

const columns = 'hex(id), created_at, disabled_at, kid, name'
type Row = [id: string, createdAt: number, disabledAt: number | null, kid: number, name: Buffer]

export function createAccounts(
  { reader, writer, read, write }: Connections,
  keyCheck: KeyCheck,
): AccountStore {
  const find = reader.prepare<[Uint8Array], Row>(`SELECT ${columns} FROM accounts WHERE name_index = ?`).raw()
  const exists = writer.prepare<[Uint8Array], number>('SELECT 1 FROM accounts WHERE name_index = ?').pluck()
  const insert = writer.prepare(
    'INSERT INTO accounts (id, created_at, disabled_at, kid, name_index, name) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const page = reader
    .prepare<[number, Buffer, number], Row>(
      `SELECT ${columns} FROM accounts WHERE (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
    )
    .raw()
  const disable = writer.prepare('UPDATE accounts SET disabled_at = coalesce(disabled_at, ?) WHERE id = ?')

  return {
    insert: ({ id, createdAtMicros, disabledAtMicros, name }, nameIndexes) =>
      write((): Result<void, AccountExists | KeyRetired> => {
        if (nameIndexes.some((index) => exists.get(index) !== undefined))
          return err({ code: 'account_exists' })
        const { kid, ciphertext } = name
        return keyCheck(kid, () =>
          insert.run(uuidBytes(id), createdAtMicros, disabledAtMicros, kid, nameIndexes[0], ciphertext),
        )
      }),

    findByName: (nameIndexes) =>
      read(() => {
        for (const index of nameIndexes) {
          const row = find.get(index)
          if (row !== undefined) return accountOf(row)
        }
        return undefined
      }),

    page: (after, limit) => read(() => page.all(...cursorOf(after), limit).map(accountOf)),

    disable: (id, atMicros) => write(() => ok(disable.run(atMicros, uuidBytes(id)).changes > 0)),
  }
}

function accountOf([id, createdAtMicros, disabledAt, kid, name]: Row): StoredAccount {
  return {
    id: uuidOf(id),
    name: { kid, ciphertext: ciphertextOf(name) },
    createdAtMicros,
    disabledAtMicros: disabledAt ?? undefined,
  }
}
