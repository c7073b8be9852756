import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { SecretEvent } from './secret-event.ts'
import type { AttemptState } from '../shared/attempts.ts'
import type { FolderNotFound } from './errors.ts'
import type { KeyRetired, StorageError } from '../shared/errors.ts'
import type { SecretStatus } from './secret-status.ts'
import type { Ciphertext } from '../shared/ciphertext.ts'
import type { Cursor } from '../shared/cursor.ts'
import type { StoredSecretFile } from '../files/secret-file-store.ts'

/** A secret as it is stored, without its note. Without `link` it is a draft. */
export interface StoredSecret {
  readonly id: Uuid
  readonly accountId: Uuid
  readonly folderId: Uuid
  readonly createdAtMicros: number
  /** A positive whole number; `undefined` means without limit. */
  readonly openLimit: number | undefined
  /** Whether the owner hears what happens to it. */
  readonly notify: boolean
  /** Whether opening takes a password. */
  readonly hasPassword: boolean
  readonly link: StoredLink | undefined
  /** The number of the ring's key that the ciphertext of the head and the note's wrapped key are under. */
  readonly kid: number
  readonly headCiphertext: Ciphertext
}

/** A link as it is stored. */
export interface StoredLink {
  /** 32 bytes under which the link is found; see `Digests.linkLookup`. */
  readonly lookup: Uint8Array
  readonly createdAtMicros: number
  readonly expiresAtMicros: number
}

/** A shareable secret as it is stored. */
export type StoredShareableSecret = StoredSecret & { readonly link: StoredLink }

/** The encrypted note and its wrapped key. Both are erased together when the note is destroyed. */
export interface StoredNote {
  readonly note: Ciphertext
  readonly wrappedKey: Ciphertext
}

/** What happened to a shareable secret's link so far. */
export interface SecretActivity {
  /** Opens claimed so far, the unlimited ones too. */
  readonly opens: number
  /** False once the note was destroyed. */
  readonly hasNote: boolean
  readonly attempts: AttemptState
  /** When it was opened, in the order of the claims: the `openTimesMax` latest. */
  readonly openedAtMicros: readonly number[]
  /** How often a secret with `notify` was opened since its owner last looked; see {@link SecretStore.markSeen}. */
  readonly news: number
}

/** The files of a secret, by their numbers; absent when it has none. */
export interface WithFiles {
  readonly files?: readonly StoredSecretFile[]
}

/** A shareable secret as it is stored, with what happened to its link. */
export interface StoredOverview {
  readonly secret: StoredShareableSecret
  readonly activity: SecretActivity
  /** How many files it has; absent when it has none. */
  readonly filesCount?: number
}

/** How many shareable secrets there are of each status, how many drafts, and how much news of the shareable secrets. */
export type StatusCounts = Readonly<Record<SecretStatus | 'drafts' | 'news', number>>

/** Why the row of a secret is not written. */
export type InsertSecretRowError = FolderNotFound | KeyRetired | StorageError

/**
 * Stores secrets, as their owner sees them. Every write that is answered with Ok is durable. No method throws or rejects; a closed
 * store answers `storage_unavailable`. An id or lookup that is taken is `storage_failed` and changes nothing.
 */
export interface SecretStore {
  /**
   * Adds a secret with its note and its files to a folder of its account; all of it or nothing. Each file is a content under way of the account
   * until then, see `SecretFileStore.reserve`.
   * @errors `folder_not_found` when the folder does not exist or belongs to another account; `key_retired` when rows may
   * not be written under its key; either one when both hold; `storage_unavailable` (`busy`) when a content under way has ended
   */
  insert(
    secret: StoredSecret,
    note: StoredNote,
    files?: readonly StoredSecretFile[],
  ): ResultAsync<void, InsertSecretRowError>

  /**
   * The account's shareable secret with this id; `undefined` when there is none that expires after `nowMicros`. To find none takes the
   * same time, whatever the cause: an unknown id, a draft's, another account's, an expired one.
   */
  find(
    accountId: Uuid,
    id: Uuid,
    nowMicros: number,
  ): ResultAsync<StoredShareableSecret | undefined, StorageError>

  /**
   * At most `limit` shareable secrets of the account, and of the one folder if it is named, that expire after `nowMicros`, and have this
   * `secretStatus` if one is named; after the cursor, newest link first: by `link.createdAtMicros` and id, both descending. The cursor's
   * time is that of the link's creation.
   */
  page(
    filter: ListFilter,
    after: Cursor | undefined,
    limit: number,
  ): ResultAsync<readonly StoredShareableSecret[], StorageError>

  /** Reads a page as {@link page} does, each secret with its activity and the number of its files. */
  overviews(
    filter: ListFilter,
    after: Cursor | undefined,
    limit: number,
  ): ResultAsync<readonly StoredOverview[], StorageError>

  /**
   * How many shareable secrets that expire after `nowMicros` there are of each `secretStatus`, the sum of their `news`, and how many drafts, in
   * account or folder.
   */
  counts(filter: SecretFilter & { readonly nowMicros: number }): ResultAsync<StatusCounts, StorageError>

  /** The activity and the files of the account's shareable secret with this id, expired or not; `undefined` when there is none. */
  activity(accountId: Uuid, id: Uuid): ResultAsync<(SecretActivity & WithFiles) | undefined, StorageError>

  /**
   * Notes that the owner has looked: from now on the account's secret or draft with this id has no news. Changes nothing when it has other
   * news than `news` by now, so that none is lost which the owner has not seen.
   */
  markSeen(accountId: Uuid, id: Uuid, news: number): ResultAsync<void, StorageError>

  /**
   * Erases a shareable secret, expired or not, with its note and link. Ok(false) when the account has no such secret. Once it is answered,
   * no `LinkStore.update` of the link succeeds, here or in another process; of those at the same time, each comes before it or fails.
   */
  erase(accountId: Uuid, id: Uuid): ResultAsync<boolean, StorageError>

  /**
   * Erases at most `limit` shareable secrets, of any account, that expired at `expiredByMicros` or before, with their notes. Those of them
   * with `notify` that were never opened are passed to `report`, and the events that it returns are put into the outbox in the same
   * transaction. `report` is synchronous; it may be called again when the transaction has to be tried again. A secret that has a ticket is
   * passed over.
   * Ok with how many it erased; fewer than `limit` means that none remains.
   */
  eraseExpired(
    expiredByMicros: number,
    limit: number,
    report: (unopened: StoredShareableSecret) => SecretEvent,
  ): ResultAsync<number, StorageError>
}

/** The shareable secrets that a list shows. */
export interface ListFilter extends SecretFilter {
  readonly nowMicros: number
  readonly status?: SecretStatus | undefined
}

/** The secrets or drafts that a list shows. */
export interface SecretFilter {
  readonly accountId: Uuid
  /** Only those in this folder; every folder's without it. */
  readonly folderId?: Uuid | undefined
}
