/** What of an account's ways in counts here. */
export interface CountedWaysIn {
  readonly hasPassword: boolean
  /** The issuers of its identities. */
  readonly issuers: readonly string[]
  readonly passkeys: number
}

/**
 * Whether an owner can still sign in. An identity counts at the provider that people sign in at now, a password unless nobody signs in with
 * one.
 */
export function hasWayIn(
  { hasPassword, issuers, passkeys }: CountedWaysIn,
  { passwords, issuer }: { readonly passwords: boolean; readonly issuer: string | undefined },
): boolean {
  return (hasPassword && passwords) || passkeys > 0 || (issuer !== undefined && issuers.includes(issuer))
}
