/**
 * The people whom an operator allows to have an account made at the first sign-in: the members of a group, or everybody with an address of
 * a domain.
 */
export type AllowedIdentities =
  { readonly kind: 'group'; readonly name: string } | { readonly kind: 'domain'; readonly domain: string }

/** How people sign in. */
export interface SignInPolicy {
  /** Whether they sign in with passwords. One-time links of the operator work in any case. */
  readonly passwords: boolean
  /** The people for whom an account is made at their first sign-in with an identity. */
  readonly allowed: readonly AllowedIdentities[]
}

/** The bounds of identity that an installation sets. */
export interface IdentityPolicy {
  /** How people sign in: by default with passwords, and no account is made for anybody. */
  readonly signIn?: SignInPolicy | undefined
}

/** How people sign in where a policy does not say it. */
export function signInPolicyOf({ signIn }: IdentityPolicy): SignInPolicy {
  return signIn ?? { passwords: true, allowed: [] }
}
