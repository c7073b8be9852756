/** The folder holds drafts, secrets, or requests that can be answered. */
export interface FolderNotEmpty {
  readonly code: 'folder_not_empty'
}
