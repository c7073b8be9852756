import type { KeyRetired, PasswordStore, StoredPassword, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Database, WriteOptions } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { ciphertextOf } from './codec.ts'

const find = {
  name: 'passwords_find',
  text: 'SELECT id, created_at, kid, hash FROM passwords WHERE account_id = $1',
}
const isCurrent = {
  name: 'passwords_is_current',
  text: 'SELECT 1 FROM passwords WHERE id = $1 AND account_id = $2',
}
// Sessions are ended by single statements, which the transaction does not see: the lock makes them wait.
const lockSession = {
  name: 'passwords_lock_session',
  text: 'SELECT 1 FROM sessions WHERE id = $1 AND account_id = $2 FOR UPDATE',
}
const endOtherSessions = {
  name: 'passwords_end_other_sessions',
  text: 'DELETE FROM sessions WHERE account_id = $1 AND id <> $2',
}
const eraseWelcome = {
  name: 'passwords_erase_welcome',
  text: 'DELETE FROM welcomes WHERE account_id = $1',
}
const set = {
  name: 'passwords_set',
  text: `INSERT INTO passwords (id, account_id, created_at, kid, hash) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (account_id) DO UPDATE
    SET id = excluded.id, created_at = excluded.created_at, kid = excluded.kid, hash = excluded.hash`,
}

type Row = [id: Uuid, createdAt: number, kid: number, hash: Uint8Array]

export function createPasswords(db: Database): PasswordStore {
  return {
    find: (accountId) =>
      db.read(async (sql) => {
        const row = await sql.row<Row>(find, [accountId])
        return row && passwordOf(accountId, row)
      }),

    replace: (password, { expectedId, keepSessionId }) =>
      db.transaction<boolean, KeyRetired>(
        async (sql) => {
          const { accountId } = password
          if (!(await isPassword(sql, expectedId, accountId))) return ok(false)
          if ((await sql.row(lockSession, [keepSessionId, accountId])) === undefined) return ok(false)
          await sql.changes(endOtherSessions, [accountId, keepSessionId])
          await sql.changes(eraseWelcome, [accountId])
          await setPassword(sql, password)
          return ok(true)
        },
        { violation: passwordViolation },
      ),
  }
}

/** Whether the account has the password with this id. */
export async function isPassword(sql: Sql, id: Uuid, accountId: Uuid): Promise<boolean> {
  return (await sql.row(isCurrent, [id, accountId])) !== undefined
}

/** Sets the password of an account, in the place of the older one. */
export async function setPassword(
  sql: Sql,
  { id, accountId, createdAtMicros, hash }: StoredPassword,
): Promise<void> {
  await sql.changes(set, [id, accountId, createdAtMicros, hash.kid, hash.ciphertext])
}

/** What a row of `passwords` under a retired key breaks. */
export const passwordViolation: NonNullable<WriteOptions<KeyRetired>['violation']> = (constraint) =>
  constraint === 'passwords_kid_fkey' ? { code: 'key_retired' } : undefined

function passwordOf(accountId: Uuid, [id, createdAtMicros, kid, hash]: Row): StoredPassword {
  return { id, accountId, createdAtMicros, hash: { kid, ciphertext: ciphertextOf(hash) } }
}
