import {
  nilUuid,
  type TransferredFile,
  type TransferredRow,
  type TransferredTable,
  type TransferredType,
  type TransferredValue,
  type Uuid,
} from '@sotto/core'
import { rows, type Dialect, type SqlValue, type Work } from '../engine/engine.ts'
import type { ColumnType, Table } from '../engine/table.ts'
import { allTables } from '../tables.ts'

/** Where the rows of a table are found, if not in the table of that name. A column that is not named is the one of its own name. */
export interface PlaceOfRows {
  /** What follows FROM. Its first table has an alias. */
  readonly from: string
  readonly columns: Readonly<Record<string, string>>
  /** An index by which a page begins: a condition on the first column of the key, which is `$1`. */
  readonly start?: string
}

const transferredTypes = {
  id: 'uuid',
  integer: 'integer',
  text: 'text',
  bytes: 'bytes',
  flag: 'boolean',
  encrypted: 'bytes',
} as const satisfies Record<ColumnType, TransferredType>

/** The tables that a move takes along. The key comes first in each. */
export const transferredTables: readonly TransferredTable[] = allTables
  .filter(({ stays }) => stays !== true)
  .map(({ name, key, columns }) => ({
    name,
    keyColumns: key.length,
    columns: Object.entries(columns).map(([column, { type }]) => ({
      name: column,
      type: transferredTypes[type],
    })),
  }))

/** See `TransferredRows.page`. A text that is missing, as in corrupted rows, is moved as no bytes. */
export function* movedPage(
  dialect: Dialect,
  places: Readonly<Record<string, PlaceOfRows>>,
  table: TransferredTable,
  after: TransferredRow | undefined,
  limit: number,
): Work<readonly TransferredRow[]> {
  const { name, columns, keyColumns } = table
  const place: PlaceOfRows = places[name] ?? { from: `${name} t`, columns: {} }
  const { from, start } = place
  const alias = /^\w+ (\w+)/.exec(from)?.[1] ?? name
  const read = columns.map(
    (column) => place.columns[column.name] ?? readOf(dialect, { table: name, alias, column: column.name }),
  )
  const key = read.slice(0, keyColumns).join(', ')
  const parameters = columns.slice(0, keyColumns).map((_, at) => `$${at + 1}`)
  const later = [...(start === undefined ? [] : [start]), `(${key}) > (${parameters.join(', ')})`].join(
    ' AND ',
  )
  const given =
    after === undefined
      ? []
      : columns.slice(0, keyColumns).map(({ type }, at) => toSql(dialect, type, after[at] ?? null))
  const found = yield* rows(
    `SELECT ${read.join(', ')} FROM ${from} ${after === undefined ? '' : `WHERE ${later}`} ORDER BY ${key} LIMIT $${given.length + 1}`,
    ...[...given, limit],
  )
  return found.map((row) => row.map((value, at) => fromSql(dialect, columns[at]?.type, value)))
}

/** See `TransferSource.files`. @param hasNote whether a row of `secrets` (as `s`) has its note, as a condition */
export function* movedFiles(
  { id, flag }: Dialect,
  hasNote: string,
  limit: number,
  after: Uuid = nilUuid,
): Work<readonly TransferredFile[]> {
  const found = yield* rows<[unknown, unknown, unknown]>(
    `SELECT ${id.read('f.id')}, ${id.read('f.secret_id')},
       EXISTS (SELECT 1 FROM secrets s WHERE s.id = f.secret_id AND ${hasNote})
     FROM files f WHERE f.id > $1 ORDER BY f.id LIMIT $2`,
    ...[id.in(after), limit],
  )
  return found.map(([fileId, secretId, isNeeded]) => ({
    id: id.out(fileId),
    secretId: id.out(secretId),
    isNeeded: flag.out(isNeeded),
  }))
}

interface Read {
  readonly table: string
  readonly alias: string
  readonly column: string
}

function readOf({ texts }: Dialect, { table, alias, column }: Read): string {
  const described: Table | undefined = allTables.find(({ name }) => name === table)
  return described?.columns[column]?.type === 'encrypted'
    ? `coalesce(${texts.read(column)}, ${texts.none})`
    : `${alias}.${column}`
}

/** A value of a moved row as a parameter. */
export function toSql({ id, flag }: Dialect, type: TransferredType, value: TransferredValue): SqlValue {
  if (value === null) return null
  if (type === 'uuid') return id.in(value as Uuid)
  return type === 'boolean' ? flag.in(value as boolean) : value
}

function fromSql({ id, flag }: Dialect, type: TransferredType | undefined, value: unknown): TransferredValue {
  if (value === null) return null
  if (type === 'uuid') return id.out(value)
  return type === 'boolean' ? flag.out(value) : (value as TransferredValue)
}
