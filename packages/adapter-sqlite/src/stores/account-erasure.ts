import type { AccountStore } from '@sotto/core'
import { ok, ResultAsync } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { uuidBytes } from './codec.ts'
import { createEraseSecrets, eraseUpTo, toErase, type Erased, type ToErase } from './erase-secrets.ts'

/** What is erased at once; with `targets`, all deliveries to them. What remains, access tokens too, may be too much for one transaction. */
const erasedAtOnce = [
  ...['sessions', 'passwords', 'welcomes', 'known_addresses', 'webhooks', 'targets'],
  // No more than the account's quota of a day.
  'idempotency_keys',
]

export function createBeginErasure({ writer, write, erased }: Connections): AccountStore['beginErasure'] {
  const begin = writer.prepare(
    'UPDATE accounts SET name_index = NULL WHERE id = ? AND name_index IS NOT NULL',
  )
  const erase = erasedAtOnce.map((table) => writer.prepare(`DELETE FROM ${table} WHERE account_id = ?`))
  return (id) =>
    write(() => {
      const account = uuidBytes(id)
      if (begin.run(account).changes === 0) return ok(false)
      for (const statement of erase) statement.run(account)
      erased()
      return ok(true)
    })
}

export function createEraseBegun(connections: Connections): AccountStore['eraseBegun'] {
  const eraseSome = createEraseSome(connections)
  return (limit) => new ResultAsync(eraseUpTo(limit, (most) => connections.write(() => ok(eraseSome(most)))))
}

/** The rows that one job erases, so that other writes do not wait long. */
const rowsAtOnce = 100

/** Makes the function that erases, inside a job, rows of the accounts whose erasure has begun, each before the row that it refers to. */
function createEraseSome({ writer, erased }: Connections): (most: number) => Erased {
  const nextAccount = writer
    .prepare<[], Buffer>('SELECT id FROM accounts WHERE name_index IS NULL LIMIT 1')
    .pluck()
  const nextSecrets = createNextSecrets(writer)
  const eraseSecrets = createEraseSecrets({ writer, erased })
  const eraseFolders = writer.prepare<[Buffer, number]>(
    'DELETE FROM folders WHERE rowid IN (SELECT rowid FROM folders WHERE account_id = ? LIMIT ?)',
  )
  const eraseTokens = writer.prepare<[Buffer, number]>(
    'DELETE FROM access_tokens WHERE rowid IN (SELECT rowid FROM access_tokens WHERE account_id = ? LIMIT ?)',
  )
  const eraseAccount = writer.prepare('DELETE FROM accounts WHERE id = ?')

  return (most) => {
    const limit = Math.min(most, rowsAtOnce)
    const account = nextAccount.get()
    if (account === undefined) return { rows: 0, more: false }
    erased()
    // Not counted: they have been absent since the erasure began.
    if (eraseTokens.run(account, rowsAtOnce).changes > 0) return { rows: 0, more: true }
    const secrets = nextSecrets(account, limit)
    // A job for each batch of secrets: their notes may be as long as a job should be.
    if (secrets.length > 0) return { rows: eraseSecrets(secrets).rows, more: true }
    const folders = eraseFolders.run(account, limit).changes
    if (folders === limit) return { rows: folders, more: true }
    return { rows: folders + eraseAccount.run(account).changes, more: true }
  }
}

/** Makes the function that finds secrets or drafts of an account. Each has its own index. */
function createNextSecrets(
  writer: Connections['writer'],
): (account: Buffer, limit: number) => readonly ToErase[] {
  const next = (which: string) =>
    writer
      .prepare<[Buffer, number], ToErase>(
        `SELECT ${toErase} FROM secrets s WHERE s.account_id = ? AND s.expires_at ${which} LIMIT ?`,
      )
      .raw()
  const [shareable, drafts] = [next('IS NOT NULL'), next('IS NULL')]
  return (account, limit) => {
    const secrets = shareable.all(account, limit)
    return secrets.length > 0 ? secrets : drafts.all(account, limit)
  }
}
