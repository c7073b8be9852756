import assert from 'node:assert/strict'
import type { Cursor, Uuid } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { same, sameIds } from '../contract/compare.ts'

/** Reads a page of a list, as the `page` methods do. */
export type ReadPage<Row, After = Cursor> = (
  after: After | undefined,
  limit: number,
) => ResultAsync<readonly Row[], unknown>

/** A list of a faulty adapter may have no end; reading stops here. */
const longestList = 10_000

/** Reads a whole list in pages of `limit` rows. */
export async function readAll<Row, After>(
  page: ReadPage<Row, After>,
  cursorOf: (row: Row) => After,
  limit: number,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (;;) {
    const last = rows.at(-1)
    const more = expectOk(await page(last && cursorOf(last), limit), 'a page')
    assert.ok(more.length <= limit, `a page of at most ${limit} rows has ${more.length}`)
    rows.push(...more)
    if (more.length < limit) return rows
    assert.ok(rows.length < longestList, 'the list does not end: pages are repeated')
  }
}

/** Holds when the list has exactly these rows in this order, however long its pages are, and after each of its rows. At least 3 rows. */
export async function isPagedInOrder<Row extends { readonly id: Uuid }>(
  page: ReadPage<Row>,
  cursorOf: (row: Row) => Cursor,
  ordered: readonly Row[],
): Promise<void> {
  const ids = ordered.map(({ id }) => id)
  for (const limit of [1, 2, 3, ids.length, ids.length + 1]) {
    same(await readAll(page, cursorOf, limit), ordered, `read in pages of ${limit}`)
  }
  for (const [at, row] of ordered.entries()) {
    const rest = expectOk(await page(cursorOf(row), ids.length), 'a page')
    sameIds(rest, ids.slice(at + 1), `after row ${at}`)
  }
}

/** The order by time, then id, ascending. */
export function ascending(one: Cursor, other: Cursor): number {
  return one.createdAtMicros - other.createdAtMicros || (one.id < other.id ? -1 : 1)
}

/** The list in an order that is neither sorted nor reversed. */
export function shuffled<T>(list: readonly T[]): readonly T[] {
  const rest = [...list]
  const mixed: T[] = []
  for (let step = 5; rest.length > 0; step += 7) mixed.push(...rest.splice(step % rest.length, 1))
  return mixed
}

/** Positions with equal times, and with times that differ by one microsecond, in a shuffled order. */
export function tiedPositions(uuid: () => Uuid, fromMicros: number): readonly Cursor[] {
  const offsets = [0, 0, 0, 1, 2, 2, 1_000, 60_000_000, 60_000_000]
  return shuffled(offsets.map((offset) => ({ createdAtMicros: fromMicros + offset, id: uuid() })))
}

/** Holds when calls that may erase two rows each erase all `rows` together, and then none. */
export async function erasesInTwos(
  rows: number,
  erase: (limit: number) => ResultAsync<number, unknown>,
  countLeft: () => Promise<number>,
): Promise<void> {
  for (let left = rows, erased = 2; erased > 0;) {
    erased = Math.min(left, 2)
    left -= erased
    same(expectOk(await erase(2)), erased, 'how many were erased')
    same(await countLeft(), left, 'how many are left')
  }
}
