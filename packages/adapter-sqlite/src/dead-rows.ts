import type { StorageError } from '@sotto/core'
import { ok, okAsync, type ResultAsync } from 'neverthrow'
import type { Storage } from './storage.ts'

/**
 * Rows that stay between one that is in use and the first that is taken away. Taking rows away makes SQLite balance the leaf page that
 * they were on with at most two beside it; the rows of those are copied. With real ciphertexts (480 bytes and more, 190 where the note
 * is kept elsewhere) a leaf page holds no more than 21 rows, so these are more than twelve pages.
 */
export const distance = 256
/** Rows that one look takes in: short enough that nobody waits for it. */
const lookedAt = 2_000

type Row = [nr: number, isDead: number]

/** Rows `first` to `last`, all of whose secrets are erased. */
interface Run {
  readonly first: number
  readonly last: number
}

/**
 * Makes the function that takes away rows of `ciphertexts` that are nothing but zeros, some each time that it is called: those with
 * {@link distance} rows of zeros on both sides, so that no row in use is ever moved, which would leave a copy of it behind. The last
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
      `SELECT c.nr, NOT EXISTS (SELECT 1 FROM secrets s WHERE s.nr = c.nr) FROM ciphertexts c
       WHERE c.nr > ? ORDER BY c.nr LIMIT ?`,
    )
    .raw()
  const drop = writer.prepare<[number, number]>('DELETE FROM ciphertexts WHERE nr BETWEEN ? AND ?')
  let behind = 0

  return () =>
    read(() => look.all(behind, lookedAt)).andThen((rows) => {
      const runs = droppable(rows, behind === 0)
      behind = rows.length < lookedAt ? 0 : (rows.at(-1)?.[0] ?? 0)
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
    const first = rows[start === 0 && fromStart ? 0 : start + keep]?.[0]
    const last = rows[end - keep - 1]?.[0]
    if (first !== undefined && last !== undefined && first <= last) runs.push({ first, last })
    start = end + 1
  }
  return runs
}
