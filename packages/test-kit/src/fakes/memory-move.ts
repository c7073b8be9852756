import { type MovedRow, type MovedRows, type MovedTable, type MovedValue } from '@sotto/core'
import { okAsync } from 'neverthrow'
import type { MemoryData } from './memory-data.ts'
import { memoryTables } from './memory-move-tables.ts'
import type { NamedRow } from './memory-move-values.ts'

/** The rows of memory data in the form of a move. */
export function movedRowsIn(data: MemoryData): MovedRows {
  return {
    page(table, after, limit) {
      const rows = rowsOf(data, table).filter(
        (row) => after === undefined || inKeyOrder(table, after, row) < 0,
      )
      return okAsync(rows.slice(0, limit))
    },
  }
}

/** Adds the rows whose key is not there. */
export function addMovedRows(data: MemoryData, table: MovedTable, rows: readonly MovedRow[]): void {
  const known = rowsOf(data, table)
  for (const row of rows) {
    if (known.some((other) => inKeyOrder(table, row, other) === 0)) continue
    memoryTables[table.name].add(data, namedOf(table, row))
  }
}

function rowsOf(data: MemoryData, table: MovedTable): readonly MovedRow[] {
  return memoryTables[table.name]
    .rows(data)
    .map((row) => table.columns.map(({ name }) => row[name] ?? null))
    .toSorted((one, other) => inKeyOrder(table, one, other))
}

function namedOf({ columns }: MovedTable, row: MovedRow): NamedRow {
  return Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null]))
}

function inKeyOrder({ keyColumns }: MovedTable, one: MovedRow, other: MovedRow): number {
  for (let at = 0; at < keyColumns; at += 1) {
    const order = compare(one[at] ?? null, other[at] ?? null)
    if (order !== 0) return order
  }
  return 0
}

function compare(one: MovedValue, other: MovedValue): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [left, right] = [textOf(one), textOf(other)]
  return left < right ? -1 : left > right ? 1 : 0
}

function textOf(value: MovedValue): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
}
