import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { ByteRange, Pieces } from './file-cipher.ts'

/** There is no file with this id. */
export interface FileMissing {
  readonly code: 'file_missing'
  readonly id: Uuid
}

/** What a store knows about a file. */
export interface StoredFileInfo {
  readonly id: Uuid
  /** How many bytes it has. */
  readonly length: number
  /** When the last of them was written. */
  readonly writtenAtMicros: number
}

/**
 * Stores the encrypted contents of files, each under its id: many bytes, written once, read in parts, and dropped. No method throws or
 * rejects, and none holds more than a few pieces of a content.
 */
export interface FileStore {
  /**
   * Stores a content as it arrives. Ok only once all of it is durable. After an Err nothing of it stays. {@link page} lists what a crash
   * leaves; `sweepFiles` drops that.
   * @errors what `content` yields; `storage_failed` when the id is taken, which changes nothing; `storage_unavailable`
   */
  append<E>(id: Uuid, content: Pieces<E>): ResultAsync<void, E | StorageError>

  /**
   * The bytes of a range, in order; fewer when the content is shorter. A reader may stop at any time.
   * @errors `file_missing`; `storage_unavailable`, `storage_failed`
   */
  read(id: Uuid, range: ByteRange): Pieces<FileMissing | StorageError>

  /** Erases a content. One that is not there is not an error. */
  drop(id: Uuid): ResultAsync<void, StorageError>

  /** How many bytes its disk has left for contents. `undefined` where it does not know, as for the disk of a database server. */
  freeBytes(): ResultAsync<number | undefined, StorageError>

  /** At most `limit` contents by id, ascending, after this one: the whole ones, and what crashes left. */
  page(after: Uuid | undefined, limit: number): ResultAsync<readonly StoredFileInfo[], StorageError>
}
