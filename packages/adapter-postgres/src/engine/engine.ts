import { createHash } from 'node:crypto'
import { done, type Asked, type Dialect, type Engine, type Work } from '@sotto/storage-sql'
import { ok } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql, Statement, Value } from '../connection/sql.ts'

/** Runs the work of the shared stores, each statement when the one before it is answered. */
export function createEngine(db: Database): Engine {
  return {
    dialect: postgresDialect,
    read: (work) => db.read((sql) => run(sql, work())),
    find: (text, values, make) =>
      db.read(async (sql) => {
        const found = await sql.row(statementOf(text), values)
        return found === undefined ? undefined : make(found as never)
      }),
    list: (text, values, make) =>
      db.read(async (sql) => (await sql.rows<never>(statementOf(text), values)).map(make)),
    write: (work, { isolation } = {}) =>
      db.transaction((sql) => run(sql, work()), {
        isolation: isolation === 'locks' ? 'READ COMMITTED' : 'SERIALIZABLE',
        isRace,
      }),
    change: (text, ...values) =>
      db.statement(async (sql) => ok(await sql.changes(statementOf(text), values as readonly Value[])), {
        isRace,
      }),
    // What was erased is gone from every answer immediately; no client can wait until its bytes are.
    erased: () => undefined,
  }
}

/** Whether another transaction was faster. The work has looked first: a row that it refers to was there, and the name was free. */
function isRace(constraint: string): boolean {
  return constraint.endsWith('_fkey') || constraint === 'accounts_name_index_key'
}

/** Values are spelled as the server takes and returns them, and a text is stored with its row. */
export const postgresDialect: Dialect = {
  id: { in: (id) => id, out: (stored) => stored as string, read: (column) => column },
  flag: { in: (flag) => flag, out: (stored) => stored === true },
  forUpdate: ' FOR UPDATE',
  skipLocked: ' FOR UPDATE SKIP LOCKED',
  forKeyShare: ' FOR KEY SHARE',
  texts: {
    column: (name) => name,
    read: (name) => name,
    none: `''::bytea`,
    insert: done,
    replace: (_place, _id, text) => done(text),
  },
}

/** Runs work on a connection. */
export async function run<T>(sql: Sql, work: Work<T>): Promise<T> {
  let step = work.next()
  while (step.done !== true) step = work.next(await answerTo(sql, step.value))
  return step.value
}

function answerTo(sql: Sql, { text, values, answer }: Asked): Promise<unknown> {
  const statement = statementOf(text)
  if (answer === 'changes') return sql.changes(statement, values)
  return answer === 'row' ? sql.row(statement, values) : sql.rows(statement, values)
}

const statements = new Map<string, Statement>()

/**
 * The server keeps a statement under a name, which is the same in every process: what it does, the table, and a digest of its text, such as
 * `update_accounts_5f2b1c0d9e8a7b6c`.
 */
function statementOf(text: string): Statement {
  const known = statements.get(text)
  if (known !== undefined) return known
  const digest = createHash('sha256').update(text).digest('hex')
  const [verb = ''] = text.trimStart().split(' ', 1)
  const [, table = ''] = /\b(?:FROM|INTO|UPDATE) (\w+)/.exec(text) ?? []
  const statement = { name: `${verb.toLowerCase()}_${table}_${digest.slice(0, 16)}`, text }
  statements.set(text, statement)
  return statement
}
