import type { ErrorKinds } from '../shared/error-kind.ts'

/** The folder holds drafts, secrets, or requests that can be answered. */
export interface FolderNotEmpty {
  readonly code: 'folder_not_empty'
}

export const folderErrorKinds = {
  folder_not_empty: 'conflict',
} as const satisfies ErrorKinds
