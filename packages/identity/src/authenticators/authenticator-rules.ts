/** The authenticators of an owner. */
export interface CountedAuthenticators {
  /** Whether the account is held, as in `Account`. */
  readonly isHeld: boolean
  readonly hasPassword: boolean
  /** The issuers of its identities. */
  readonly issuers: readonly string[]
  /** The hosts that its passkeys are bound to. */
  readonly rpIds: readonly string[]
}

/** The authenticators that work here. */
export interface UsableAuthenticators {
  /** Whether passwords sign in. */
  readonly passwords: boolean
  /** The identity provider that is set up. */
  readonly issuer: string | undefined
  /** The host whose passkeys sign in. */
  readonly rpId: string | undefined
}

/**
 * Whether an owner can sign in with any of these authenticators now. An identity counts only at the provider that is set up, a password
 * only where passwords sign in, and a passkey only on its host. The owner of a held account signs in with an identity only.
 */
export function hasUsableAuthenticator(
  { isHeld, hasPassword, issuers, rpIds }: CountedAuthenticators,
  { passwords, issuer, rpId }: UsableAuthenticators,
): boolean {
  if (issuer !== undefined && issuers.includes(issuer)) return true
  if (isHeld) return false
  return (hasPassword && passwords) || (rpId !== undefined && rpIds.includes(rpId))
}
