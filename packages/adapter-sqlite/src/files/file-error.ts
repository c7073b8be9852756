import { constants } from 'node:os'
import type { StorageError } from '@sotto/core'
import { isFileSystemError, storageErrorOf } from '../connection/errors.ts'

/** What the file system answers when there is no room. */
const full = ['ENOSPC', 'EFBIG']

/** What the file system answers when the disk has failed or is read-only, when this user may not write there, or when too many files are open. */
const unavailable = ['EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE']

/** The storage error for something that the file system threw. `detail` holds no path. */
export function fileErrorOf(error: unknown): StorageError {
  if (!isFileSystemError(error)) return storageErrorOf(error)
  const { code, errno } = error
  // Node.js has no name for the error of a quota of the disk.
  if (full.includes(code) || errno === -constants.errno.EDQUOT)
    return { code: 'storage_unavailable', reason: 'full' }
  if (unavailable.includes(code)) return { code: 'storage_unavailable', reason: 'disk_failed', detail: code }
  // The directory above that of all contents is missing.
  if (code === 'ENOENT') return { code: 'storage_unavailable', reason: 'moved' }
  return { code: 'storage_failed', detail: code }
}
