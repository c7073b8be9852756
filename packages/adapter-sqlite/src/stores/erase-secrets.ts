import type { StorageError } from '@sotto/core'
import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { createDestroyNotes } from './secret-rows.ts'

/** The most that one job erases, so that other writes do not wait long: bytes of long notes, and remembered forms. */
const erasedNoteBytesMax = 1_048_576
const erasedFormsMax = 2_000

/** The columns of `secrets` (as `s`) by which one is erased, in the order of {@link ToErase}. */
export const toErase = 's.nr, coalesce((SELECT octet_length(note) FROM long_notes WHERE nr = s.nr), 0)'

export type ToErase = [nr: number, noteBytes: number]

export interface Erased {
  readonly rows: number
  /** Whether there may be more, because only the bound of one job was reached. */
  readonly more: boolean
}

/**
 * Makes the function that erases, inside a job, secrets and drafts with all that belongs to them, as many of these as a job may. The one at
 * which the bound is reached loses its note at once, and so its link finds nothing.
 */
export function createEraseSecrets({
  writer,
  erased,
}: Pick<Connections, 'writer' | 'erased'>): (secrets: readonly ToErase[]) => Erased {
  const eraseForms = writer.prepare('DELETE FROM opened_forms WHERE nr = ? ORDER BY nr, form_id LIMIT ?')
  const eraseSecret = writer.prepare('DELETE FROM secrets WHERE nr = ?')
  const destroyNote = createDestroyNotes(writer, 'nr = ?')

  return (secrets) => {
    let [rows, bytes, forms] = [0, 0, 0]
    for (const [nr, noteBytes] of secrets) {
      erased()
      forms += eraseForms.run(nr, erasedFormsMax - forms).changes
      if (forms >= erasedFormsMax) {
        destroyNote(nr)
        return { rows, more: true }
      }
      eraseSecret.run(nr)
      rows += 1
      bytes += noteBytes
      if (bytes >= erasedNoteBytesMax) return { rows, more: true }
    }
    return { rows, more: false }
  }
}

/** Erases at most `limit` rows, in as many jobs as it takes. Ok with how many it erased. */
export async function eraseUpTo(
  limit: number,
  eraseSome: (most: number) => ResultAsync<Erased, StorageError>,
): Promise<Result<number, StorageError>> {
  let rows = 0
  for (;;) {
    const some = await eraseSome(limit - rows)
    if (some.isErr()) return err(some.error)
    rows += some.value.rows
    if (rows >= limit || !some.value.more) return ok(rows)
  }
}
