import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import type { AccountStore } from '../accounts/account-store.ts'
import type { Clock } from '../shared/clock.ts'
import type { CorruptionStore } from './corruption-store.ts'
import type { DeliveryStore } from '../notifications/queue/delivery-store.ts'
import type { FileStore } from '../files/file-store.ts'
import type { FolderStore } from '../folders/folder-store.ts'
import type { IdempotencyStore } from '../secrets/idempotency-store.ts'
import type { KeyStore, RewrapStore, ServerStore } from '../keys/key-store.ts'
import type { LinkStore } from '../secrets/link-store.ts'
import type { OutboxStore } from '../notifications/queue/outbox-store.ts'
import type { QuotaStore } from '../quota/quota-store.ts'
import type { RequestStore } from '../requests/request-store.ts'
import type { SecretFileStore } from '../files/secret-file-store.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { DraftStore } from '../drafts/draft-store.ts'
import type { WebhookStore } from '../notifications/webhooks/webhook-store.ts'

/** The stores that share one database, under the names by which use-cases ask for them. */
export interface Storage {
  readonly accounts: AccountStore
  readonly folders: FolderStore
  readonly secrets: SecretStore
  readonly drafts: DraftStore
  readonly idempotencyKeys: IdempotencyStore
  readonly links: LinkStore
  readonly secretFiles: SecretFileStore
  readonly requests: RequestStore
  readonly outbox: OutboxStore
  readonly deliveries: DeliveryStore
  readonly webhooks: WebhookStore
  /** Holds no key when the database is fresh: one has to be added before any row can be written. */
  readonly keys: KeyStore
  readonly servers: ServerStore
  readonly rewraps: RewrapStore
  readonly corruption: CorruptionStore
}

/**
 * An open storage: its stores, and what the process that runs it needs besides. Once closed, every method answers an Err. Where the data is
 * in files, no write is acknowledged into a file that its path no longer leads to. While a file is elsewhere, the answer is
 * `storage_unavailable` with the reason `moved`, and nothing is changed.
 */
export interface OpenStorage extends Storage {
  /** The counters of the quota. They may live outside the database of the other stores. */
  readonly quota: QuotaStore
  /** The contents of files. They may live outside the database of the other stores. */
  readonly fileContents: FileStore
  /**
   * The time that decides where several machines share the storage: the database's, the same for all of them to within the time that its
   * answers take, whatever the clocks of the machines show and whenever they are set. `undefined` where the clock of the one machine decides.
   */
  readonly databaseClock?: Clock | undefined
  /** 32 random bytes that were made with the database, the salt of every derived key. They never change. */
  readonly instanceId: Uint8Array
  readonly upkeep: Upkeep
  readonly erasure: Erasure
  /** Commits what was accepted, then releases all resources. */
  close(): Promise<void>
}

/** What the process that runs a storage asks about it. No method throws or rejects. */
export interface Upkeep {
  /**
   * Ok when writing succeeds right now: durably to the stores, and to the counters of the quota, without which no request is served. An
   * Err also when the data was moved away from its place, or when contents of files may not be written. Costs a durable write.
   */
  canWrite(): ResultAsync<void, StorageError>

  /** The time that {@link recordSweep} recorded last; `undefined` before the first time. */
  lastSweep(): ResultAsync<number | undefined, StorageError>

  /** Records that expired rows were erased at this time. Durable. */
  recordSweep(atMicros: number): ResultAsync<void, StorageError>

  /** The latest time that any row carries, such as a creation; `undefined` when there is no row. */
  lastWrite(): ResultAsync<number | undefined, StorageError>

  /** The earliest expiry of a secret that is not erased, in the future or not; `undefined` when there is no shareable secret. */
  oldestExpiry(): ResultAsync<number | undefined, StorageError>

  /**
   * How many rows there are, also of accounts that are disabled and of secrets that have expired and are not erased yet. It reads indexes
   * to their end: ask every few minutes, not for each request.
   */
  countRows(): ResultAsync<RowCounts, StorageError>

  /**
   * Checks that the database is sound, that it, the quota's counters and contents of files can be written, and that it is configured as
   * durability and erasure need it. May read all of it and block the process that long: for a command, not for a server.
   */
  examine(): Promise<readonly Finding[]>
}

/** How many rows of each kind a storage holds. */
export interface RowCounts {
  /** All accounts, those whose erasure has begun included. */
  readonly accounts: number
  /** The folders of all accounts. */
  readonly folders: number
  /** Secrets without a link. */
  readonly drafts: number
  /** Shareable secrets. */
  readonly secrets: number
  /** Requests, closed ones included. */
  readonly requests: number
  /** Files, those of spent and erased secrets included until their contents are dropped. */
  readonly files: number
  /** What all files and contents under way count, in bytes: the sums of all accounts. */
  readonly fileBytes: number
}

/** Reports whether erased data is gone from every file. It disappears without a call, usually within a second or two. */
export interface Erasure {
  /** The milliseconds for which erased data may have been present in a file; `undefined` when none is. */
  pendingForMillis(): number | undefined

  /** Tries immediately to remove it. False when another process is in the way, or the storage is closed. */
  finish(): boolean
}

/** The result of one check of an installation. */
export interface Finding {
  /** The check's name, such as `key file`. */
  readonly check: string
  /** `undefined` for a warning, and when it could not be checked, because of another finding. */
  readonly ok: boolean | undefined
  /** What was found, and what to do about it if something is wrong. */
  readonly text: string
}

/** Why a storage cannot be opened. `location` names the database, without credentials; nothing in it was changed. */
export type StorageOpenError =
  /** There is no data, and none is to be created. */
  | { readonly code: 'database_missing'; readonly location: string }
  /** The place cannot be created, read or written. */
  | { readonly code: 'database_not_writable'; readonly location: string; readonly detail: string }
  /** The database was written by a later version: `version` is that of its schema, `known` the latest that this program knows. */
  | {
      readonly code: 'database_newer'
      readonly location: string
      readonly version: number
      readonly known: number
    }
  /** The database was written by an earlier version, and cannot be migrated now: a process has it open, or nothing is to be changed. */
  | {
      readonly code: 'database_older'
      readonly location: string
      readonly version: number
      readonly known: number
    }
  /**
   * The database has other tables than the version whose number it has. `commit` is the last one of the repository that made and read such
   * tables, before there were numbers; nothing is corrupted then. It is `undefined` when that is not known: the tables may have been
   * changed by hand.
   */
  | {
      readonly code: 'database_unreleased'
      readonly location: string
      readonly commit: string | undefined
    }
  /** There is a file that is not a database of this service. */
  | { readonly code: 'database_foreign'; readonly location: string }
  | { readonly code: 'database_damaged'; readonly location: string; readonly detail: string }
  /** There is a backup that was copied into place: opens that were spent since, and tokens that were revoked, would be back. */
  | { readonly code: 'database_is_backup'; readonly location: string }
  /** A move has begun to copy an installation to it, and has not finished. */
  | { readonly code: 'database_incomplete'; readonly location: string }
  /** A move has copied everything in it to another place, which is used since. `to` is that place's location. */
  | { readonly code: 'database_moved'; readonly location: string; readonly to: string }
  /** The database gives no answer or refuses the credentials, so nobody knows whether there is data. `detail` holds no credentials. */
  | { readonly code: 'database_unreachable'; readonly location: string; readonly detail: string }
  /** Another process has held a lock the whole time. */
  | { readonly code: 'database_busy'; readonly location: string }
  /** Durability or confidentiality cannot be guaranteed there, as with WAL on some network file systems. */
  | { readonly code: 'database_unfit'; readonly location: string; readonly detail: string }
