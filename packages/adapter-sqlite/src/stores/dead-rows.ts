import type { StorageError } from '@sotto/core'
import { ok, okAsync, type ResultAsync } from 'neverthrow'
import type { Connections } from '../file/connections.ts'

/**
 * Bytes of zeros that stay between a row in use and the first row that is deleted. Deleting rows makes SQLite balance the leaf page that
 * they were on with at most two pages beside it, and the rows of those are copied. A page has 4,096 bytes, so these are more than five
 * pages.
 */
export const distance = 24_576
/** Rows that are looked at in one go: few enough that other work does not wait. */
const rowsAtOnce = 400

type Row = [nr: number, isDead: number, bytes: number]

/** Rows `first` to `last`, all of whose secrets are erased. */
interface Run {
  readonly first: number
  readonly last: number
}

/**
 * Makes the function that deletes rows of `ciphertexts` that hold nothing but zeros, some each time it is called: those with
 * {@link distance} bytes of zeros on both sides, so that no row in use is ever moved, which would leave a copy of it behind. The last rows
 * always stay: the next secret's number is one more than theirs.
 */
export function createDropDeadRows({
  reader,
  writer,
  read,
  write,
}: Connections): () => ResultAsync<void, StorageError> {
  const look = reader
    .prepare<[number, number], Row>(
      `SELECT c.nr, NOT EXISTS (SELECT 1 FROM secrets s WHERE s.nr = c.nr),
         length(c.head) + length(c.wrap) + length(c.note)
       FROM ciphertexts c WHERE c.nr > ? ORDER BY c.nr LIMIT ?`,
    )
    .raw()
  const drop = writer.prepare<[number, number]>('DELETE FROM ciphertexts WHERE nr BETWEEN ? AND ?')
  let lookedUpTo = 0

  return () =>
    read(() => look.all(lookedUpTo, rowsAtOnce)).andThen((rows) => {
      const runs = droppable(rows, lookedUpTo === 0)
      lookedUpTo = rows.length < rowsAtOnce ? 0 : (rows.at(-1)?.[0] ?? 0)
      if (runs.length === 0) return okAsync()
      return write(() => {
        for (const { first, last } of runs) drop.run(first, last)
        return ok()
      })
    })
}

/**
 * The runs of these rows that may be deleted. Rows in use may lie before and after them; before the very first row there is none.
 * @param keep bytes of zeros that stay at each end of a run; only tests pass another number
 */
export function droppable(rows: readonly Row[], fromStart: boolean, keep = distance): readonly Run[] {
  const runs: Run[] = []
  for (let start = 0; start < rows.length;) {
    let end = start
    while (rows[end]?.[1] === 1) end += 1
    const dead = rows.slice(start, end)
    const first = start === 0 && fromStart ? dead[0]?.[0] : firstAfter(dead, keep)
    const last = firstAfter(dead.reverse(), keep)
    if (first !== undefined && last !== undefined && first <= last) runs.push({ first, last })
    start = end + 1
  }
  return runs
}

/** The number of the first row after this many bytes of rows. */
function firstAfter(rows: readonly Row[], keep: number): number | undefined {
  let bytes = 0
  for (const [nr, , length] of rows) {
    if (bytes >= keep) return nr
    bytes += length
  }
  return undefined
}
