import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { DiskFull, FilesFull } from './errors.ts'
import type { StorageError } from '../shared/errors.ts'
import type { Ciphertext, Encrypted } from '../shared/ciphertext.ts'

/** A file of a secret or draft, as it is stored. Its content is in the `FileStore` under the same id, its key in the encrypted note. */
export interface StoredSecretFile {
  readonly id: Uuid
  readonly accountId: Uuid
  /** `nilUuid` once it was removed from its draft. */
  readonly secretId: Uuid
  /** The file's place among the secret's files, from 1. */
  readonly number: number
  /** Whether recipients see its name and size before they open the link. */
  readonly isShown: boolean
  /** Name, size and type, as `fileAboutText` spells them. */
  readonly about: Encrypted
}

/** A content under way: it arrives, and no row of a file names it yet. */
export interface ContentUnderWay {
  /** The id that its file will have. */
  readonly id: Uuid
  readonly accountId: Uuid
  /** The id that the secret or draft of the file has or will have. */
  readonly secretId: Uuid
  /** What it counts from now on. */
  readonly bytes: number
  /** How many of these bytes may not be written yet. */
  readonly aheadBytes: number
  /** The time until which it counts, unless it is reserved again: a process that was killed reserves nothing. */
  readonly untilMicros: number
  /** Whether it begins with this. */
  readonly isNew: boolean
}

/** How much space there is for contents. */
export interface ReserveLimits {
  /** What the files of the account may count together. */
  readonly bytesMax: number
  /** How many bytes of all contents under way may not be written yet, of all accounts; any number without it. */
  readonly aheadMax?: number | undefined
}

/** What is stored of a ticket of an opened link. */
interface Ticket {
  /** `Digests.opaqueTokenDigest` of the ticket: 32 bytes. */
  readonly digest: Uint8Array
  readonly expiresAtMicros: number
  /** The files with their keys, sealed with the ticket. */
  readonly sealed: Ciphertext
}

/** A ticket that is added. */
export interface NewTicket extends Ticket {
  /** How many other tickets of the secret stay: those that expire last. The rest is erased. */
  readonly othersMax: number
}

/** A ticket as it is stored. */
export interface StoredTicket extends Ticket {
  readonly accountId: Uuid
  readonly secretId: Uuid
}

/** The files that are read. */
export interface FilesFilter {
  /** Only those of this account; of all accounts without it. */
  readonly accountId?: Uuid | undefined
  /** Only those of this secret or draft; with `nilUuid` those that were removed from drafts. Read by an index. */
  readonly secretId?: Uuid | undefined
  /**
   * Only those that nobody can read any more at this time: they were removed from their draft, or their secret is gone or has no note, and no
   * ticket of it is left. All without it.
   */
  readonly overAtMicros?: number | undefined
}

/**
 * Stores the rows of files, the sums of what they count, and tickets. A content counts from before its first byte is written until it is
 * dropped: first under way, then as a file. It becomes one with its secret (`SecretStore.insert`, `DraftStore.replace`), in the same transaction,
 * and counts what it counted. The row of a file outlives its secret, and its place in a draft. A ticket is added with the open (`LinkStore.update`), and is
 * erased with its secret. Every write that is answered with Ok is durable. No method throws or rejects.
 */
export interface SecretFileStore {
  /** What the account's files and its contents under way count together, in bytes. 0 when it has none. */
  bytesOf(accountId: Uuid): ResultAsync<number, StorageError>

  /**
   * Reserves space for a content before its bytes are written; again before there are more of them, and to say that it still arrives. With
   * it all contents under way of the same secret count until `untilMicros`.
   * @errors nothing is changed. `files_full` when it would count more than before, and the sum of the account would be larger than allowed;
   * `disk_full` when it would, and too many bytes would not be written yet; `storage_unavailable` (`busy`) for one that is not new and has
   * ended; `storage_failed` for one that is new and whose id is taken
   */
  reserve(
    content: ContentUnderWay,
    limits: ReserveLimits,
  ): ResultAsync<void, FilesFull | DiskFull | StorageError>

  /**
   * Ends contents under way that were to count until `nowMicros` at most: none of them becomes a file any more. They count until
   * {@link erase}. Ok with the ids of those that have ended, by now or before: at most `limit`, ascending, after this one.
   */
  endUnderWay(
    nowMicros: number,
    after: Uuid | undefined,
    limit: number,
  ): ResultAsync<readonly Uuid[], StorageError>

  /** At most `limit` files that pass the filter, by id, ascending, after this one. */
  page(
    filter: FilesFilter,
    after: Uuid | undefined,
    limit: number,
  ): ResultAsync<readonly StoredSecretFile[], StorageError>

  /**
   * Erases a file, or a content under way, whose content was dropped, and takes what it counted off the account's sum. Ok(false), and nothing is
   * changed, when there is neither.
   */
  erase(id: Uuid): ResultAsync<boolean, StorageError>

  /**
   * The ticket with this digest; `undefined` when there is none that expires after `nowMicros`. A ticket of an account that is disabled is
   * found; one whose erasure has begun has none.
   */
  findTicket(digest: Uint8Array, nowMicros: number): ResultAsync<StoredTicket | undefined, StorageError>

  /** Erases at most `limit` tickets that expired at `expiredByMicros` or before. Ok with how many it erased. */
  eraseTickets(expiredByMicros: number, limit: number): ResultAsync<number, StorageError>
}
