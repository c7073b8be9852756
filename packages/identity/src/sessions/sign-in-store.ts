import type { AttemptState, Uuid, AccountNotFound, StorageError, AttemptsChange } from '@sotto/core'
import type { Result, ResultAsync } from 'neverthrow'

/**
 * Stores what protects sign-in from guessing. The core decides what an attempt may do; the store makes each decision atomic. Every write
 * that is answered with Ok is durable. No method throws or rejects.
 */
export interface SignInStore {
  /**
   * Reads the attempts in each bucket (`noAttempts` where there is none), passes them to `decide`, and stores the buckets that it returns.
   * All is in one transaction that no other writer can interleave with. Ok with what `decide` returned, and only once it is durable; an Err
   * of `decide` is passed on and changes nothing. `decide` is pure and synchronous; it may be called again when the transaction has to be
   * tried again.
   * @param buckets the names of the buckets: 32 bytes each, all different; see `Digests.keyedDigests`
   */
  update<Change extends AttemptsChange, E>(
    buckets: readonly Uint8Array[],
    decide: (attempts: readonly AttemptState[]) => Result<Change, E>,
  ): ResultAsync<Change, E | StorageError>

  /** Erases at most `limit` buckets whose `eraseAtMicros` is `nowMicros` or before. Ok with how many it erased. */
  eraseOver(nowMicros: number, limit: number): ResultAsync<number, StorageError>

  /**
   * Remembers an address from which an owner signed in, or when it did so last. Of the addresses of one account the `keep` latest remain.
   * @param address 32 bytes that stand for the account and the address; see `Digests.keyedDigests`
   * @errors `account_not_found`
   */
  rememberAddress(
    known: { readonly accountId: Uuid; readonly address: Uint8Array; readonly atMicros: number },
    keep: number,
  ): ResultAsync<void, AccountNotFound | StorageError>

  /** Whether one of these addresses is remembered for the account since `sinceMicros` or later. */
  knowsAddress(
    accountId: Uuid,
    addresses: readonly Uint8Array[],
    sinceMicros: number,
  ): ResultAsync<boolean, StorageError>
}
