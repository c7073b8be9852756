import type { StorageError } from '@sotto/core'
import { ok, okAsync, type ResultAsync } from 'neverthrow'
import type { Storage } from './storage.ts'

/**
 * Bytes of zeros that stay between a row that is in use and the first that is taken away. Taking rows away makes SQLite balance the
 * leaf page that they were on with at most two beside it; the rows of those are copied. A page holds 4,096 bytes, so these are more
 * than five pages.
 */
export const distance = 24_576
/** Rows that one look takes in: short enough that nobody waits for it. */
const lookedAt = 400

type Row = [nr: number, isDead: number, bytes: number]

/** Rows `first` to `last`, all of whose secrets are erased. */
interface Run {
  readonly first: number
  readonly last: number
}

/**
 * Makes the function that takes away rows of `ciphertexts` that are nothing but zeros, some each time that it is called: those with
 * {@link distance} bytes of zeros on both sides, so that no row in use is ever moved, which would leave a copy of it behind. The last
 * rows always stay: the next secret's number follows theirs.
 */
export function createDropDeadRows({
  reader,
  writer,
  read,
  write,
}: Storage): () => ResultAsync<void, StorageError> {
  const look = reader
    .prepare<[number, number], Row>(
      `SELECT c.nr, NOT EXISTS (SELECT 1 FROM secrets s WHERE s.nr = c.nr),
         length(c.head) + length(c.wrap) + length(c.note)
       FROM ciphertexts c WHERE c.nr > ? ORDER BY c.nr LIMIT ?`,
    )
    .raw()
  const drop = writer.prepare<[number, number]>('DELETE FROM ciphertexts WHERE nr BETWEEN ? AND ?')
  let looked = 0

  return () =>
    read(() => look.all(looked, lookedAt)).andThen((rows) => {
      const runs = droppable(rows, looked === 0)
      looked = rows.length < lookedAt ? 0 : (rows.at(-1)?.[0] ?? 0)
      if (runs.length === 0) return okAsync()
      return write(() => {
        for (const { first, last } of runs) drop.run(first, last)
        return ok()
      })
    })
}

/**
 * What may go of these rows, before and behind which others may be in use; before the very first ones there is nothing.
 * @param keep only tests have a reason to say this
 */
export function droppable(rows: readonly Row[], fromStart: boolean, keep = distance): readonly Run[] {
  const runs: Run[] = []
  for (let start = 0; start < rows.length;) {
    let end = start
    while (rows[end]?.[1] === 1) end += 1
    const dead = rows.slice(start, end)
    const first = start === 0 && fromStart ? dead[0]?.[0] : behind(dead, keep)
    const last = behind(dead.reverse(), keep)
    if (first !== undefined && last !== undefined && first <= last) runs.push({ first, last })
    start = end + 1
  }
  return runs
}

/** The number of the first row behind so many bytes of rows. */
function behind(rows: readonly Row[], keep: number): number | undefined {
  let bytes = 0
  for (const [nr, , length] of rows) {
    if (bytes >= keep) return nr
    bytes += length
  }
  return undefined
}
