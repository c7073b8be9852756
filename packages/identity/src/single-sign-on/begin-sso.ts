import { errAsync, type ResultAsync } from 'neverthrow'
import type { IdentityProviderUnreachable, SsoRefused } from './errors.ts'
import type { BegunSso, IdentityProvider } from './identity-provider.ts'

export interface BeginSsoDeps {
  readonly identityProvider?: Pick<IdentityProvider, 'begin'> | undefined
}
export interface BeginSsoInput {
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
  /** Whether the person has to sign in at the provider once more: for a re-authentication. */
  readonly fresh: boolean
}
export type BeginSsoError = IdentityProviderUnreachable | SsoRefused

/**
 * Begins a sign-in at the identity provider.
 * @errors `identity_provider_unreachable`; `sso_refused` with the reason `not_set_up` where there is no provider
 */
export function beginSso(
  { identityProvider }: BeginSsoDeps,
  { redirectUri, fresh }: BeginSsoInput,
): ResultAsync<BegunSso, BeginSsoError> {
  return identityProvider === undefined
    ? errAsync({ code: 'sso_refused', reason: 'not_set_up' })
    : identityProvider.begin({ redirectUri, fresh })
}
