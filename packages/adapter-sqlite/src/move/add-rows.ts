import type { MovedRow, MovedTable, MovedTableName } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { fillBytes } from '../secret-tables.ts'
import { noBytes } from '../stores/secret-rows.ts'
import { toSqlite, type SqliteValue } from './rows.ts'
import { isShortNote, placesOfRows } from './tables.ts'

/** The values of a row by their columns. */
type Values = Readonly<Record<string, SqliteValue>>

/** Makes the function that adds the rows of a table that are missing, inside a transaction. */
export function createAddRows(db: Sqlite.Database): (table: MovedTable, rows: readonly MovedRow[]) => void {
  const special: Partial<Record<MovedTableName, AddRow>> = {
    secrets: createAddSecret(db),
    opened_forms: createAddForm(db),
    deliveries: createAddDelivery(db),
  }
  return (table, rows) => {
    const add = special[table.name] ?? createAddRow(db, table)
    for (const row of rows) {
      add(
        Object.fromEntries(
          table.columns.map(({ name, type }, at) => [name, toSqlite(type, row[at] ?? null)]),
        ),
      )
    }
  }
}

type AddRow = (values: Values) => void

/** A row of a table that has the columns of the move; a short text goes to `texts`. */
function createAddRow(db: Sqlite.Database, { name, columns, keyColumns }: MovedTable): AddRow {
  const { text } = placesOfRows[name] ?? {}
  const key = columns.slice(0, keyColumns).map((column) => column.name)
  const isThere = db
    .prepare(`SELECT 1 FROM ${name} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`)
    .pluck()
  const addText = db.prepare('INSERT INTO texts (text) VALUES (?)')
  const stored = columns.map((column) => (column.name === text?.column ? text.nr : column.name))
  const insert = db.prepare(
    `INSERT INTO ${name} (${stored.join(', ')}) VALUES (${stored.map(() => '?').join(', ')})`,
  )
  return (values) => {
    if (isThere.get(...key.map((column) => values[column])) !== undefined) return
    const nr = text === undefined ? null : Number(addText.run(values[text.column]).lastInsertRowid)
    insert.run(...columns.map((column) => (column.name === text?.column ? nr : values[column.name])))
  }
}

function createAddSecret(db: Sqlite.Database): AddRow {
  const isThere = db.prepare('SELECT 1 FROM secrets WHERE id = ?').pluck()
  const addCiphertexts = db.prepare('INSERT INTO ciphertexts (head, wrap, note) VALUES (@head, @wrap, @note)')
  const addSecret = db.prepare(
    `INSERT INTO secrets (nr, id, account_id, folder_id, created_at, link_created_at, expires_at, open_limit, opens,
       notify, has_password, has_note, kid, lookup, attempts, open_times)
     VALUES (last_insert_rowid(), @id, @account_id, @folder_id, @created_at, @link_created_at, @expires_at, @open_limit,
       @opens, @notify, @has_password, @has_note, @kid, @lookup, @attempts, @open_times)`,
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

function createAddDelivery(db: Sqlite.Database): AddRow {
  const isThere = db.prepare('SELECT 1 FROM deliveries WHERE id = ?').pluck()
  const addTarget = db.prepare(
    `INSERT INTO targets (kind, account_id, webhook_id) VALUES (@target_kind, @account_id, @webhook_id)
     ON CONFLICT DO NOTHING`,
  )
  const addDelivery = db.prepare(
    `INSERT INTO deliveries (id, target_nr, event_id, event_type, account_id, secret_id, folder_id, event_at, opens,
       opens_left, expires_at, joins, count, attempts, last_failure, due_at, dead_at, is_head, was_leased)
     SELECT @id, nr, @event_id, @event_type, @account_id, @secret_id, @folder_id, @event_at, @opens, @opens_left,
       @expires_at, @joins, @count, @attempts, @last_failure, @due_at, @dead_at, @is_head, @was_leased
     FROM targets WHERE account_id = @account_id AND webhook_id = @webhook_id`,
  )
  return (values) => {
    if (isThere.get(values['id']) !== undefined) return
    const given = { ...values, webhook_id: values['target_kind'] === 'mail' ? noBytes : values['target_id'] }
    addTarget.run(given)
    addDelivery.run(given)
  }
}
