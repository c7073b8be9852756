import type { Result, ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { Meter } from '../shared/meter.ts'
import type {
  TransferSource,
  TransferSourceError,
  TransferSourceOptions,
  TransferTarget,
  TransferTargetError,
  TransferTargetOptions,
} from './transfer.ts'
import type { Finding, OpenStorage, StorageOpenError } from './storage.ts'
import type { CopyProgress } from './copy-progress.ts'

/**
 * The place where an installation's data is or will be: the entry point of a storage adapter. The composition root chooses the driver;
 * nothing else knows which adapter it is. No method throws or rejects, and none creates anything unless its description says so. `Opened`
 * has the stores of other packages too that share the database.
 */
export interface StorageDriver<Opened extends OpenStorage = OpenStorage> {
  /** Names the place in messages to people, on one line and without credentials: a path, or an address. */
  readonly location: string

  /** Whether there is data. False for a place that does not exist; an error, never false, where that cannot be known. */
  hasData(): ResultAsync<boolean, StorageOpenError>

  /**
   * Makes the place ready for {@link open} (a directory, for instance), so that an unusable place is noticed before anything else is
   * created.
   */
  prepare(): ResultAsync<void, StorageOpenError>

  /**
   * Opens the storage; creates the database when there is none. Several processes may have it open at the same time; within one process,
   * one.
   */
  open(options: OpenStorageOptions): ResultAsync<Opened, StorageOpenError>

  /**
   * Checks the place itself, without opening the storage: permissions, leftovers, free space. A place that cannot be reached is a
   * problem that it finds.
   */
  examine(): Promise<readonly Finding[]>

  /**
   * Makes a backup while others write: the state of one point in time, everything acknowledged before it included. It is one file,
   * readable by its owner alone, verified, without any key and without the quota's counters. It never replaces a file.
   *
   * It holds the content of every file of a secret or draft that has its note at that time, and no other: no upload that is under way. They
   * are copied after the rows. Where a content was dropped meanwhile, because its secret was spent, erased or edited since, the backup has
   * the note of that secret neither, or is made of a later time. A content that is missing otherwise is named: a backup without it is
   * better than none. A restore brings back its row and the note, and names it, too.
   *
   * Where the storage has backups of its own, `backUp` and `restore` do nothing but name them in an error.
   */
  backUp(options: BackUpOptions): ResultAsync<Backup, BackUpError>

  /**
   * Creates the database from a backup, verified before anything is written and durable before Ok. It never replaces data; of several
   * simultaneous restores one succeeds.
   *
   * An older state would bring back opens that were spent and tokens that were revoked since. So, unless the choices say otherwise, the
   * notes of secrets with an open limit are destroyed and all access tokens are revoked. Expired secrets are erased. Sessions, one-time
   * links, attempts to sign in and known addresses never come back. The outbox is empty afterwards: its messages may have been sent since
   * the backup, and would be sent again. The claims of idempotency keys come back as they were: a request from before the backup creates no
   * second secret. One from after it, whose secret is not in the backup either, is the first again.
   *
   * The contents of files come back with the notes of their secrets and drafts, and are durable before there is data. Tickets never come
   * back: the opens that they were given for are spent.
   */
  restore<E = never>(options: RestoreOptions<E>): ResultAsync<Restored, RestoreError | E>

  /**
   * Opens the data to copy it to another place, for this process alone: `database_in_use` while another one has it open. Data that was left
   * for another place is `database_moved`.
   */
  openTransferSource(options: TransferSourceOptions): ResultAsync<TransferSource, TransferSourceError>

  /**
   * Begins a copy of the installation with this instance id, or continues an unfinished one. A place with other data, an empty installation
   * and an unfinished copy of another one included, is `move_target_used`: nothing is ever overwritten.
   */
  openTransferTarget(options: TransferTargetOptions): ResultAsync<TransferTarget, TransferTargetError>
}

/** What opening the storage takes, whatever the driver. */
export interface OpenStorageOptions {
  /**
   * Called when the disk did not keep what was written, so that the state of the data is unknown: the process must end. Every further
   * write is refused.
   */
  readonly onFatal: (error: unknown) => void
  /** Receives what an operator should know. */
  readonly log: Log
  /** Receives measurements of the storage's own work. Without it nothing is measured. */
  readonly meter?: Meter | undefined
  /**
   * False for an examination, which creates, migrates and replaces nothing. Data that is missing or of an earlier version is an error then.
   * `Upkeep.examine` reports missing counters of the quota. True by default.
   */
  readonly create?: boolean | undefined
}

/** Receives messages for the operator. `fields` never hold anything confidential. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number>>,
) => void

/** Where a backup goes, and when it is made. */
export interface BackUpOptions {
  /** The path of the backup, which must not exist yet. */
  readonly file: string
  /** The time that the backup carries. */
  readonly nowMicros: number
  /** Called again and again while the data is copied. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined
}

/** A backup that was written and verified. */
export interface Backup {
  /** The size of its file. */
  readonly bytes: number
  readonly backedUpAtMicros: number
  readonly contents: Contents
  /** The files whose contents it lacks. */
  readonly missingFiles: readonly MissingFile[]
}

/** A file whose content is missing although its secret or draft has its note. */
export interface MissingFile {
  readonly id: Uuid
  readonly secretId: Uuid
}

/** How much of what a database or a backup holds. */
export interface Contents {
  /** Disabled ones too, but none whose erasure has begun. */
  readonly accounts: number
  /** The folders of all accounts. */
  readonly folders: number
  /** Secrets without a link. */
  readonly drafts: number
  /** Shareable secrets that have not expired, including those whose note is destroyed. */
  readonly secrets: number
  /** Shareable secrets that have expired and are not erased yet. */
  readonly expiredSecrets: number
  /** Access tokens that are accepted. */
  readonly accessTokens: number
  /** The contents of files of secrets and drafts that have their note. */
  readonly files: number
  /** The bytes of these contents, as they are stored. */
  readonly fileBytes: number
  /** The keys that are needed to read it, ascending. */
  readonly kids: readonly number[]
}

/** Why there is no backup. */
export type BackUpError =
  | StorageOpenError
  /** The storage has backups of its own, which `detail` names as part of a sentence. */
  | { readonly code: 'backup_unsupported'; readonly detail: string }
  /** There is something at that path. It was not touched. */
  | { readonly code: 'backup_exists'; readonly path: string }
  /** The backup cannot be written; what was written of it has been removed. */
  | { readonly code: 'backup_not_written'; readonly path: string; readonly detail: string }
  /** What was written differs from what was read; the file has been removed. */
  | { readonly code: 'backup_not_verified'; readonly path: string; readonly detail: string }

/** What a restore brings back although it may be out of date. */
export interface RestoreChoices {
  /**
   * Brings back the notes of secrets with an open limit, and leaves requests open: opens and answers may have been spent since the backup.
   */
  readonly keepLimited: boolean
  /** Brings back access tokens, some of which may have been revoked since the backup. */
  readonly keepTokens: boolean
}

/** The backup that is restored, and when. */
export interface RestoreOptions<E> extends RestoreChoices {
  /** The path of the backup. It is not changed. */
  readonly file: string
  /** The time of the restore: decides what has expired. */
  readonly nowMicros: number
  /**
   * Checks, before anything is written, whether the backup's keys are available. Ok with the kids of those that are; a key that no row of
   * the backup is under may be missing.
   */
  readonly checkKeys: (keys: BackedUpKeys) => Result<readonly number[], E>
  /** Called again and again while the data is copied. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined
}

/** The keys of a backup, for the check before a restore. */
export interface BackedUpKeys {
  /** The random id of the database that was backed up. */
  readonly instanceId: Uint8Array
  readonly keys: readonly {
    /** The number of the key. */
    readonly kid: number
    /** See {@link StoredKey.checkValue}. */
    readonly checkValue: Uint8Array
    /** Whether a row of the backup is under it. */
    readonly isUsed: boolean
  }[]
}

/** What a restore brought back, and what it left out. */
export interface Restored {
  readonly backedUpAtMicros: number
  /** What the backup held; what counts as expired is decided at the time of the restore. */
  readonly contents: Contents
  /** Notes that were destroyed because their secrets have an open limit. Not those of drafts: nobody can have opened a draft. */
  readonly destroyedNotes: number
  /** Requests that were closed, because answers handed in since would be accepted again: none with `keepLimited`. */
  readonly closedRequests: number
  /** Access tokens that were revoked: none with `keepTokens`. */
  readonly revokedTokens: number
  /** Expired secrets that were erased. */
  readonly erasedSecrets: number
  /** Contents of files that are back: those of secrets and drafts that have their note. */
  readonly restoredFiles: number
  /** The files of such secrets and drafts whose contents the backup lacks. */
  readonly missingFiles: readonly MissingFile[]
}

/** Why nothing was restored. */
export type RestoreError =
  /** The storage has restores of its own, which `detail` names as part of a sentence. */
  | { readonly code: 'restore_unsupported'; readonly detail: string }
  /** The backup does not exist or cannot be read. */
  | { readonly code: 'backup_unreadable'; readonly path: string; readonly detail: string }
  /** The file was not made by {@link StorageDriver.backUp}. */
  | { readonly code: 'backup_foreign'; readonly path: string }
  /** A later version made the backup: `version` is that of its schema, `known` the latest that this program knows. */
  | { readonly code: 'backup_newer'; readonly path: string; readonly version: number; readonly known: number }
  /** The backup's tables are not those of the version whose number it has; see `database_unreleased`. */
  | { readonly code: 'backup_unreleased'; readonly path: string; readonly commit: string | undefined }
  /** The backup is torn or was changed. */
  | { readonly code: 'backup_damaged'; readonly path: string; readonly detail: string }
  /** There is a database, or part of one. It was not touched. */
  | { readonly code: 'database_exists'; readonly location: string }
  /** The database cannot be written; what was written of it has been removed. */
  | { readonly code: 'restore_not_written'; readonly location: string; readonly detail: string }
