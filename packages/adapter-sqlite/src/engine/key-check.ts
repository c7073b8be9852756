import type { KeyRetired } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { isForeignKeyError } from '../connection/errors.ts'

/**
 * Runs a statement, inside a job, that writes a row under the key `kid`. Err `key_retired` when no row may be written under it, Err
 * `otherwise` when the row refers to another row that does not exist. Throws every other error, and this one too without `otherwise`.
 */
export type KeyCheck = <E = never>(
  kid: number,
  put: () => unknown,
  otherwise?: E,
) => Result<void, KeyRetired | E>

export function createKeyCheck({ db }: Pick<Connections, 'db'>): KeyCheck {
  const isWritable = db
    .prepare<[number], number>('SELECT 1 FROM keys WHERE kid = ? AND NOT read_only')
    .pluck()
  return (kid, put, otherwise) => {
    if (isWritable.get(kid) === undefined) return err({ code: 'key_retired' })
    try {
      put()
      return ok()
    } catch (error) {
      if (otherwise === undefined || !isForeignKeyError(error)) throw error
      return err(otherwise)
    }
  }
}
