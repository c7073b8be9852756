import type { TransferredRow, TransferredTable } from '@sotto/core'
import { tables, toSql, type SqlValue, type Table } from '@sotto/storage-sql'
import type Sqlite from 'better-sqlite3'
import { sqliteDialect } from '../engine/engine.ts'
import { fillBytes } from '../tables/secret-tables.ts'
import { noBytes } from '../secrets/secret-rows.ts'
import { isShortNote } from './places.ts'

/** The values of a row by their columns. */
type Values = Readonly<Record<string, SqlValue>>

/** Makes the function that adds the rows of a table that are missing, inside a transaction. */
export function createAddRows(
  db: Sqlite.Database,
): (table: TransferredTable, rows: readonly TransferredRow[]) => void {
  const special: Partial<Record<string, (table: TransferredTable) => AddRow>> = {
    secrets: () => createAddSecret(db),
    opened_forms: () => createAddForm(db),
    deliveries: (table) => createAddDelivery(db, table),
  }
  return (table, rows) => {
    const add = special[table.name]?.(table) ?? createAddRow(db, table)
    for (const row of rows) {
      add(
        Object.fromEntries(
          table.columns.map(({ name, type }, at) => [name, toSql(sqliteDialect, type, row[at] ?? null)]),
        ),
      )
    }
  }
}

type AddRow = (values: Values) => void

/** A row of a table that has the columns of the move; a short text goes to `texts`. */
function createAddRow(db: Sqlite.Database, { name, columns, keyColumns }: TransferredTable): AddRow {
  const described: Readonly<Record<string, Table>> = tables
  const [text] = Object.entries(described[name]?.columns ?? {}).flatMap(([column, { type }]) =>
    type === 'encrypted' ? [column] : [],
  )
  const key = columns.slice(0, keyColumns).map((column) => column.name)
  const isThere = db
    .prepare(`SELECT 1 FROM ${name} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`)
    .pluck()
  const addText = db.prepare('INSERT INTO texts (text) VALUES (?)')
  const stored = columns.map((column) =>
    column.name === text ? sqliteDialect.texts.column(text) : column.name,
  )
  const insert = db.prepare(
    `INSERT INTO ${name} (${stored.join(', ')}) VALUES (${stored.map(() => '?').join(', ')})`,
  )
  return (values) => {
    if (isThere.get(...key.map((column) => values[column])) !== undefined) return
    const nr = text === undefined ? null : Number(addText.run(values[text]).lastInsertRowid)
    insert.run(...columns.map((column) => (column.name === text ? nr : values[column.name])))
  }
}

function createAddSecret(db: Sqlite.Database): AddRow {
  const isThere = db.prepare('SELECT 1 FROM secrets WHERE id = ?').pluck()
  const addCiphertexts = db.prepare('INSERT INTO ciphertexts (head, wrap, note) VALUES (@head, @wrap, @note)')
  const addSecret = db.prepare(
    `INSERT INTO secrets (nr, id, account_id, folder_id, created_at, link_created_at, expires_at, open_limit, opens,
       notify, has_password, has_note, kid, lookup, attempts, open_times, news, answers_request)
     VALUES (last_insert_rowid(), @id, @account_id, @folder_id, @created_at, @link_created_at, @expires_at, @open_limit,
       @opens, @notify, @has_password, @has_note, @kid, @lookup, @attempts, @open_times, @news,
       @answers_request)`,
  )
  const addLongNote = db.prepare(
    `INSERT INTO long_notes (nr, fill, note) VALUES (last_insert_rowid(), zeroblob(${fillBytes}), ?)`,
  )
  return (values) => {
    if (isThere.get(values['id']) !== undefined) return
    const note = (values['note'] ?? noBytes) as Uint8Array
    const isShort = isShortNote(note)
    const { head, wrap } = values
    addCiphertexts.run({ head, wrap: wrap ?? noBytes, note: isShort ? note : noBytes })
    addSecret.run({ ...values, has_note: values['note'] === null ? 0 : 1 })
    if (!isShort) addLongNote.run(note)
  }
}

function createAddForm(db: Sqlite.Database): AddRow {
  const add = db.prepare(
    `INSERT INTO opened_forms (nr, form_id) SELECT nr, @form_id FROM secrets WHERE id = @secret_id
     ON CONFLICT DO NOTHING`,
  )
  return (values) => void add.run(values)
}

/** Adds a delivery and the row of its target, which is not copied by itself. */
function createAddDelivery(db: Sqlite.Database, table: TransferredTable): AddRow {
  const addTarget = db.prepare(
    `INSERT INTO targets (kind, id, account_id) VALUES (@target_kind, @target_id, @account_id) ON CONFLICT DO NOTHING`,
  )
  const addDelivery = createAddRow(db, table)
  return (values) => {
    const { target_kind, target_id, account_id } = values
    addTarget.run({ target_kind, target_id, account_id })
    addDelivery(values)
  }
}
