import type { KeyRetired } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { isForeignKeyFault } from './errors.ts'
import type { Storage } from './storage.ts'

/**
 * Runs a statement, inside a job, that puts a row under the key `kid`. When the row refers to something that is not there, it finds
 * out what: Err `key_retired` when that is the key, else Err `otherwise`. Throws every other fault, and this one too when there is
 * no `otherwise`.
 */
export type KeyCheck = <E = never>(
  kid: number,
  put: () => unknown,
  otherwise?: E,
) => Result<void, KeyRetired | E>

export function createKeyCheck({ writer }: Pick<Storage, 'writer'>): KeyCheck {
  const isThere = writer.prepare<[number], number>('SELECT 1 FROM keys WHERE kid = ?').pluck()
  return (kid, put, otherwise) => {
    try {
      put()
      return ok()
    } catch (error) {
      if (!isForeignKeyFault(error)) throw error
      if (isThere.get(kid) === undefined) return err({ code: 'key_retired' })
      if (otherwise === undefined) throw error
      return err(otherwise)
    }
  }
}
