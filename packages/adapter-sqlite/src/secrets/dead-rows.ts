import { setImmediate } from 'node:timers/promises'
import type { StorageError } from '@sotto/core'
import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'

/**
 * Bytes of zeros that stay between a row in use and the first row that is deleted. Deleting rows makes SQLite balance the leaf page that
 * they were on with at most two pages beside it, and the rows of those are copied. A page has 4,096 bytes, so these are more than five
 * pages.
 */
export const distance = 24_576
/** Rows that are looked at, and deleted, in one go: few enough that other work does not wait. */
const rowsAtOnce = 400
/** A go that deletes fewer rows than this was in vain. */
const muchRows = 50
/** The number of goes in vain after which the other rows are left to another time. */
const vainGoesMax = 50

type Row = [nr: number, isDead: number, bytes: number]

/** Rows `first` to `last`, all of which are dead. */
interface Run {
  readonly first: number
  readonly last: number
}

/** A table with rows that hold nothing but zeros. */
interface DeadRows {
  /** Numbers its rows by `nr`. Rows are only added at its end, and no value is replaced by one of another length. */
  readonly table: string
  /** Whether the row `d` holds nothing but zeros, as an SQL expression. */
  readonly isDead: string
  /** How many bytes it has, likewise. */
  readonly bytes: string
}

const deadCiphertexts: DeadRows = {
  table: 'ciphertexts',
  isDead: 'NOT EXISTS (SELECT 1 FROM secrets s WHERE s.nr = d.nr)',
  bytes: 'length(d.head) + length(d.wrap) + length(d.note)',
}

const deadTexts: DeadRows = {
  table: 'texts',
  isDead: 'd.text = zeroblob(length(d.text))',
  bytes: 'length(d.text)',
}

export const deadRows: readonly DeadRows[] = [deadCiphertexts, deadTexts]

/**
 * Makes the function that deletes rows of a table that hold nothing but zeros. It deletes those with {@link distance} bytes of zeros on
 * both sides, so that no row in use is ever moved: that would leave a copy of it behind. The last rows always stay: the number of the next
 * row is one more than theirs.
 *
 * A call continues where the last one ended. It uses short transactions, between which all other work gets its turn. It goes on to the end
 * of the table or until there is little to delete for a while.
 */
export function createDropDeadRows(
  connections: Connections,
  dead: DeadRows,
): () => ResultAsync<void, StorageError> {
  const go = createGo(connections, dead)
  let lookedUpTo = 0

  async function dropRows(): Promise<Result<void, StorageError>> {
    for (let vainGoes = 0; vainGoes < vainGoesMax;) {
      const done = await go(lookedUpTo)
      if (done.isErr()) return err(done.error)
      lookedUpTo = done.value.lookedUpTo
      if (lookedUpTo === 0) break
      vainGoes = done.value.dropped < muchRows ? vainGoes + 1 : 0
      await setImmediate()
    }
    return ok()
  }

  return () => new ResultAsync(dropRows())
}

interface Done {
  readonly dropped: number
  /** Where to continue: after the row of this number; 0 when the end was reached. */
  readonly lookedUpTo: number
}

function createGo(
  { db, read, write }: Connections,
  { table, isDead, bytes }: DeadRows,
): (after: number) => ResultAsync<Done, StorageError> {
  const look = db
    .prepare<[number, number], Row>(
      `SELECT d.nr, ${isDead}, ${bytes} FROM ${table} d WHERE d.nr > ? ORDER BY d.nr LIMIT ?`,
    )
    .raw()
  const drop = db.prepare<[number, number]>(`DELETE FROM ${table} WHERE nr BETWEEN ? AND ?`)

  return (after) =>
    read(() => look.all(after, rowsAtOnce)).andThen((rows) => {
      const runs = droppable(rows, after === 0)
      const lookedUpTo = rows.length < rowsAtOnce ? 0 : (rows.at(-1)?.[0] ?? 0)
      if (runs.length === 0) return okAsync({ dropped: 0, lookedUpTo })
      return write(() => {
        let dropped = 0
        for (const { first, last } of runs) dropped += drop.run(first, last).changes
        return ok({ dropped, lookedUpTo })
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
