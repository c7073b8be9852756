import type { OpenStorage, Storage, StorageDriver } from '@sotto/core'
import type { AccessTokenStore } from '../access-tokens/access-token-store.ts'
import type { EmailChangeStore } from '../email-changes/email-change-store.ts'
import type { InvitationStore } from '../invitations/invitation-store.ts'
import type { PasskeyStore } from '../passkeys/passkey-store.ts'
import type { PasswordStore } from '../passwords/password-store.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { SignInStore } from '../sessions/sign-in-store.ts'
import type { UsedTokenStore } from '../sessions/used-token-store.ts'
import type { IdentityStore } from '../single-sign-on/identity-store.ts'

/**
 * The stores of how owners prove who they are. They share one database with those of the core, so that an account is erased with all of it.
 */
export interface IdentityStorage {
  readonly accessTokens: AccessTokenStore
  readonly passwords: PasswordStore
  readonly identities: IdentityStore
  readonly passkeys: PasskeyStore
  readonly usedTokens: UsedTokenStore
  readonly sessions: SessionStore
  readonly invitations: InvitationStore
  readonly emailChanges: EmailChangeStore
  readonly signIns: SignInStore
}

/** The stores of the core and of identity. */
export interface FullStorage extends Storage, IdentityStorage {}

/** An open storage with the stores of the core and of identity. */
export interface FullOpenStorage extends OpenStorage, IdentityStorage {}

/** A driver of a storage with the stores of the core and of identity. */
export type FullStorageDriver = StorageDriver<FullOpenStorage>
