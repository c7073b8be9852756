import type { Scope, Uuid, AccountNotFound, KeyRetired, StorageError, Encrypted, Cursor } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'

/** An access token as it is stored: never the token itself, only its digest. */
export interface StoredAccessToken {
  readonly id: Uuid
  readonly accountId: Uuid
  readonly name: Encrypted
  readonly scopes: readonly Scope[]
  readonly createdAtMicros: number
  readonly expiresAtMicros: number | undefined
  readonly revokedAtMicros: number | undefined
  readonly lastUsedAtMicros: number | undefined
}

/** What authentication needs to know about a usable token, nothing of which is encrypted. */
export interface TokenStatus {
  readonly id: Uuid
  readonly accountId: Uuid
  readonly scopes: readonly Scope[]
  readonly lastUsedAtMicros: number | undefined
}

/**
 * Stores access tokens. Every write that is answered with Ok is durable. No method throws or rejects; a closed store answers
 * `storage_unavailable`. An id or digest that is taken is `storage_failed` and changes nothing.
 */
export interface AccessTokenStore {
  /**
   * Adds a token to an existing account, to be found by `digest` (32 bytes, see `Digests.accessTokenDigest`).
   * @errors `account_not_found`; `key_retired` when rows may not be written under the name's key
   */
  insert(
    token: StoredAccessToken,
    digest: Uint8Array,
  ): ResultAsync<void, AccountNotFound | KeyRetired | StorageError>

  /**
   * The token with this digest; `undefined` when there is none that is usable at `nowMicros` (see `isTokenUsable`) and whose account is
   * not disabled. To find none takes the same time, whatever the cause.
   */
  findUsable(digest: Uint8Array, nowMicros: number): ResultAsync<TokenStatus | undefined, StorageError>

  /** At most `limit` tokens of the account after the cursor, revoked ones included, by creation and id ascending. */
  page(
    accountId: Uuid,
    after: Cursor | undefined,
    limit: number,
  ): ResultAsync<readonly StoredAccessToken[], StorageError>

  /** Revokes a token; a token that is revoked already keeps its first time. Ok(false) when the account has no such token. */
  revoke(accountId: Uuid, id: Uuid, atMicros: number): ResultAsync<boolean, StorageError>

  /**
   * Records that a token was accepted. Returns immediately and writes soon, in the background: the record may be lost, and an error is not
   * reported. Several records of one token within `lastUseEveryMicros` may become one write.
   */
  recordUse(id: Uuid, atMicros: number): void
}
