import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import type { ClaimedKeys } from '../shared/idempotency-key.ts'
import type { StoredSecretFile } from '../files/secret-file-store.ts'
import type { InsertSecretRowError, StoredNote, StoredSecret } from './secret-store.ts'

/**
 * How many bytes of {@link RequestDigests.key} a store keeps, the first ones: 128 bits do not meet by chance, and shorter rows cost less. All
 * stores keep as many, so that rows can be moved between them.
 */
export const storedKeyBytes = 16

/** A request with an idempotency key, as it is stored: two keyed digests under the same key of the ring, 32 bytes each. */
export interface RequestDigests {
  /** The digest of the account and its idempotency key. */
  readonly key: Uint8Array
  /** The digest of everything that was asked for. */
  readonly request: Uint8Array
}

/**
 * Stores for which requests secrets were created, so that a request that is sent again creates none. What was answered is not stored a
 * second time: the secret holds all of it. A row stays when its secret is erased: the secret is not created again.
 * Every write that is answered with Ok is durable. No method throws or rejects.
 */
export interface IdempotencyStore extends ClaimedKeys {
  /**
   * Adds a secret with its note and its files, as `SecretStore.insert` does, and claims the key of its account under each of the digests, as of
   * `secret.createdAtMicros`. All of it happens in one transaction, or nothing. Of several requests with one key at the same time, in
   * several processes too, one succeeds. Ok(false), and nothing is changed, when the account's key is claimed under any of the digests. A
   * claim that was made at `forgottenByMicros` or before does not count, and is replaced.
   * @errors as those of `SecretStore.insert`, and then nothing is claimed
   */
  insertSecret(
    secret: StoredSecret,
    note: StoredNote,
    claim: { readonly digests: readonly RequestDigests[]; readonly forgottenByMicros: number },
    files?: readonly StoredSecretFile[],
  ): ResultAsync<boolean, InsertSecretRowError>

  /** Erases at most `limit` claims that were made at `forgottenByMicros` or before. Ok with how many it erased. */
  eraseOld(forgottenByMicros: number, limit: number): ResultAsync<number, StorageError>
}
