import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import type { StoredSecretFile } from '../ports/secret-file-store.ts'
import { everyRow } from './compare-files.ts'
import { showFile } from './file-rows.ts'

export type DropFileDeps = PortMethods<{
  secretFiles: 'bytesOf' | 'page' | 'erase'
  fileContents: 'drop'
  textCipher: 'decryptText'
}>

/**
 * Drops the content of a file, then its row, and takes its bytes off the account's sum. When its size cannot be read, it takes off all bytes of
 * the sum that belong to no file with a readable size. Ok(false) when there is no such row any more.
 */
export function dropFile(
  deps: DropFileDeps,
  row: Pick<StoredSecretFile, 'id' | 'accountId' | 'about'>,
): ResultAsync<boolean, StorageError> {
  const { fileContents, secretFiles } = deps
  const file = showFile(deps, row)
  return fileContents
    .drop(row.id)
    .andThen(() => (file.isOk() ? ok(file.value.size) : unreadableBytes(deps, row.accountId)))
    .andThen((bytes) => secretFiles.erase(row.id, bytes))
}

/** How often a sum that changes meanwhile is compared again. */
const comparisonsMax = 3

/** The bytes of the account's sum that belong to no file with a readable size. `undefined` when the sum changes again and again meanwhile. */
function unreadableBytes(
  deps: Pick<DropFileDeps, 'secretFiles' | 'textCipher'>,
  accountId: Uuid,
): ResultAsync<number | undefined, StorageError> {
  return new ResultAsync(compareWithSum(deps, accountId))
}

async function compareWithSum(
  { secretFiles, textCipher }: Pick<DropFileDeps, 'secretFiles' | 'textCipher'>,
  accountId: Uuid,
): Promise<Result<number | undefined, StorageError>> {
  let before = await secretFiles.bytesOf(accountId)
  for (let comparison = 0; comparison < comparisonsMax; comparison += 1) {
    let readable = 0
    for await (const row of everyRow(secretFiles, { accountId })) {
      if (row.isErr()) return err(row.error)
      readable += showFile({ textCipher }, row.value)
        .map(({ size }) => size)
        .unwrapOr(0)
    }
    const after = await secretFiles.bytesOf(accountId)
    if (before.isErr()) return err(before.error)
    if (after.isErr()) return err(after.error)
    if (before.value === after.value) return ok(Math.max(after.value - readable, 0))
    before = after
  }
  return ok(undefined)
}
