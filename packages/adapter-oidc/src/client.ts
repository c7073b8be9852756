import {
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  Configuration,
  customFetch,
  None,
  type ClientAuth,
  type CustomFetch,
  type ServerMetadata,
} from 'openid-client'
import { toleranceSeconds } from './claims.ts'
import { insecure } from './provider-url.ts'

/** How this service is known to the provider. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string | undefined
}

/** The configuration of one sign-in. openid-client reads the machine's clock: `clockSkew` says how far that differs from the given time. */
export function configurationOf(
  { clientId, clientSecret }: Client,
  provider: ServerMetadata,
  fetch: CustomFetch,
  nowMicros: number,
): Configuration {
  const skew = Math.round((nowMicros / 1_000 - Date.now()) / 1_000)
  const metadata = { [clockSkew]: skew, [clockTolerance]: toleranceSeconds }
  const configuration = new Configuration(
    provider,
    clientId,
    metadata,
    authentication(provider, clientSecret),
  )
  configuration[customFetch] = fetch
  for (const allow of insecure(provider.issuer)) allow(configuration)
  return configuration
}

/** A provider that lists nothing takes the secret in the header (OpenID Connect Discovery 1.0, section 3). */
function authentication(provider: ServerMetadata, secret: string | undefined): ClientAuth {
  if (secret === undefined) return None()
  const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const isPosted = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
  return isPosted ? ClientSecretPost(secret) : ClientSecretBasic(secret)
}
