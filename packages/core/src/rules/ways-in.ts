/** What an owner signs in with. */
export interface CountedWaysIn {
  readonly hasPassword: boolean
  /** The issuers of its identities. */
  readonly issuers: readonly string[]
  readonly passkeys: number
}

/**
 * Whether an owner can sign in with any of these now. An identity counts only at the provider that is set up, and a password only where
 * passwords sign in.
 */
export function hasWayIn(
  { hasPassword, issuers, passkeys }: CountedWaysIn,
  { passwords, issuer }: { readonly passwords: boolean; readonly issuer: string | undefined },
): boolean {
  return (hasPassword && passwords) || passkeys > 0 || (issuer !== undefined && issuers.includes(issuer))
}
