import type { Policy } from '../policy.ts'
import type { AllowedIdentities } from './single-sign-on.ts'

/** How people sign in. */
export interface SignInPolicy {
  /** Whether they sign in with passwords. One-time links of the operator work in any case. */
  readonly passwords: boolean
  /** The people for whom an account is made at their first sign-in with an identity. */
  readonly allowed: readonly AllowedIdentities[]
}

/** How people sign in where a policy does not say it. */
export function signInPolicyOf({ signIn }: Pick<Policy, 'signIn'>): SignInPolicy {
  return signIn ?? { passwords: true, allowed: [] }
}
