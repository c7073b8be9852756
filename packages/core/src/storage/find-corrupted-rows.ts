import { ok, ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import { authenticateRows, type AuthenticateRowsDeps, type CorruptedRow } from './corruption.ts'

export type FindCorruptedRowsDeps = AuthenticateRowsDeps
export interface FindCorruptedRowsInput {
  /** Only rows of this account; of all accounts without it. */
  readonly accountId?: Uuid | undefined
}
export type FindCorruptedRowsError = StorageError

/**
 * Authenticates everything that is encrypted: each text, head, wrapped key and note. Needs no password: the wrapped key of a note with one
 * holds a digest of the note. Ok with the corrupted rows, texts first. Reads all rows, in pages: for a command.
 */
export function findCorruptedRows(
  deps: FindCorruptedRowsDeps,
  { accountId }: FindCorruptedRowsInput = {},
): ResultAsync<readonly CorruptedRow[], FindCorruptedRowsError> {
  const corrupted: CorruptedRow[] = []
  // eslint-disable-next-line @typescript-eslint/require-await -- collecting needs no wait
  const collect = async (row: CorruptedRow) => {
    if (accountId === undefined || row.accountId === accountId) corrupted.push(row)
    return ok()
  }
  return new ResultAsync(authenticateRows(deps, collect)).map(() => corrupted)
}
