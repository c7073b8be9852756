import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { DataCorrupted } from './errors.ts'
import type { Cursor } from './cursor.ts'

/** Rows that one read of a list takes: few enough that other requests do not wait long, enough to be cheap. */
export const listPageSize = 100

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** The rows of this page that are corrupted and therefore left out: one of them must not hide all others. */
  readonly corrupted: readonly DataCorrupted[]
  /** The position of the last row of the page, corrupted or not, when another row follows it. Absent on the last page. */
  readonly next?: Cursor
}

/**
 * A list, one page at a time. An Err ends it. A page is read when it is asked for, and no read spans two pages, so a reader may take its
 * time. A reader that pulls pages without a pause should yield to other work between them.
 */
export type Pages<T, E> = AsyncGenerator<Result<Page<T>, E>, void, void>

/** A list as a use-case gives it: its pages, or what is on them item by item. It is read once. */
export interface List<T, E> extends Pages<T, E> {
  /**
   * The items one by one, each a result. An Err is the last: the error of a page, or after the items of all pages `data_damaged` for the
   * first row that is corrupted and therefore left out.
   */
  items(): AsyncGenerator<Result<T, E | DataCorrupted>, void, void>
}

/** The pages as a list. */
export function listOf<T, E>(pages: Pages<T, E>): List<T, E> {
  return Object.assign(pages, { items: () => itemsOf(pages) })
}

async function* itemsOf<T, E>(pages: Pages<T, E>): AsyncGenerator<Result<T, E | DataCorrupted>, void, void> {
  let corrupted: DataCorrupted | undefined
  for await (const page of pages) {
    if (page.isErr()) return yield err(page.error)
    for (const item of page.value.items) yield ok(item)
    corrupted ??= page.value.corrupted[0]
  }
  if (corrupted !== undefined) yield err(corrupted)
}

/** What every list takes. */
export interface ListInput {
  /** The list begins after this position; at its beginning without it. */
  readonly after?: Cursor | undefined
  /** How many rows a page has at most; {@link listPageSize} by default. */
  readonly pageSize?: number | undefined
}

/**
 * Reads page after page, each after the last row of the one before, and turns its rows into what the list shows. Corrupted rows are left
 * out; any other error of a row ends the list. Each read asks for one row more than the page has, which says whether another page follows.
 */
export async function* pagesOf<Row, T, E, F extends { readonly code: string } = never>(list: {
  readonly after: Cursor | undefined
  readonly pageSize?: number | undefined
  readonly read: (after: Cursor | undefined, limit: number) => ResultAsync<readonly Row[], E>
  readonly cursorOf: (row: Row) => Cursor
  readonly show: (row: Row) => Result<T, F | DataCorrupted>
}): Pages<T, E | F> {
  let { after } = list
  const { pageSize = listPageSize } = list
  for (;;) {
    const rows = await list.read(after, pageSize + 1)
    if (rows.isErr()) return yield err(rows.error)
    const last = rows.value.length > pageSize ? rows.value[pageSize - 1] : undefined
    const shown = showRows(last === undefined ? rows.value : rows.value.slice(0, pageSize), list.show)
    if (shown.isErr()) return yield err(shown.error)
    if (last === undefined) return yield ok(shown.value)
    after = list.cursorOf(last)
    yield ok({ ...shown.value, next: after })
  }
}

/** Turns rows into what a list shows. Corrupted rows are left out and named; any other error of a row is the error of all. */
export function showRows<Row, T, F extends { readonly code: string } = never>(
  rows: readonly Row[],
  show: (row: Row) => Result<T, F | DataCorrupted>,
): Result<Page<T>, F> {
  const items: T[] = []
  const corrupted: DataCorrupted[] = []
  for (const row of rows) {
    const item = show(row)
    if (item.isOk()) items.push(item.value)
    else if (isCorruption(item.error)) corrupted.push(item.error)
    else return err(item.error)
  }
  return ok({ items, corrupted })
}

function isCorruption(error: { readonly code: string }): error is DataCorrupted {
  return error.code === 'data_damaged'
}

/** The position of a row that is listed by its own creation. */
export function creationOf({ createdAtMicros, id }: Cursor): Cursor {
  return { createdAtMicros, id }
}

/** The one page of a list that has no more. */
export async function* onePage<T, E>(page: ResultAsync<Page<T>, E>): Pages<T, E> {
  yield await page
}

/** The pages of a list, with each item as `toItem` says. */
export async function* each<T, E, Item>(pages: Pages<T, E>, toItem: (item: T) => Item): Pages<Item, E> {
  for await (const page of pages) {
    yield page.map(({ items, corrupted }) => ({ items: items.map(toItem), corrupted }))
  }
}
