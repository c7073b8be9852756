/** A file has more bytes than the installation allows. */
export interface FileTooLarge {
  readonly code: 'file_too_large'
  readonly maxBytes: number
  /** The number of the file among those that are sent, from 1, where that is known. */
  readonly number?: number | undefined
}

/** The account's files would count more bytes with these files than the installation allows. */
export interface FilesFull {
  readonly code: 'files_full'
  readonly maxBytes: number
}

/** Less would stay free on the disk of the installation with these files than it keeps for everything else. */
export interface DiskFull {
  readonly code: 'disk_full'
}
export const diskFull: DiskFull = { code: 'disk_full' }

/** What sends the files ended too early, or sent something malformed. */
export interface UploadBroken {
  readonly code: 'upload_broken'
}
export const uploadBroken: UploadBroken = { code: 'upload_broken' }

/** The installation takes no files. */
export interface FilesOff {
  readonly code: 'files_off'
}
export const filesOff: FilesOff = { code: 'files_off' }

/** Unknown or ended ticket, or no file with this number: the same error for all of them. */
export interface FileNotFound {
  readonly code: 'file_not_found'
}
export const fileNotFound: FileNotFound = { code: 'file_not_found' }
