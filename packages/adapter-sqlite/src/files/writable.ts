import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Finding, StorageError } from '@sotto/core'
import { systemErrorCode } from '@sotto/system'
import { ResultAsync } from 'neverthrow'
import { bad } from '../connection/finding.ts'
import { reasonOfStorageError } from '../connection/errors.ts'
import { fileErrorOf } from './file-error.ts'

/**
 * Ok when this user may make and drop contents in the directory, or make the directory, and the file system is not read-only. Writes nothing,
 * so it does not notice a full disk.
 */
export function canWriteContents(directory: string): ResultAsync<void, StorageError> {
  return ResultAsync.fromPromise(accessToWrite(directory), fileErrorOf)
}

async function accessToWrite(directory: string): Promise<void> {
  try {
    await accessIn(directory)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    await accessIn(dirname(directory))
  }
}

/** The dot makes anything but a directory an error. */
function accessIn(directory: string): Promise<void> {
  return access(`${directory}/.`, constants.W_OK | constants.X_OK)
}

/** Nothing when contents can be written. */
export async function examineContents(directory: string): Promise<readonly Finding[]> {
  const written = await canWriteContents(directory)
  if (written.isOk()) return []
  const why = reasonOfStorageError(written.error)
  return [
    bad(
      'files',
      `${directory} cannot be written (${why}), so no file is taken: give it to the user of the server, on a disk that is not read-only`,
    ),
  ]
}
