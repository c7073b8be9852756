/**
 * Sotto's identity provider on OpenID Connect. The checks are for settings: they say what is wrong with a value and never repeat it.
 */

export { createIdentityProvider, type IdentityProviderOptions } from './identity-provider.ts'
export { issuerError } from './provider-url.ts'
