import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { Policy } from '../policy.ts'
import type { SecretFileStore } from './secret-file-store.ts'
import { filesMax } from './file-rules.ts'

export type FileUsageDeps = { readonly secretFiles: Pick<SecretFileStore, 'bytesOf'> } & {
  readonly policy: Pick<Policy, 'files'>
}
export interface FileUsageInput {
  readonly accountId: Uuid
}
export type FileUsageError = StorageError

/** How much of what files may have an account uses, in bytes. */
export interface FileUsage {
  readonly usedBytes: number
  readonly accountMaxBytes: number
  /** The largest file; 0 where no files are taken. */
  readonly maxBytes: number
  /** How many files a secret has at most. */
  readonly filesMax: number
}

/** How much of what files may have the account uses. */
export function fileUsage(
  { secretFiles, policy: { files } }: FileUsageDeps,
  { accountId }: FileUsageInput,
): ResultAsync<FileUsage, FileUsageError> {
  const { maxBytes = 0, accountMaxBytes = 0 } = files ?? {}
  return secretFiles
    .bytesOf(accountId)
    .map((usedBytes) => ({ usedBytes, accountMaxBytes, maxBytes, filesMax }))
}
