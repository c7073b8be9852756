import type {
  Uuid,
  AccountExists,
  AccountNotFound,
  KeyRetired,
  StorageError,
  StoredAccount,
} from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import type { StoredIdentity } from '../authenticators/identity.ts'
import type { IdentityLimitReached, IdentityNotFound, IdentityTaken } from './errors.ts'
import type { LastAuthenticator } from '../authenticators/errors.ts'
import type { RemoveAuthenticator } from '../authenticators/authenticators.ts'
import type { InvitationSpending } from '../invitations/invitation-store.ts'
import type { SessionsOver } from '../sessions/session.ts'
import type { UsedToken } from '../sessions/used-token-store.ts'

/** An identity, and what a sign-in needs to know about its account. */
export interface IdentityStatus extends StoredIdentity {
  /** Whether its account is disabled. */
  readonly accountDisabled: boolean
  /** Whether its account is held; see `Account.isHeld`. */
  readonly accountHeld: boolean
}

/** The keyed digests of an identity, under each of which it may be stored; see `Digests.keyedDigests`. */
export type IdentityIndexes = readonly [Uint8Array, ...Uint8Array[]]

/** The sessions that end, by what a logout token names, and the token, which counts once. */
export interface ProviderLogout {
  /** The identity; without it the session at the provider is named. */
  readonly identity: IdentityIndexes | undefined
  /** Digest of the session at the provider; without it all sessions that were begun with the identity end. */
  readonly providerSession: Uint8Array | undefined
  readonly token: UsedToken
}

/** What is stored when a one-time link is spent with an identity. */
export interface InvitationTaking extends Omit<InvitationSpending, 'password'> {
  readonly identity: StoredIdentity
  readonly indexes: IdentityIndexes
  /** Digest of the session at the identity provider. */
  readonly providerSession: Uint8Array | undefined
}

/** An account whose owner was refused, and what it can still be used with. */
export interface RefusedAccount {
  readonly accountId: Uuid
  /** Whether the account has a password. */
  readonly hasPassword: boolean
  /** How many passkeys there are. */
  readonly passkeys: number
  /** How many sessions are not over. */
  readonly sessions: number
  /** How many access tokens work. */
  readonly accessTokens: number
}

/**
 * Stores with which identities owners sign in. No identity is of two accounts. An account whose erasure has begun has none. Every write
 * that is answered with Ok is durable. No method throws or rejects.
 */
export interface IdentityStore {
  /**
   * Adds an identity, to be found by the first of `indexes`, unless one is stored under any of them or its account has `max`: atomically. An
   * id that is taken is `storage_failed`.
   * @errors `account_not_found` when there is no such account or it is disabled; `identity_taken`; `identity_limit_reached`; `key_retired`
   * when rows may not be written under the name's key
   */
  insert(
    identity: StoredIdentity,
    indexes: IdentityIndexes,
    max: number,
  ): ResultAsync<void, AccountNotFound | IdentityTaken | IdentityLimitReached | KeyRetired | StorageError>

  /**
   * Adds an account, as `AccountStore.insert` does, with its first identity, in one transaction.
   * @errors `account_exists`; `identity_taken`; `key_retired`; nothing is added then
   */
  insertAccount(
    account: Omit<StoredAccount, 'displayName'>,
    nameIndexes: IdentityIndexes,
    identity: StoredIdentity,
    indexes: IdentityIndexes,
  ): ResultAsync<void, AccountExists | IdentityTaken | KeyRetired | StorageError>

  /** The identity stored under any of `indexes`; `undefined` when there is none. */
  find(indexes: IdentityIndexes): ResultAsync<IdentityStatus | undefined, StorageError>

  /** All identities of an account, by creation and id ascending. */
  list(accountId: Uuid): ResultAsync<readonly StoredIdentity[], StorageError>

  /** Records that somebody signed in with it; it is not refused any more then. Ok(false) when there is no such identity. */
  recordUse(id: Uuid, atMicros: number): ResultAsync<boolean, StorageError>

  /**
   * Records that it was refused, and erases all sessions of its account, in one transaction. Access tokens stay. Ok(false) when there is no
   * such identity.
   */
  refuse(id: Uuid, atMicros: number): ResultAsync<boolean, StorageError>

  /**
   * Erases an identity and the sessions that were begun with it, in one transaction with the decision whether the rest is enough. So of two
   * calls that remove the last two authenticators at the same time one is refused.
   * @errors `identity_not_found` when the account has no such identity; `last_way_in` when `mayErase` said so
   */
  erase(
    accountId: Uuid,
    id: Uuid,
    how: RemoveAuthenticator,
  ): ResultAsync<void, IdentityNotFound | LastAuthenticator | StorageError>

  /**
   * Spends a one-time link as `InvitationStore.spend` does, with an identity in place of a password: the account has none afterwards. An
   * identity that the account has already is replaced. A session is begun with it. Ok(false), and nothing is changed, when
   * `InvitationStore.find` would find none. An error changes nothing.
   * @errors `identity_taken` when another account has it; `identity_limit_reached` when the account would have more than `max`;
   * `key_retired` when rows may not be written under the name's key
   */
  takeInvitation(
    digest: Uint8Array,
    taking: InvitationTaking,
    max: number,
  ): ResultAsync<boolean, IdentityTaken | IdentityLimitReached | KeyRetired | StorageError>

  /**
   * Erases sessions that were begun with an identity, and remembers the logout token, in one transaction. Sessions that were begun
   * otherwise stay. Ok with how many it erased; `undefined`, and nothing is changed, when the token was used before.
   */
  endSessions(logout: ProviderLogout): ResultAsync<number | undefined, StorageError>

  /**
   * At most `limit` held accounts, by creation and id ascending, whose owner was refused, and that have a password, a passkey, or a session
   * or access token that works at `nowMicros`, given which sessions are over then. An owner was refused when no identity of the account was
   * used after the last refusal of one of them, or none was ever used. With `evenAllowed` every held account counts. For an examination.
   */
  refusedWithAccess(options: {
    readonly nowMicros: number
    readonly sessionsOver: SessionsOver
    readonly evenAllowed: boolean
    readonly limit: number
  }): ResultAsync<readonly RefusedAccount[], StorageError>
}
