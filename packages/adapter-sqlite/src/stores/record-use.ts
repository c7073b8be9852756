import { isUseToBeRecorded, type Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { uuidBytes } from './codec.ts'

/** The number of rows of a table whose last use this process remembers, so that it does not queue a write for each use. */
const rememberedMax = 10_000

/**
 * Makes the function that records when a row of `table` was last used, in the background. All processes together write as often as
 * `isUseToBeRecorded` allows: once a minute for each row.
 */
export function createRecordUse(
  { writer, write }: Connections,
  table: 'access_tokens' | 'sessions',
): (id: Uuid, atMicros: number) => void {
  const lastUse = writer
    .prepare<[Buffer], number | null>(`SELECT last_used_at FROM ${table} WHERE id = ?`)
    .pluck()
  const setLastUse = writer.prepare<[number, Buffer]>(`UPDATE ${table} SET last_used_at = ? WHERE id = ?`)
  const remembered = new Map<Uuid, number>()
  return (id, atMicros) => {
    if (!isUseToBeRecorded(remembered.get(id), atMicros)) return
    remembered.delete(id)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= rememberedMax) remembered.delete(oldest)
    remembered.set(id, atMicros)
    const written = write(() => {
      const key = uuidBytes(id)
      if (isUseToBeRecorded(lastUse.get(key) ?? undefined, atMicros)) setLastUse.run(atMicros, key)
      return ok()
    })
    void written.match(
      () => undefined,
      () => remembered.delete(id),
    )
  }
}
