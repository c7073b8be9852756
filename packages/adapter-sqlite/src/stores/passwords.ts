import type { KeyRetired, PasswordStore, StoredPassword } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { ciphertextOf } from './secret-rows.ts'
import { createInsertText, textIn } from './texts.ts'

type Row = [id: string, createdAt: number, kid: number, hash: Buffer | null]

export function createPasswords(connections: Connections, keyCheck: KeyCheck): PasswordStore {
  const { reader, writer, read, write } = connections
  const find = reader
    .prepare<[Buffer], Row>(
      `SELECT hex(id), created_at, kid, ${textIn('hash_nr')} FROM passwords WHERE account_id = ?`,
    )
    .raw()
  const current = writer
    .prepare<[Buffer], string>('SELECT hex(id) FROM passwords WHERE account_id = ?')
    .pluck()
  const hasSession = writer.prepare('SELECT 1 FROM sessions WHERE id = ? AND account_id = ?').pluck()
  const endSessions = writer.prepare('DELETE FROM sessions WHERE account_id = ? AND id <> ?')
  const eraseWelcome = writer.prepare('DELETE FROM welcomes WHERE account_id = ?')
  const setPassword = createSetPassword(connections)

  return {
    find: (accountId) =>
      read(() => {
        const row = find.get(uuidBytes(accountId))
        if (row === undefined) return undefined
        const [id, createdAtMicros, kid, hash] = row
        return { id: uuidOf(id), accountId, createdAtMicros, hash: { kid, ciphertext: ciphertextOf(hash) } }
      }),

    replace: (password, { expectedId, keepSessionId }) =>
      write((): Result<boolean, KeyRetired> => {
        const account = uuidBytes(password.accountId)
        const id = current.get(account)
        if (id === undefined || uuidOf(id) !== expectedId) return ok(false)
        const session = uuidBytes(keepSessionId)
        if (hasSession.get(session, account) === undefined) return ok(false)
        endSessions.run(account, session)
        eraseWelcome.run(account)
        return keyCheck(password.hash.kid, () => setPassword(password)).map(() => true)
      }),
  }
}

/** Makes the function that sets the password of an account, inside a job, and erases the older one. */
export function createSetPassword({
  writer,
  erased,
}: Pick<Connections, 'writer' | 'erased'>): (password: StoredPassword) => void {
  const erase = writer.prepare('DELETE FROM passwords WHERE account_id = ?')
  const insertText = createInsertText({ writer })
  const insert = writer.prepare(
    'INSERT INTO passwords (id, account_id, created_at, kid, hash_nr) VALUES (?, ?, ?, ?, ?)',
  )
  return ({ id, accountId, createdAtMicros, hash }) => {
    const account = uuidBytes(accountId)
    erase.run(account)
    insert.run(uuidBytes(id), account, createdAtMicros, hash.kid, insertText(hash.ciphertext))
    erased()
  }
}
