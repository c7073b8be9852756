import type { Uuid } from '@sotto/core'
import { err, type Err } from 'neverthrow'

/** The identity provider could not be asked, or answered nothing that can be used: try again later. */
export interface IdentityProviderUnreachable {
  readonly code: 'identity_provider_unreachable'
  /** A few words for the operator, such as `timeout`, `connection refused` or `status 503`. Never what the provider has sent. */
  readonly reason: string
  /** Whether the provider answers, but refuses this service: that lasts until its operator or this service's changes something. */
  readonly isRefusal: boolean
}

/**
 * What did not fit when somebody came back from the identity provider, or when it ended a session.
 * - `provider_refused`: the provider answered with an error instead of a code, such as when the person gave up.
 * - `state`, `nonce`, `issuer`, `code`, `signature`, `audience`, `expired`: that is missing, wrong, or was used before.
 * - `subject`: the ID token and userinfo name different ones.
 * - `malformed`, `too_large`: what came cannot be read.
 * - `not_fresh`: the person was to sign in at the provider once more, and the provider does not say that this happened.
 * - `used`: the logout token was used before.
 * - `not_set_up`: there is no provider.
 */
export type SsoRefusedReason =
  | 'provider_refused'
  | 'state'
  | 'nonce'
  | 'issuer'
  | 'code'
  | 'signature'
  | 'audience'
  | 'expired'
  | 'subject'
  | 'malformed'
  | 'too_large'
  | 'not_fresh'
  | 'used'
  | 'not_set_up'

/** What came from the identity provider proves nothing: nobody is signed in. */
export interface SsoRefused {
  readonly code: 'sso_refused'
  readonly reason: SsoRefusedReason
}

/** What came from the identity provider is refused for this reason. */
export function ssoRefused(reason: SsoRefusedReason): Err<never, SsoRefused> {
  return err({ code: 'sso_refused', reason })
}

/**
 * Why somebody whom the identity provider knows is not signed in.
 * - `unknown`: no account has this identity, and the operator allows no accounts to be made.
 * - `unverified`: the provider does not vouch for an email address, so no account is made.
 * - `not_allowed`: what the operator allows does not include this person, or not any more.
 * - `address_taken`: an account has this email address. Accounts are never linked by it.
 * - `account_disabled`: the account is disabled.
 */
export type IdentityRefusal = 'unknown' | 'unverified' | 'not_allowed' | 'address_taken' | 'account_disabled'

/** Somebody has proven who they are, and is not signed in all the same. */
export interface IdentityRefused {
  readonly code: 'identity_refused'
  readonly reason: IdentityRefusal
  /** The account that has the identity; absent when none has. */
  readonly accountId?: Uuid | undefined
}

/** An account has this identity already. */
export interface IdentityTaken {
  readonly code: 'identity_taken'
}

/** The account has `identitiesMax` identities. */
export interface IdentityLimitReached {
  readonly code: 'identity_limit_reached'
}

/** Unknown or another account's identity. */
export interface IdentityNotFound {
  readonly code: 'identity_not_found'
}
