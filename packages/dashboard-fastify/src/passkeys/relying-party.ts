import type { RelyingParty } from '@sotto/identity'
import { isIP } from 'node:net'
import { bareOrigin } from '@sotto/http-fastify/plugin'

/**
 * The service as passkeys know it, by its base URL; `undefined` where browsers make none: on a host that is an address, and over plain http
 * except on this machine (WebAuthn 3, section 5.1.3; Secure Contexts, section 3.1).
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const { origin, protocol, hostname } = bareOrigin(baseUrl)
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return isAddress || (protocol === 'http:' && !isLocal) ? undefined : { id: hostname, origin }
}
