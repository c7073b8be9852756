import type { ResultAsync } from 'neverthrow'
import type { Scope } from '../entities/access-token.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, KeyRetired, StorageError } from '../errors.ts'
import type { Encrypted } from './ciphertext.ts'
import type { TimePosition } from './time-position.ts'

/** An access token as it is kept: the token itself is nowhere, only its hash. */
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

/** What authentication needs of a token, and nothing that would have to be decrypted. */
export interface TokenStanding {
  readonly id: Uuid
  readonly accountId: Uuid
  readonly scopes: readonly Scope[]
  readonly expiresAtMicros: number | undefined
  readonly revokedAtMicros: number | undefined
  readonly lastUsedAtMicros: number | undefined
  readonly accountDisabled: boolean
}

/**
 * Keeps access tokens. Every write that is answered with Ok is durable. No method throws or rejects; after its end the store answers
 * `storage_unavailable`. An id or hash that is taken is `storage_failed` and changes nothing.
 */
export interface AccessTokenStore {
  /**
   * Adds a token to an existing account, to be found by `hash` (32 bytes, see `Digests.accessTokenHash`).
   * @errors `account_not_found`; `key_retired` when the name's key is not one that rows may be written under
   */
  insert(
    token: StoredAccessToken,
    hash: Uint8Array,
  ): ResultAsync<void, AccountNotFound | KeyRetired | StorageError>

  /** The token with this hash, revoked, expired or of a disabled account included; `undefined` when there is none. */
  findByHash(hash: Uint8Array): ResultAsync<TokenStanding | undefined, StorageError>

  /** At most `limit` tokens of the account behind `after`, revoked ones included, by creation and id ascending. */
  slice(
    accountId: Uuid,
    after: TimePosition | undefined,
    limit: number,
  ): ResultAsync<readonly StoredAccessToken[], StorageError>

  /** Revokes a token; one that is revoked keeps its first moment. Ok(false) when the account has no such token. */
  revoke(accountId: Uuid, id: Uuid, atMicros: number): ResultAsync<boolean, StorageError>

  /**
   * Notes that a token was accepted. Returns at once and is kept soon, as far as possible: it may be lost, and a failure is
   * nobody's answer.
   */
  noteUse(id: Uuid, atMicros: number): void
}
