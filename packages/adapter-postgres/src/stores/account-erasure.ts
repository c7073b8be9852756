import type { AccountStore, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql, Statement } from '../connection/sql.ts'
import { eraseSecrets, eraseUpTo, secretsAtOnce, type Erased } from './erase-secrets.ts'

/** What is erased at once; with `targets`, all deliveries to them. What remains, access tokens too, may be too much for one transaction. */
const erasedAtOnce: readonly Statement[] = [
  ...['sessions', 'passwords', 'welcomes', 'known_addresses', 'webhooks', 'targets'],
  // No more than the account's quota of a day.
  'idempotency_keys',
].map((table) => ({
  name: `accounts_erase_${table}`,
  text: `DELETE FROM ${table} WHERE account_id = $1`,
}))

const begin = {
  name: 'accounts_begin_erasure',
  text: 'UPDATE accounts SET name_index = NULL WHERE id = $1 AND name_index IS NOT NULL',
}

/**
 * The first statement waits for the transactions that have the account's row locked because they add something that refers to it, or a
 * delivery. Under READ COMMITTED the next statements see what those added. A SERIALIZABLE transaction would go by the state from before the
 * wait, and leave that there. Whoever comes later finds the row changed.
 */
export function createBeginErasure(db: Database): AccountStore['beginErasure'] {
  return (id) =>
    db.transaction(
      async (sql) => {
        if ((await sql.changes(begin, [id])) === 0) return ok(false)
        await eraseAtOnce(sql, id)
        return ok(true)
      },
      { isolation: 'READ COMMITTED' },
    )
}

async function eraseAtOnce(sql: Sql, id: Uuid): Promise<void> {
  for (const statement of erasedAtOnce) await sql.changes(statement, [id])
}

export function createEraseBegun(db: Database): AccountStore['eraseBegun'] {
  const eraseSome = (most: number) =>
    db.transaction(async (sql) => ok(await eraseSomeOf(sql, most)), {
      // A row that was written at the same time refers to the one that is erased.
      isRace: (constraint) => constraint.endsWith('_fkey'),
    })
  return (limit) => eraseUpTo(limit, eraseSome)
}

/** The access tokens or folders that one transaction erases, so that few others conflict with it. */
const rowsAtOnce = 100

const nextAccount = {
  name: 'accounts_next_begun',
  text: 'SELECT id FROM accounts WHERE name_index IS NULL LIMIT 1',
}
const nextSecrets = {
  name: 'accounts_next_secrets',
  text: 'SELECT id FROM secrets WHERE account_id = $1 LIMIT $2',
}
const [eraseTokens, eraseFolders] = (['access_tokens', 'folders'] as const).map((table) => ({
  name: `accounts_erase_some_${table}`,
  text: `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE account_id = $1 LIMIT $2)`,
})) as [Statement, Statement]
const eraseAccount = { name: 'accounts_erase', text: 'DELETE FROM accounts WHERE id = $1' }

/** Erases rows of an account whose erasure has begun, each before the row that it refers to. */
async function eraseSomeOf(sql: Sql, most: number): Promise<Erased> {
  const [account] = (await sql.row<[Uuid]>(nextAccount)) ?? []
  if (account === undefined) return { rows: 0, more: false }
  // Not counted: they have been absent since the erasure began.
  if ((await sql.changes(eraseTokens, [account, rowsAtOnce])) > 0) return { rows: 0, more: true }
  const secrets = await sql.rows<[Uuid]>(nextSecrets, [account, Math.min(most, secretsAtOnce)])
  // A transaction for each batch of secrets, whose notes may be long.
  if (secrets.length > 0) {
    const areErased = await eraseSecrets(
      sql,
      secrets.map(([id]) => id),
    )
    return { rows: areErased ? secrets.length : 0, more: true }
  }
  const limit = Math.min(most, rowsAtOnce)
  const folders = await sql.changes(eraseFolders, [account, limit])
  if (folders === limit) return { rows: folders, more: true }
  // What a transaction that began before the erasure added.
  await eraseAtOnce(sql, account)
  return { rows: folders + (await sql.changes(eraseAccount, [account])), more: true }
}
