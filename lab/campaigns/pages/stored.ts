import { createRequire } from 'node:module'

interface Database {
  prepare(sql: string): { all(...parameters: readonly unknown[]): readonly Row[] }
  pragma(sql: string): readonly { readonly name: string }[]
  close(): void
}

type Row = Readonly<Record<string, unknown>>

/** Looks into the database beside the service. Two equal texts: nothing was changed in between. */
export interface Stored {
  /**
   * Everything except when sessions and tokens were last used. The attempts to give a password, and when it was given, are in it only if
   * asked for: a form can be refused after them.
   */
  all(which?: 'with attempts'): string
  /** What belongs to an account: rows, and the texts and notes that they refer to. */
  of(accountId: string): string
  close(): void
}

/** A link with which a forgotten password is replaced is made in the background, after the answer that says nothing about it. */
const shownOf: Readonly<Record<string, string>> = { welcomes: "WHERE kind <> 'reset'" }

/** The last use is recorded in the background, at any time. */
const ignored = new Set(['last_used_at'])
const ofAttempts = new Set(['proven_at', 'attempts'])

export function lookInto(path: string): Stored {
  const adapter = new URL('../../../packages/adapter-sqlite/src/index.ts', import.meta.url)
  const Sqlite = createRequire(adapter)('better-sqlite3') as new (path: string, options: object) => Database
  const db = new Sqlite(path, { readonly: true })
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
  const tables = names.map(({ name }) => {
    const columns = db.pragma(`table_info(${String(name)})`).map((column) => column.name)
    return { name: String(name), columns, shown: columns.filter((column) => !ignored.has(column)) }
  })
  // A change of an address whose mail could not be sent waits in vain.
  const withoutAttempts = tables
    .filter(({ name }) => !['sign_in_attempts', 'email_changes'].includes(name))
    .map((table) => ({ ...table, shown: table.shown.filter((column) => !ofAttempts.has(column)) }))
  const prepared = new Map<string, ReturnType<Database['prepare']>>()
  const select = (from: (typeof tables)[number], where = '', ...parameters: readonly unknown[]) => {
    const sql = `SELECT ${from.shown.join(', ')} FROM ${from.name} ${where}`
    const statement = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, statement)
    return statement.all(...parameters)
  }
  const referring = tables.flatMap(({ name, columns }) =>
    columns.includes('account_id') || name === 'accounts'
      ? columns
          .filter((column) => column.endsWith('_nr') && column !== 'target_nr')
          .map((column) => ({ name, column }))
      : [],
  )
  const texts = referring.map(
    ({ name, column }) =>
      `SELECT ${column} FROM ${name} WHERE ${name === 'accounts' ? 'id' : 'account_id'} = $id`,
  )
  const whereOf: Readonly<Record<string, string>> = {
    accounts: 'WHERE id = $id',
    texts: `WHERE nr IN (${texts.join(' UNION ')})`,
    ciphertexts: 'WHERE nr IN (SELECT nr FROM secrets WHERE account_id = $id)',
    long_notes: 'WHERE nr IN (SELECT nr FROM secrets WHERE account_id = $id)',
  }
  return {
    all: (which) =>
      textOf(
        (which === undefined ? withoutAttempts : tables).map((table) => select(table, shownOf[table.name])),
      ),
    of(accountId) {
      const id = Buffer.from(accountId.replaceAll('-', ''), 'hex')
      const parts = tables.flatMap((table) => {
        const where =
          whereOf[table.name] ?? (table.columns.includes('account_id') ? 'WHERE account_id = $id' : undefined)
        return where === undefined ? [] : [select(table, where, { id })]
      })
      return textOf(parts)
    },
    close: () => db.close(),
  }
}

function textOf(parts: readonly (readonly Row[])[]): string {
  const textOfValue = (value: unknown): string =>
    Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
  return parts
    .map((rows) => rows.map((row) => Object.values(row).map(textOfValue).join('|')).join('\n'))
    .join('\n\n')
}
