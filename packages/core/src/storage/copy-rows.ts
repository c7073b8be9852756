import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { equalBytes } from '../shared/bytes.ts'
import type { StorageError } from '../shared/errors.ts'
import type { MovedRow, MovedRows, MovedTable, MovedValue, MoveTarget } from './transfer.ts'

/** How many rows each table has, by its name. */
export type MovedCounts = Readonly<Record<string, number>>

/** A row is missing in the copy, differs, or is in the copy only. */
export interface MoveDiffers {
  readonly code: 'move_differs'
  readonly table: string
}

/** Receives how many rows of a table were copied or compared so far. */
export type OnMoved = (table: string, rows: number) => void

/** Adds every row of the source that the target lacks. */
export function copyRows(
  source: MovedRows,
  target: Pick<MoveTarget, 'add'>,
  onMoved: OnMoved = () => undefined,
): ResultAsync<MovedCounts, StorageError> {
  return eachPage(source, (table, rows) => target.add(table, rows), onMoved)
}

/** Reads both sides completely and compares them row by row. */
export function compareRows(
  source: MovedRows,
  target: MovedRows,
  onMoved: OnMoved = () => undefined,
): ResultAsync<MovedCounts, StorageError | MoveDiffers> {
  return eachPage<MoveDiffers>(
    source,
    (table, rows, after, limit) =>
      target.page(table, after, limit).andThen((others) => {
        const isSame =
          rows.length === others.length && rows.every((row, at) => isSameRow(row, others[at] ?? []))
        return isSame ? ok() : err({ code: 'move_differs' as const, table: table.name })
      }),
    onMoved,
  )
}

/** `rows` are one page after `after`, of at most `limit` rows. */
type Work<E> = (
  table: MovedTable,
  rows: readonly MovedRow[],
  after: MovedRow | undefined,
  limit: number,
) => ResultAsync<void, E>

function eachPage<E>(
  source: MovedRows,
  work: Work<E | StorageError>,
  onMoved: OnMoved,
): ResultAsync<MovedCounts, E | StorageError> {
  return new ResultAsync(pages(source, work, onMoved))
}

async function pages<E>(
  source: MovedRows,
  work: Work<E | StorageError>,
  onMoved: OnMoved,
): Promise<Result<MovedCounts, E | StorageError>> {
  const counts = new Map<string, number>()
  for (const table of source.tables) {
    let count = 0
    let after: MovedRow | undefined
    for (let limit = rowsAtFirst, isWhole = false; !isWhole;) {
      const rows = await source.page(table, after, limit)
      if (rows.isErr()) return err(rows.error)
      const done = await work(table, rows.value, after, limit)
      if (done.isErr()) return err(done.error)
      count += rows.value.length
      onMoved(table.name, count)
      isWhole = rows.value.length < limit
      after = rows.value.at(-1)
      limit = nextLimit(rows.value)
    }
    counts.set(table.name, count)
  }
  return ok(Object.fromEntries(counts))
}

/** A note has up to 1 MiB: pages of few rows at first, then of as many as have about {@link pageBytes}. */
const rowsAtFirst = 64
const rowsMax = 200
const pageBytes = 2_000_000

function nextLimit(rows: readonly MovedRow[]): number {
  const bytes = rows.reduce(
    (sum, row) => sum + row.reduce<number>((part, value) => part + sizeOf(value), 0),
    1,
  )
  return Math.max(rowsAtFirst, Math.min(rowsMax, Math.floor((pageBytes / bytes) * rows.length)))
}

function sizeOf(value: MovedValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
}

function isSameRow(one: MovedRow, other: MovedRow): boolean {
  return one.length === other.length && one.every((value, at) => isSameValue(value, other[at] ?? null))
}

function isSameValue(one: MovedValue, other: MovedValue): boolean {
  return one instanceof Uint8Array && other instanceof Uint8Array ? equalBytes(one, other) : one === other
}
