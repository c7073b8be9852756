import type { MovedRows, MovedTable, MovedType, MovedValue, StorageError, Uuid } from '@sotto/core'
import type Sqlite from 'better-sqlite3'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { storageErrorOf } from '../file/errors.ts'
import { uuidBytes } from '../stores/codec.ts'
import { placesOfRows } from './tables.ts'

/** A value as SQLite takes and returns it. */
export type SqliteValue = string | number | Uint8Array | null

/** The pages of the tables, read on one connection. */
export function movedRowsOn(db: Sqlite.Database): MovedRows {
  return {
    page: (table, after, limit) =>
      attempt(() => {
        const { keyColumns, columns } = table
        const key = columns.slice(0, keyColumns).map(({ type }, at) => toSqlite(type, after?.[at] ?? null))
        const { start } = placesOfRows[table.name] ?? {}
        const given = after === undefined ? [] : [...(start === undefined ? [] : key.slice(0, 1)), ...key]
        return db
          .prepare<SqliteValue[], SqliteValue[]>(pageQuery(table, after !== undefined))
          .raw()
          .all(...given, limit)
          .map((row) => row.map((value, at) => fromSqlite(columns[at]?.type, value)))
      }),
  }
}

function pageQuery({ name, columns, keyColumns }: MovedTable, isLater: boolean): string {
  const { from = name, columns: places = {}, start } = placesOfRows[name] ?? {}
  const first = /^\S+ (\w+) (?:LEFT |CROSS )?JOIN/.exec(from)?.[1] ?? name
  const read = columns.map((column) => places[column.name] ?? `${first}.${column.name}`)
  const key = read.slice(0, keyColumns).join(', ')
  const conditions = [
    ...(start === undefined ? [] : [start]),
    `(${key}) > (${read
      .slice(0, keyColumns)
      .map(() => '?')
      .join(', ')})`,
  ]
  const where = isLater ? `WHERE ${conditions.join(' AND ')}` : ''
  return `SELECT ${read.join(', ')} FROM ${from} ${where} ORDER BY ${key} LIMIT ?`
}

export function toSqlite(type: MovedType, value: MovedValue): SqliteValue {
  if (type === 'uuid' && value !== null) return uuidBytes(value as Uuid)
  return typeof value === 'boolean' ? Number(value) : value
}

function fromSqlite(type: MovedType | undefined, value: SqliteValue): MovedValue {
  if (type === 'boolean' && value !== null) return value === 1
  return type === 'uuid' && value instanceof Uint8Array ? uuidText(value) : value
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The result of statements; an Err when they throw. */
export function attempt<T>(work: () => T): ResultAsync<T, StorageError> {
  return new ResultAsync(Promise.resolve(resultOf(work)))
}

function resultOf<T>(work: () => T): Result<T, StorageError> {
  try {
    return ok(work())
  } catch (error) {
    return err(storageErrorOf(error))
  }
}
