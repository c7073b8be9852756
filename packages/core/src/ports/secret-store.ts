import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { DraftNotFound, FolderNotFound, KeyRetired, StorageError } from '../errors.ts'
import type { Ciphertext, SecretKeys } from './ciphertext.ts'
import type { TimePosition } from './time-position.ts'

/** A secret as it is kept, without its note. Without `link` it is a draft. */
export interface StoredSecret {
  readonly id: Uuid
  readonly accountId: Uuid
  readonly folderId: Uuid
  readonly createdAtMicros: number
  /** 0 means without limit. */
  readonly openLimit: number
  readonly notify: boolean
  readonly hasPassword: boolean
  readonly link: StoredLink | undefined
  /** The key in the ring that `head` and the note's wrap hang on. */
  readonly kid: number
  readonly head: Ciphertext
}

/** A link as it is kept. */
export interface StoredLink {
  /** 32 bytes by which the link is found; see `Digests.linkLookup`. */
  readonly lookup: Uint8Array
  readonly createdAtMicros: number
  readonly expiresAtMicros: number
}

/** A shareable secret as it is kept. */
export type StoredShareableSecret = StoredSecret & { readonly link: StoredLink }

/** The encrypted note and its wrapped key. Both vanish together when the note is destroyed. */
export interface StoredNote {
  readonly note: Ciphertext
  readonly wrap: Ciphertext
}

/**
 * Keeps secrets, as their owner sees them. Every write that is answered with Ok is durable. No method throws or rejects; after its
 * end the store answers `storage_unavailable`. An id or lookup that is taken is `storage_failed` and changes nothing.
 */
export interface SecretStore {
  /**
   * Adds a secret with its note to a folder of its account; all of it or nothing.
   * @errors `folder_not_found` when the folder does not exist or belongs to another account; `key_retired` when its key is not
   * one that rows may be written under
   */
  insert(
    secret: StoredSecret,
    note: StoredNote,
  ): ResultAsync<void, FolderNotFound | KeyRetired | StorageError>

  /** The account's secret with this id, draft or shared, expired or not; `undefined` when there is none. */
  find(accountId: Uuid, id: Uuid): ResultAsync<StoredSecret | undefined, StorageError>

  /**
   * At most `limit` shareable secrets of the account that expire after `nowMicros`, behind `after`, newest link first: by
   * `link.createdAtMicros` and id, both descending. `after.createdAtMicros` is the link's creation.
   */
  slice(
    accountId: Uuid,
    nowMicros: number,
    after: TimePosition | undefined,
    limit: number,
  ): ResultAsync<readonly StoredShareableSecret[], StorageError>

  /**
   * Erases at most `limit` shareable secrets, of any account, that expired at `expiredByMicros` or before, with their notes.
   * Ok with how many it erased; fewer than `limit` means that none is left.
   */
  eraseExpired(expiredByMicros: number, limit: number): ResultAsync<number, StorageError>
}

/** Keeps drafts: secrets without a link. Every write that is answered with Ok is durable. No method throws or rejects. */
export interface DraftStore {
  /** The account's draft with this id and its note; `undefined` when there is none or it is shared already. */
  find(
    accountId: Uuid,
    id: Uuid,
  ): ResultAsync<{ secret: StoredSecret; note: StoredNote } | undefined, StorageError>

  /** At most `limit` drafts of the account behind `after`, by creation and id ascending. */
  slice(
    accountId: Uuid,
    after: TimePosition | undefined,
    limit: number,
  ): ResultAsync<readonly StoredSecret[], StorageError>

  /**
   * Makes a draft shareable: sets its link, head, wrap and kid in one step, if it still is a draft whose head is
   * byte for byte `expectedHead`. So of two shares one succeeds, and none undoes a rotation that came between.
   * Ok(false) when the head is another by now: read again. Head and wrap are as long as those whose place they take, so that a store
   * may overwrite these in place.
   * @errors `draft_not_found` when it is gone or shared; `key_retired`
   */
  share(
    draft: { readonly accountId: Uuid; readonly id: Uuid; readonly expectedHead: Ciphertext },
    link: StoredLink,
    keys: SecretKeys & { readonly wrap: Ciphertext },
  ): ResultAsync<boolean, DraftNotFound | KeyRetired | StorageError>

  /** Erases a draft with its note. Ok(false) when the account has no such draft. */
  erase(accountId: Uuid, id: Uuid): ResultAsync<boolean, StorageError>
}
