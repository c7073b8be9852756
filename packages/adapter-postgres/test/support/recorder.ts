import { ok, ResultAsync } from 'neverthrow'
import type { Database } from '../../src/connection/database.ts'
import type { Statement, Transaction, Value } from '../../src/connection/sql.ts'

export interface Recorded extends Statement {
  readonly values: readonly Value[]
}

/** A database that executes nothing: it records what it is sent, finds no row, and claims to change as many rows as `changes` says. */
export function createRecorder(changes = 1): {
  readonly db: Database
  readonly sql: Transaction
  readonly statements: readonly Recorded[]
} {
  const statements: Recorded[] = []
  const record = (statement: Statement, values: readonly Value[] = []): void =>
    void statements.push({ ...statement, values })
  const sql: Transaction = {
    rows: async (...sent) => (record(...sent), []),
    row: async (...sent) => (record(...sent), undefined),
    changes: async (...sent) => (record(...sent), changes),
    all: (asked) =>
      Promise.allSettled(asked.map(async ({ statement, values }) => (record(statement, values), []))),
    atEnd: () => undefined,
  }
  const db: Database = {
    read: (work) => new ResultAsync(work(sql).then((value) => ok(value))),
    statement: (work) => new ResultAsync(work(sql)),
    transaction: (work) => new ResultAsync(work(sql)),
  }
  return { db, sql, statements }
}
