import type { AccountExists, AccountStore, KeyRetired, StoredAccount, TimePosition } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { positionOf } from './positions.ts'
import { ciphertextOf } from './secret-rows.ts'
import type { Storage } from './storage.ts'

const columns = 'hex(id), created_at, disabled_at, kid, email'
type Row = [id: string, createdAt: number, disabledAt: number | null, kid: number, email: Buffer]

export function createAccounts({ reader, writer, read, write }: Storage, keyCheck: KeyCheck): AccountStore {
  const byIndex = `SELECT ${columns} FROM accounts WHERE email_index = ?`
  const find = reader.prepare<[Uint8Array], Row>(byIndex).raw()
  const isKept = writer.prepare<[Uint8Array], number>('SELECT 1 FROM accounts WHERE email_index = ?').pluck()
  const insert = writer.prepare(
    'INSERT INTO accounts (id, created_at, disabled_at, kid, email_index, email) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const slice = reader
    .prepare<[number, Buffer, number], Row>(
      `SELECT ${columns} FROM accounts WHERE (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
    )
    .raw()
  const disable = writer.prepare('UPDATE accounts SET disabled_at = coalesce(disabled_at, ?) WHERE id = ?')

  return {
    insert: ({ id, createdAtMicros, disabledAtMicros, email }, emailIndexes) =>
      write((): Result<void, AccountExists | KeyRetired> => {
        if (emailIndexes.some((index) => isKept.get(index) !== undefined))
          return err({ code: 'account_exists' })
        const { kid, ciphertext } = email
        return keyCheck(kid, () =>
          insert.run(uuidBytes(id), createdAtMicros, disabledAtMicros, kid, emailIndexes[0], ciphertext),
        )
      }),

    findByEmail: (emailIndexes) =>
      read(() => {
        for (const index of emailIndexes) {
          const row = find.get(index)
          if (row !== undefined) return accountOf(row)
        }
        return undefined
      }),

    slice: (after: TimePosition | undefined, limit) =>
      read(() => slice.all(...positionOf(after), limit).map(accountOf)),

    disable: (id, atMicros) => write(() => ok(disable.run(atMicros, uuidBytes(id)).changes > 0)),
  }
}

function accountOf([id, createdAtMicros, disabledAt, kid, email]: Row): StoredAccount {
  return {
    id: uuidOf(id),
    email: { kid, ciphertext: ciphertextOf(email) },
    createdAtMicros,
    disabledAtMicros: disabledAt ?? undefined,
  }
}
