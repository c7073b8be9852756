import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { Cursor } from '../ports/cursor.ts'

/** Rows that one read of a list takes: few enough that other requests do not wait long, enough to be cheap. */
export const listPageSize = 100

/**
 * A list, one page at a time. An Err ends it. A page is read when it is asked for, and no read spans two pages, so a reader may take its
 * time. A reader that pulls pages without a pause should yield to other work between them.
 */
export type Pages<T, E> = AsyncGenerator<Result<readonly T[], E>, void, void>

/** What every list takes. */
export interface ListInput {
  /** The list begins after this position; at its beginning without it. */
  readonly after?: Cursor | undefined
}

/** Reads page after page, each after the last row of the one before, and turns its rows into what the list shows. */
export async function* pagesOf<Row, T, E, F>(list: {
  readonly after: Cursor | undefined
  readonly read: (after: Cursor | undefined, limit: number) => ResultAsync<readonly Row[], E>
  readonly cursorOf: (row: Row) => Cursor
  readonly show: (row: Row) => Result<T, F>
}): Pages<T, E | F> {
  let { after } = list
  for (;;) {
    const rows = await list.read(after, listPageSize)
    if (rows.isErr()) return yield err(rows.error)
    const shown: T[] = []
    for (const row of rows.value) {
      const item = list.show(row)
      if (item.isErr()) return yield err(item.error)
      shown.push(item.value)
    }
    yield ok(shown)
    const last = rows.value.at(-1)
    if (last === undefined || rows.value.length < listPageSize) return
    after = list.cursorOf(last)
  }
}

/** The position of a row that is listed by its own creation. */
export function creationOf({ createdAtMicros, id }: Cursor): Cursor {
  return { createdAtMicros, id }
}
