import assert from 'node:assert/strict'
import type { TimePosition, Uuid } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import { okOf, sameIds } from './expect.ts'

/** Reads a slice of a list, as the `slice` methods do. */
export type ReadSlice<Row, E> = (
  after: TimePosition | undefined,
  limit: number,
) => ResultAsync<readonly Row[], E>

/** A list that an endless adapter would never end is read no further than this. */
const longestList = 10_000

/** Reads a whole list in slices of `limit`, each behind the last row of the one before. */
export async function readAll<Row extends { readonly id: Uuid }, E>(
  slice: ReadSlice<Row, E>,
  positionOf: (row: Row) => TimePosition,
  limit: number,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (;;) {
    const last = rows.at(-1)
    const more = await okOf(slice(last && positionOf(last), limit), 'a slice')
    assert.ok(more.length <= limit, `a slice of at most ${limit} has ${more.length} rows`)
    rows.push(...more)
    if (more.length < limit) return rows
    assert.ok(rows.length < longestList, 'the list does not end: slices come again')
  }
}

/**
 * Holds when the list is in exactly this order however it is cut into slices, goes on behind a position that no row has, and
 * ends behind its last row. Wants at least three rows.
 */
export async function isPagedInOrder<Row extends { readonly id: Uuid }, E>(
  slice: ReadSlice<Row, E>,
  positionOf: (row: Row) => TimePosition,
  ordered: readonly Row[],
): Promise<void> {
  const ids = ordered.map(({ id }) => id)
  for (const limit of [1, 2, 3, ids.length, ids.length + 1]) {
    sameIds(await readAll(slice, positionOf, limit), ids, `read in slices of ${limit}`)
  }
  for (const [at, row] of ordered.entries()) {
    const behind = await okOf(slice(positionOf(row), ids.length), 'a slice')
    sameIds(behind, ids.slice(at + 1), `behind row ${at}`)
  }
}

/** The order of time, then id, ascending. */
export function ascending(one: TimePosition, other: TimePosition): number {
  return one.createdAtMicros - other.createdAtMicros || (one.id < other.id ? -1 : 1)
}

/** The same list in an order that is neither sorted nor reversed. */
export function shuffled<T>(list: readonly T[]): readonly T[] {
  const rest = [...list]
  const mixed: T[] = []
  for (let step = 5; rest.length > 0; step += 7) mixed.push(...rest.splice(step % rest.length, 1))
  return mixed
}

/** Positions with ties in time, and times that differ in one microsecond, in a shuffled order. */
export function tiedPositions(uuid: () => Uuid, fromMicros: number): readonly TimePosition[] {
  const offsets = [0, 0, 0, 1, 2, 2, 1_000, 60_000_000, 60_000_000]
  return shuffled(offsets.map((offset) => ({ createdAtMicros: fromMicros + offset, id: uuid() })))
}
