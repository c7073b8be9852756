/**
 * How owners prove who they are: access tokens, sessions, passwords, passkeys, single sign-on, invitations and changes of email addresses.
 * Pure, as `@sotto/core` is, on whose accounts it stands.
 *
 * Begin with `createIdentity`, which binds every use-case to your ports.
 */

export type { StoredAccessToken, TokenStatus, AccessTokenStore } from './access-tokens/access-token-store.ts'
export { type AccessToken, isTokenUsable, makeAccessToken } from './access-tokens/access-token.ts'
export type { NewAccessToken } from './access-tokens/access-tokens.ts'
export type { Authenticators } from './authenticators/authenticators.ts'
export type { LastAuthenticator } from './authenticators/errors.ts'
export type { Identity, IdentityOrigin, StoredIdentity } from './authenticators/identity.ts'
export type { StoredEmailChange, EmailChangeStore } from './email-changes/email-change-store.ts'
export { createIdentity } from './identity.ts'
export type { StoredInvitation, InvitationSpending, InvitationStore } from './invitations/invitation-store.ts'
export { invitationLifetimeMicros } from './invitations/invitation.ts'
export type { NewInvitation } from './invitations/new-invitation.ts'
export type { PasskeyBeginning } from './passkeys/add-passkey.ts'
export type { PasskeyRefused, PasskeyTaken, PasskeyLimitReached, PasskeyNotFound } from './passkeys/errors.ts'
export type { RelyingParty } from './passkeys/passkey-rules.ts'
export type { StoredPasskey, PasskeyStatus, PasskeyStore } from './passkeys/passkey-store.ts'
export type {
  SentPasskey,
  SentAssertion,
  ReadPasskey,
  AttestedPasskey,
  PasskeyVerifier,
} from './passkeys/passkey-verifier.ts'
export { passkeysMax, type Passkey } from './passkeys/passkey.ts'
export type { SignInHeld } from './passwords/errors.ts'
export { accountPasswordMinCodePoints } from './passwords/password-rules.ts'
export type { StoredPassword, PasswordStore } from './passwords/password-store.ts'
export type { StoredSession, SessionStatus, SessionStore } from './sessions/session-store.ts'
export {
  sessionIdleMicros,
  sessionLifetimeMicros,
  type NamedSession,
  type Session,
  type SessionsOver,
  sessionsOverAt,
  isSessionAlive,
  isReauthenticationFresh,
} from './sessions/session.ts'
export type { IdentityPolicy } from './sessions/sign-in-policy.ts'
export type { SignInStore } from './sessions/sign-in-store.ts'
export type { UsedToken, UsedTokenStore } from './sessions/used-token-store.ts'
export type {
  IdentityProviderUnreachable,
  SsoRefused,
  SsoRefusedReason,
  IdentityTaken,
  IdentityLimitReached,
  IdentityNotFound,
} from './single-sign-on/errors.ts'
export type { IdentityProvider, ProvenIdentity, ProvenLogout } from './single-sign-on/identity-provider.ts'
export type {
  IdentityIndexes,
  InvitationTaking,
  IdentityStatus,
  RefusedAccount,
  IdentityStore,
} from './single-sign-on/identity-store.ts'
export { parseAllowed } from './single-sign-on/single-sign-on.ts'
export type { ExportItem } from './storage/export-account.ts'
export {
  createFullSotto,
  type FullSotto,
  type FullSottoError,
  type FullSottoErrorCode,
  type FullSottoOptions,
  type IdentityUseCases,
} from './identity.ts'
export { fullErrorKinds } from './error-kinds.ts'
export type { FullPorts, IdentityPorts } from './storage/ports.ts'
export type { FullOpenStorage, FullStorage, FullStorageDriver, IdentityStorage } from './storage/storage.ts'
