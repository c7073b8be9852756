import type { AccountStore } from '@sotto/core'
import { ok } from 'neverthrow'
import { changes, row, type Engine, type SqlValue, type Work } from '../engine/engine.ts'
import { eraseUpTo, type Erased } from '../shared/erase-steps.ts'
import type { EraseSecrets } from '../engine/secret-work.ts'

/** What is erased with an account, besides its row. */
export interface RowsOfAccount {
  /** The tables whose rows are erased first, in one transaction. What remains may be too much for that one. */
  readonly atOnce: readonly string[]
  /** Erase at most this many rows of an account, each before what the next one erases. Nobody counts these rows. */
  readonly uncounted: readonly ((account: SqlValue, most: number) => Work<number>)[]
  readonly secrets: EraseSecrets
  /** The table whose rows are erased last. */
  readonly last: string
}

function* eraseAtOnce({ atOnce }: RowsOfAccount, account: SqlValue): Work<void> {
  for (const table of atOnce) yield* changes(`DELETE FROM ${table} WHERE account_id = $1`, account)
}

/**
 * The first statement waits for the transactions that have the account's row locked because they add something that refers to it, or a
 * delivery. With `locks` the next statements see what those added. An isolated transaction would go by the state from before the wait, and
 * leave those rows there. Later transactions find the row changed.
 */
export function createBeginErasure(engine: Engine, rowsOf: RowsOfAccount): AccountStore['beginErasure'] {
  return (id) =>
    engine.write(
      function* () {
        const account = engine.dialect.id.in(id)
        const begun = yield* changes(
          'UPDATE accounts SET name_index = NULL WHERE id = $1 AND name_index IS NOT NULL',
          account,
        )
        if (begun === 0) return ok(false)
        yield* eraseAtOnce(rowsOf, account)
        engine.erased()
        return ok(true)
      },
      { isolation: 'locks' },
    )
}

export function createEraseBegun(engine: Engine, rowsOf: RowsOfAccount): AccountStore['eraseBegun'] {
  return (limit) =>
    eraseUpTo(limit, (most) =>
      engine.write(function* () {
        const [account] =
          (yield* row<[SqlValue]>('SELECT id FROM accounts WHERE name_index IS NULL LIMIT 1')) ?? []
        if (account === undefined) return ok({ rows: 0, more: false })
        engine.erased()
        return ok(yield* eraseSomeOf(account, most, rowsOf))
      }),
    )
}

/** The rows that one transaction erases, so that other writes do not wait long. */
const rowsAtOnce = 100

/** Erases rows of an account whose erasure has begun, each before the row that it refers to. */
function* eraseSomeOf(account: SqlValue, most: number, rowsOf: RowsOfAccount): Work<Erased> {
  const limit = Math.min(most, rowsAtOnce)
  // These rows have been absent since the erasure began, so they are not counted.
  for (const eraseSome of rowsOf.uncounted)
    if ((yield* eraseSome(account, rowsAtOnce)) > 0) return { rows: 0, more: true }
  // Each batch of secrets has a transaction of its own, because notes may be long.
  const secrets = yield* rowsOf.secrets('account_id', account, limit)
  if (secrets.found > 0) return { rows: secrets.erased, more: true }
  const last = yield* eraseOf(rowsOf.last)(account, limit)
  if (last === limit) return { rows: last, more: true }
  // This erases what a transaction that began before the erasure has added.
  yield* eraseAtOnce(rowsOf, account)
  return { rows: last + (yield* changes('DELETE FROM accounts WHERE id = $1', account)), more: true }
}

/** Makes the work that erases rows of an account in a table. */
export function eraseOf(table: string): (account: SqlValue, most: number) => Work<number> {
  const statement = `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE account_id = $1 LIMIT $2)`
  return (account, most) => changes(statement, account, most)
}
