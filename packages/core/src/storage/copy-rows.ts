import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { equalBytes } from '../shared/bytes.ts'
import type { StorageError } from '../shared/errors.ts'
import type {
  TransferredRow,
  TransferredRows,
  TransferredTable,
  TransferredValue,
  TransferTarget,
} from './transfer.ts'

/** How many rows each table has, by its name. */
export type TransferredCounts = Readonly<Record<string, number>>

/** A row is missing in the copy, differs, or is in the copy only. */
export interface TransferDiffers {
  readonly code: 'move_differs'
  readonly table: string
}

/** Receives how many rows of a table were copied or compared so far. */
export type OnTransferred = (table: string, rows: number) => void

/** Adds every row of the source that the target lacks. */
export function copyRows(
  source: TransferredRows,
  target: Pick<TransferTarget, 'add'>,
  onTransferred: OnTransferred = () => undefined,
): ResultAsync<TransferredCounts, StorageError> {
  return eachPage(source, (table, rows) => target.add(table, rows), onTransferred)
}

/** Reads both sides completely and compares them row by row. */
export function compareRows(
  source: TransferredRows,
  target: TransferredRows,
  onTransferred: OnTransferred = () => undefined,
): ResultAsync<TransferredCounts, StorageError | TransferDiffers> {
  return eachPage<TransferDiffers>(
    source,
    (table, rows, after, limit) =>
      target.page(table, after, limit).andThen((others) => {
        const isSame =
          rows.length === others.length && rows.every((row, at) => isSameRow(row, others[at] ?? []))
        return isSame ? ok() : err({ code: 'move_differs' as const, table: table.name })
      }),
    onTransferred,
  )
}

/** `rows` are one page after `after`, of at most `limit` rows. */
type Work<E> = (
  table: TransferredTable,
  rows: readonly TransferredRow[],
  after: TransferredRow | undefined,
  limit: number,
) => ResultAsync<void, E>

function eachPage<E>(
  source: TransferredRows,
  work: Work<E | StorageError>,
  onTransferred: OnTransferred,
): ResultAsync<TransferredCounts, E | StorageError> {
  return new ResultAsync(pages(source, work, onTransferred))
}

async function pages<E>(
  source: TransferredRows,
  work: Work<E | StorageError>,
  onTransferred: OnTransferred,
): Promise<Result<TransferredCounts, E | StorageError>> {
  const counts = new Map<string, number>()
  for (const table of source.tables) {
    let count = 0
    let after: TransferredRow | undefined
    for (let limit = rowsAtFirst, isWhole = false; !isWhole;) {
      const rows = await source.page(table, after, limit)
      if (rows.isErr()) return err(rows.error)
      const done = await work(table, rows.value, after, limit)
      if (done.isErr()) return err(done.error)
      count += rows.value.length
      onTransferred(table.name, count)
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

function nextLimit(rows: readonly TransferredRow[]): number {
  const bytes = rows.reduce(
    (sum, row) => sum + row.reduce<number>((part, value) => part + sizeOf(value), 0),
    1,
  )
  return Math.max(rowsAtFirst, Math.min(rowsMax, Math.floor((pageBytes / bytes) * rows.length)))
}

function sizeOf(value: TransferredValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
}

function isSameRow(one: TransferredRow, other: TransferredRow): boolean {
  return one.length === other.length && one.every((value, at) => isSameValue(value, other[at] ?? null))
}

function isSameValue(one: TransferredValue, other: TransferredValue): boolean {
  return one instanceof Uint8Array && other instanceof Uint8Array ? equalBytes(one, other) : one === other
}
