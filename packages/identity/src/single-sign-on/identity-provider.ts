import type { ResultAsync } from 'neverthrow'
import type { IdentityProviderUnreachable, SsoRefused } from './errors.ts'

/** What is sent to the provider with a browser. */
export interface SsoBeginning {
  /** Where the provider sends the browser back to: a URL of this service. */
  readonly redirectUri: string
  /** Whether the person has to sign in at the provider once more, even if it knows the browser (`max_age=0`). */
  readonly fresh: boolean
}

/** A sign-in at the provider that has begun. */
export interface BegunSso {
  /** Where the browser goes. */
  readonly url: string
  /**
   * What {@link IdentityProvider.finish} needs: state, nonce, PKCE verifier. Confidential: only the browser that began gets it, sealed, so that
   * nobody else can finish, nor make it finish what others began. At most 2,048 characters.
   */
  readonly pending: string
}

/** What may decide whether somebody is signed in, besides who it is. */
export interface IdentityDetails {
  /** The email address as the provider spells it. It says nothing about its owner unless it is verified. */
  readonly email?: string | undefined
  /** Whether `email_verified` is the boolean true. */
  readonly emailVerified: boolean
  /** The groups of the claim that the operator chose, as they are spelled; empty without one. */
  readonly groups: readonly string[]
}

/** Details that the provider has not said by itself. It is asked for them only where they decide: it may refuse to say them, or be slow. */
export interface MoreDetails {
  /** Whether the address may be among them. */
  readonly email: boolean
  /** Whether groups may be among them. */
  readonly groups: boolean
  /** All details, those that were known before unchanged. Ends within 15 seconds of the call of {@link IdentityProvider.finish}. */
  ask(): ResultAsync<IdentityDetails, IdentityProviderUnreachable | SsoRefused>
}

/** Somebody has signed in at the provider, and the provider has proven to this service who it is. Issuer and subject name a person for ever. */
export interface ProvenIdentity extends IdentityDetails {
  readonly issuer: string
  /** The provider's name for the person (`sub`): 1 to 255 characters. */
  readonly subject: string
  /** The provider's name for the session there (`sid`): at most 255 characters. */
  readonly sessionId?: string | undefined
  /** When the person signed in at the provider (`auth_time`), in microseconds since the epoch; `undefined` when it does not say. */
  readonly authenticatedAtMicros?: number | undefined
  /** `undefined` where there is nothing more to ask for. */
  readonly more?: MoreDetails | undefined
}

/** The provider says that a session ended (OpenID Connect Back-Channel Logout 1.0). It names a subject, a session, or both. */
export interface ProvenLogout {
  readonly issuer: string
  readonly subject?: string | undefined
  readonly sessionId?: string | undefined
  /** The token's own name (`jti`). A token counts once. */
  readonly id: string
  /** The time from which the token is refused in any case. */
  readonly expiresAtMicros: number
}

/**
 * The provider of OpenID Connect at which people sign in. No method throws or rejects. Errors and their reasons hold nothing that a browser or
 * the provider has sent.
 */
export interface IdentityProvider {
  /** The issuer as the operator has set it, and as every identity names it. */
  readonly issuer: string

  /**
   * Begins a sign-in; each has a state, a nonce and a PKCE verifier of its own. Ends within 10 seconds. A provider that could not be asked is
   * asked again by the next call.
   */
  begin(beginning: SsoBeginning): ResultAsync<BegunSso, IdentityProviderUnreachable>

  /**
   * Finishes a sign-in: exchanges the code, and verifies signature, issuer, audience, times and nonce. Ends within 15 seconds.
   * @param callback.callbackUrl where the browser came back to, in full, with its query: the `redirectUri` of {@link begin}
   * @param callback.pending what {@link begin} answered to this browser
   * @errors `sso_refused` whenever anything does not fit; nobody is proven then
   */
  finish(callback: {
    readonly callbackUrl: string
    readonly pending: string
  }): ResultAsync<ProvenIdentity, IdentityProviderUnreachable | SsoRefused>

  /**
   * Verifies a logout token: signature, issuer, audience, times, `events`, and that it has no nonce. Does not check whether it was
   * used before. Ends within 10 seconds. Anybody can send one: whatever comes, the provider is asked at most once in 10 seconds, and not at all
   * for a token that its claims refuse.
   */
  readLogout(token: string): ResultAsync<ProvenLogout, IdentityProviderUnreachable | SsoRefused>
}
