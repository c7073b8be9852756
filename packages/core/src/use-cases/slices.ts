import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { TimePosition } from '../ports/time-position.ts'

/** Rows that one read of a list takes: short enough that nobody else waits long, long enough to be cheap. */
export const sliceSize = 100

/**
 * A list, a slice at a time. An Err ends it. Nothing is read before it is asked for, and no read spans two slices, so a reader
 * may take its time. Whoever pulls slices quickly should let others in between them.
 */
export type Slices<T, E> = AsyncGenerator<Result<readonly T[], E>, void, void>

/** Pulls slice after slice, each behind the last row of the one before, and turns its rows into what the list shows. */
export async function* slicesOf<Row, T, E, F>(list: {
  readonly read: (after: TimePosition | undefined, limit: number) => ResultAsync<readonly Row[], E>
  readonly positionOf: (row: Row) => TimePosition
  readonly show: (row: Row) => Result<T, F>
}): Slices<T, E | F> {
  let after: TimePosition | undefined
  for (;;) {
    const rows = await list.read(after, sliceSize)
    if (rows.isErr()) return yield err(rows.error)
    const shown: T[] = []
    for (const row of rows.value) {
      const item = list.show(row)
      if (item.isErr()) return yield err(item.error)
      shown.push(item.value)
    }
    yield ok(shown)
    const last = rows.value.at(-1)
    if (last === undefined || rows.value.length < sliceSize) return
    after = list.positionOf(last)
  }
}
