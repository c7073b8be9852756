import { isUseToBeRecorded } from '@sotto/core'
import type { StorageError, Uuid } from '@sotto/core'
import { ok, type ResultAsync } from 'neverthrow'
import { changes, row, type Engine } from '../engine/engine.ts'

/** The number of rows of a table whose last use this process remembers, so that it does not queue a write for each use. */
const rememberedMax = 10_000

/**
 * Makes the function that records when a row of `table` was last used, in the background. All processes together write as often as
 * `isUseToBeRecorded` allows: once a minute for each row.
 */
export function createRecordUse(
  { dialect, write }: Engine,
  table: 'access_tokens' | 'sessions',
): (id: Uuid, atMicros: number) => void {
  return rememberUses((key, atMicros) =>
    write(
      function* () {
        const id = dialect.id.in(key)
        const [lastUse] =
          (yield* row<[number | null]>(
            `SELECT last_used_at FROM ${table} WHERE id = $1${dialect.forUpdate}`,
            id,
          )) ?? []
        if (isUseToBeRecorded(lastUse ?? undefined, atMicros))
          yield* changes(`UPDATE ${table} SET last_used_at = $1 WHERE id = $2`, atMicros, id)
        return ok()
      },
      { isolation: 'locks' },
    ),
  )
}

/** Calls `record` for a use that this process has not recorded for the row within the last minute, as far as it remembers. */
export function rememberUses(
  record: (id: Uuid, atMicros: number) => ResultAsync<void, StorageError>,
): (id: Uuid, atMicros: number) => void {
  const remembered = new Map<Uuid, number>()
  return (id, atMicros) => {
    if (!isUseToBeRecorded(remembered.get(id), atMicros)) return
    remembered.delete(id)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= rememberedMax) remembered.delete(oldest)
    remembered.set(id, atMicros)
    void record(id, atMicros).match(
      () => undefined,
      () => remembered.delete(id),
    )
  }
}
