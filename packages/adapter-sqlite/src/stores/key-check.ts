import type { KeyRetired } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { isForeignKeyError } from '../file/errors.ts'

/**
 * Runs a statement, inside a job, that writes a row under the key `kid`. When the row refers to a row that does not exist, it finds out
 * which: Err `key_retired` when it is the key, else Err `otherwise`. Throws every other error, and this one too without `otherwise`.
 */
export type KeyCheck = <E = never>(
  kid: number,
  put: () => unknown,
  otherwise?: E,
) => Result<void, KeyRetired | E>

export function createKeyCheck({ writer }: Pick<Connections, 'writer'>): KeyCheck {
  const isKnown = writer.prepare<[number], number>('SELECT 1 FROM keys WHERE kid = ?').pluck()
  return (kid, put, otherwise) => {
    try {
      put()
      return ok()
    } catch (error) {
      if (!isForeignKeyError(error)) throw error
      if (isKnown.get(kid) === undefined) return err({ code: 'key_retired' })
      if (otherwise === undefined) throw error
      return err(otherwise)
    }
  }
}
