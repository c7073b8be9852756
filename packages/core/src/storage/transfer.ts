import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { FileStore } from '../files/file-store.ts'
import type { StorageOpenError } from './storage.ts'

/** How a value of a column looks: an id in lower case with hyphens, a whole number, a text, bytes, or true and false. `null` is no value. */
export type TransferredType = 'uuid' | 'integer' | 'text' | 'bytes' | 'boolean'

/**
 * One column of a row: ids as text, times and counts as numbers, ciphertexts and digests as bytes; `null` where it has none. Texts are spelled
 * alike by all databases; see `attemptsText` and `scopesText`.
 */
export type TransferredValue = string | number | boolean | Uint8Array | null

/** The values of a row, in the order of its table's columns. */
export type TransferredRow = readonly TransferredValue[]

/** A kind of rows that a move takes along, in a form that is the same for all databases. */
export interface TransferredTable {
  readonly name: string
  /** The number of columns of the key, which are the first ones. */
  readonly keyColumns: number
  readonly columns: readonly { readonly name: string; readonly type: TransferredType }[]
}

/** The rows of one side of a move. */
export interface TransferredRows {
  /**
   * Every kind of rows, in an order in which no row comes before one that it refers to. Both sides have the same. Sessions and the quota's
   * counters stay behind, and so do leases of targets.
   */
  readonly tables: readonly TransferredTable[]

  /**
   * Rows in ascending order of their keys: ids and bytes byte by byte, the first column before the second.
   * @param after a row of the same table, behind which the page begins; `undefined` for the first page
   */
  page(
    table: TransferredTable,
    after: TransferredRow | undefined,
    limit: number,
  ): ResultAsync<readonly TransferredRow[], StorageError>
}

/** A file whose content is moved. */
export interface TransferredFile {
  readonly id: Uuid
  readonly secretId: Uuid
  /** Whether its secret or draft has its note. The content of any other file may be missing: it may have been dropped before its row. */
  readonly isNeeded: boolean
}

/** An installation that is being copied. No other process can change it until it is closed, also if this process is killed. */
export interface TransferSource extends TransferredRows {
  /** The 32 random bytes that were made with the installation; the target gets the same. */
  readonly instanceId: Uint8Array
  readonly sweptAtMicros: number | undefined
  /** Whether it has been left for good, to the same place, by a move whose last step is missing. */
  readonly isLeft: boolean

  /** The contents of its files. */
  readonly fileContents: Pick<FileStore, 'read'>

  /** At most `limit` files by id, ascending, after this one. */
  files(after: Uuid | undefined, limit: number): ResultAsync<readonly TransferredFile[], StorageError>

  /** Leaves it for good: `open` answers `database_moved` from now on. Durable. Nothing is erased. */
  leave(): ResultAsync<void, StorageError>

  /** Ends the move. Unless {@link leave} succeeded, it can be opened again as if nothing had happened. */
  close(): Promise<void>
}

/** The copy of an installation. Until it is finished, `open` answers `database_incomplete`. */
export interface TransferTarget extends TransferredRows {
  /** Where the contents of its files are copied to. */
  readonly fileContents: Pick<FileStore, 'append' | 'read' | 'drop'>

  /** Adds those rows whose key it does not have. A row that it has stays as it is. Durable. */
  add(table: TransferredTable, rows: readonly TransferredRow[]): ResultAsync<void, StorageError>

  /** Makes an installation of the copy, which `open` opens. Durable. */
  finish(): ResultAsync<void, StorageError>

  /** Ends the move. A copy that is not finished stays, for the next one to continue. */
  close(): Promise<void>
}

/** How a source is opened. */
export interface TransferSourceOptions {
  /** The location of the target. */
  readonly to: string
}

/** What a target is begun with. */
export interface TransferTargetOptions extends Pick<TransferSource, 'instanceId' | 'sweptAtMicros'> {
  /** False when there must be an unfinished copy already; it is an error then if there is none: `database_missing`. */
  readonly create: boolean
}

/** Why an installation cannot be read for a move. Nothing was changed. */
export type TransferSourceError =
  | StorageOpenError
  /** A server or a command has it open. Nothing was changed. */
  | { readonly code: 'database_in_use'; readonly location: string }

/** Why a place cannot take an installation. Nothing that was there was changed. */
export type TransferTargetError =
  | TransferSourceError
  /** The place is the one that is copied, under another name. A driver that cannot tell answers `database_in_use`. */
  | { readonly code: 'move_same_place'; readonly location: string }
  /** There is data already. `isCopy` says whether it is a finished copy of the same installation. Nothing was changed. */
  | { readonly code: 'move_target_used'; readonly location: string; readonly isCopy: boolean }
