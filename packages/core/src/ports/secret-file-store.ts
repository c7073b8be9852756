import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { Ciphertext, Encrypted } from './ciphertext.ts'

/** A file of a secret or draft, as it is stored. Its content is in the `FileStore` under the same id, its key in the encrypted note. */
export interface StoredSecretFile {
  readonly id: Uuid
  readonly accountId: Uuid
  readonly secretId: Uuid
  /** Its place among the secret's files, from 1. */
  readonly number: number
  /** Whether recipients see its name and size before they open the link. */
  readonly isShown: boolean
  /** Name, size and type, as `fileAboutText` spells them. */
  readonly about: Encrypted
}

/** The files of a secret or draft, as they are written in the transaction that writes its row. */
export interface FileChange {
  /** All files that the secret or draft has from now on. The rows of others are erased; their contents stay in the `FileStore`. */
  readonly files: readonly StoredSecretFile[]
  /** By how many plain bytes the sum of the account grows; negative when it shrinks. */
  readonly bytes: number
  /** The largest sum that the account may have. A sum that does not grow is never too large. */
  readonly bytesMax: number
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

/** Which files are read. */
export interface FilesFilter {
  /** Only those of this account; of all accounts without it. */
  readonly accountId?: Uuid | undefined
  /**
   * Only those that nobody can read any more at this time: their secret is gone or has no note, and no ticket of it is left. All
   * without it.
   */
  readonly overAtMicros?: number | undefined
}

/**
 * Stores the rows of files, the sums of the accounts' files, and tickets. Rows are added with their secret (`SecretStore.insert`,
 * `DraftStore.replace`), and outlive it: each names a content until that is dropped. A ticket is added with the open (`LinkStore.update`), and is
 * erased with its secret. Every write that is answered with Ok is durable. No method throws or rejects.
 */
export interface SecretFileStore {
  /** How many plain bytes the account's files have together. 0 when it has none. */
  bytesOf(accountId: Uuid): ResultAsync<number, StorageError>

  /** At most `limit` files that pass the filter, by id, ascending, after this one. */
  page(
    filter: FilesFilter,
    after: Uuid | undefined,
    limit: number,
  ): ResultAsync<readonly StoredSecretFile[], StorageError>

  /**
   * Erases the row of a file whose content was dropped, and takes `bytes` off the account's sum, which is never below 0, and 0 once the
   * account has no file. Without `bytes` the sum stays. Ok(false), and nothing is changed, when there is no such row.
   */
  erase(id: Uuid, bytes: number | undefined): ResultAsync<boolean, StorageError>

  /**
   * The ticket with this digest; `undefined` when there is none that expires after `nowMicros`. A ticket of an account that is disabled is
   * found; one whose erasure has begun has none.
   */
  findTicket(digest: Uint8Array, nowMicros: number): ResultAsync<StoredTicket | undefined, StorageError>

  /** Erases at most `limit` tickets that expired at `expiredByMicros` or before. Ok with how many it erased. */
  eraseTickets(expiredByMicros: number, limit: number): ResultAsync<number, StorageError>
}
