import { ok, ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { StorageError } from '../errors.ts'
import { authenticateRows, type AuthenticateRowsDeps, type DamagedRow } from './damage.ts'

export type FindDamageDeps = AuthenticateRowsDeps
export interface FindDamageInput {
  /** Only rows of this account; of all accounts without it. */
  readonly accountId?: Uuid | undefined
}
export type FindDamageError = StorageError

/**
 * Authenticates everything that is encrypted: each text, head, wrap and note. Needs no password: the wrap of a note with one holds a digest
 * of the note. Ok with the damaged rows, texts first. Reads all rows, in pages: for a command.
 */
export function findDamage(
  deps: FindDamageDeps,
  { accountId }: FindDamageInput = {},
): ResultAsync<readonly DamagedRow[], FindDamageError> {
  const damaged: DamagedRow[] = []
  // eslint-disable-next-line @typescript-eslint/require-await -- collecting needs no wait
  const collect = async (row: DamagedRow) => {
    if (accountId === undefined || row.accountId === accountId) damaged.push(row)
    return ok()
  }
  return new ResultAsync(authenticateRows(deps, collect)).map(() => damaged)
}
