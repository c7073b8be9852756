import type { Language, Uuid, KeyRetired, StorageError, Encrypted, Cursor } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import type { Session, SessionsOver } from './session.ts'

/** A session as it is stored. */
export interface StoredSession extends Session {
  readonly accountId: Uuid
  /** What its owner calls it; `undefined` until it is named. */
  readonly name: Encrypted | undefined
}

/** What a page needs to know about the session that asks for it. */
export interface SessionStatus extends StoredSession {
  /** Whether the account is disabled: then the session is refused. */
  readonly accountDisabled: boolean
  /** The language that the account chose; `undefined` when it chose none. */
  readonly language: Language | undefined
  /** Whether the owner wanted to hear of the opens of the secret that was created last on the pages. */
  readonly notifies: boolean
}

/**
 * Stores sessions, each found by the digest of its token (32 bytes, `Digests.opaqueTokenDigest`). Every write that is answered with Ok is
 * durable. No method throws or rejects; a closed store answers `storage_unavailable`.
 */
export interface SessionStore {
  /**
   * Adds a session, in one transaction with the check that its account is not disabled and has the password, identity or passkey
   * `authenticatorId`. Ok(false), and nothing is changed, otherwise. A new session has no name. An id or digest that is taken is
   * `storage_failed`.
   * @param providerSession digest of the session at the identity provider, 32 bytes; see `IdentityStore.endSessions`
   */
  insert(
    session: StoredSession,
    digest: Uint8Array,
    authenticatorId: Uuid,
    providerSession?: Uint8Array,
  ): ResultAsync<boolean, StorageError>

  /** The session with this digest, even if it is over or its account is disabled; `undefined` when there is none. */
  findByDigest(digest: Uint8Array): ResultAsync<SessionStatus | undefined, StorageError>

  /** At most `limit` sessions of the account after the cursor, by creation and id ascending, those that are over included. */
  page(
    accountId: Uuid,
    after: Cursor | undefined,
    limit: number,
  ): ResultAsync<readonly StoredSession[], StorageError>

  /**
   * Records that a session was used. Returns immediately and writes soon, in the background: the record may be lost, and an error is not
   * reported.
   */
  recordUse(id: Uuid, atMicros: number): void

  /** Records when the owner last proved who they are. Ok(false) when there is no such session. */
  recordReauthentication(id: Uuid, atMicros: number): ResultAsync<boolean, StorageError>

  /**
   * Gives a session a name. Ok(false) when the account has no such session.
   * @errors `key_retired` when rows may not be written under the name's key
   */
  rename(accountId: Uuid, id: Uuid, name: Encrypted): ResultAsync<boolean, KeyRetired | StorageError>

  /** Erases a session. Ok(false) when the account has no such session. */
  erase(accountId: Uuid, id: Uuid): ResultAsync<boolean, StorageError>

  /** Erases at most `limit` sessions that were created or last used at these times or before. Ok with how many it erased. */
  eraseOver(over: SessionsOver, limit: number): ResultAsync<number, StorageError>
}
