import type { AccountStore } from '@sotto/core'
import { ok } from 'neverthrow'
import { changes, row, type Engine, type SqlValue, type Work } from '../engine/engine.ts'
import { eraseUpTo, type Erased } from '../shared/erase-steps.ts'
import { eraseRequests } from '../requests/requests.ts'
import { allTables } from '../tables.ts'

/**
 * Erases secrets and drafts of an account or a folder, expired ones included, inside work that writes; each database has their tables in a form
 * of its own. It says how many it found, at most `most`, and how many of these it has erased: fewer when a bound of one transaction was reached.
 */
export type EraseSecrets = (
  of: 'account_id' | 'folder_id',
  id: SqlValue,
  most: number,
) => Work<{ readonly found: number; readonly erased: number }>

/**
 * What is erased first, in one transaction; with `targets`, all deliveries to them. What remains, access tokens too, may be too much for
 * one transaction.
 */
const erasedAtOnce = allTables.flatMap(({ name, ofAccount }) => (ofAccount === 'few' ? [name] : []))

function* eraseAtOnce(account: SqlValue): Work<void> {
  for (const table of erasedAtOnce) yield* changes(`DELETE FROM ${table} WHERE account_id = $1`, account)
}

/**
 * The first statement waits for the transactions that have the account's row locked because they add something that refers to it, or a
 * delivery. With `locks` the next statements see what those added. An isolated transaction would go by the state from before the wait, and leave
 * that there. Whoever comes later finds the row changed.
 */
export function createBeginErasure(engine: Engine): AccountStore['beginErasure'] {
  return (id) =>
    engine.write(
      function* () {
        const account = engine.dialect.id.in(id)
        const begun = yield* changes(
          'UPDATE accounts SET name_index = NULL WHERE id = $1 AND name_index IS NOT NULL',
          account,
        )
        if (begun === 0) return ok(false)
        yield* eraseAtOnce(account)
        engine.erased()
        return ok(true)
      },
      { isolation: 'locks' },
    )
}

export function createEraseBegun(engine: Engine, eraseSecrets: EraseSecrets): AccountStore['eraseBegun'] {
  return (limit) =>
    eraseUpTo(limit, (most) =>
      engine.write(function* () {
        const [account] =
          (yield* row<[SqlValue]>('SELECT id FROM accounts WHERE name_index IS NULL LIMIT 1')) ?? []
        if (account === undefined) return ok({ rows: 0, more: false })
        engine.erased()
        return ok(yield* eraseSomeOf(account, most, eraseSecrets))
      }),
    )
}

/** The rows that one transaction erases, so that other writes do not wait long. */
const rowsAtOnce = 100

/** Erases rows of an account whose erasure has begun, each before the row that it refers to. */
function* eraseSomeOf(account: SqlValue, most: number, eraseSecrets: EraseSecrets): Work<Erased> {
  const limit = Math.min(most, rowsAtOnce)
  // Not counted: they have been absent since the erasure began.
  if ((yield* changes(eraseSome('access_tokens'), account, rowsAtOnce)) > 0) return { rows: 0, more: true }
  if ((yield* eraseRequests('account_id', account, rowsAtOnce)) > 0) return { rows: 0, more: true }
  // A transaction for each batch of secrets, whose notes may be long.
  const secrets = yield* eraseSecrets('account_id', account, limit)
  if (secrets.found > 0) return { rows: secrets.erased, more: true }
  const folders = yield* changes(eraseSome('folders'), account, limit)
  if (folders === limit) return { rows: folders, more: true }
  // What a transaction that began before the erasure added.
  yield* eraseAtOnce(account)
  return { rows: folders + (yield* changes('DELETE FROM accounts WHERE id = $1', account)), more: true }
}

const eraseSome = (table: string) =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE account_id = $1 LIMIT $2)`
