import { allowInsecureRequests, type Configuration } from 'openid-client'
import { isIPv4 } from 'node:net'

/**
 * What is wrong with an issuer, as the end of a sentence that begins with its name; `undefined` when nothing is. https, or http on
 * loopback; no query, no fragment, no credentials (OpenID Connect Discovery 1.0, section 3).
 */
export function issuerError(issuer: string): string | undefined {
  const url = URL.parse(issuer)
  if (url === null) return 'must be a URL'
  if (!isSafe(url, issuer)) return 'must begin with https://, or with http:// on a loopback address'
  if (/[?#]/.test(issuer)) return 'must have no query and no fragment'
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password in it'
  return undefined
}

/**
 * Whether nobody on the way can read or change what is sent to a URL. When the issuer is on https, everything that its metadata name has to
 * be: it must not lead to a service on this machine.
 */
export function isSafe({ protocol, hostname }: URL, issuer: string): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname) && isHttp(issuer))
}

/** Lets openid-client use http where the issuer does. {@link isSafe} checks for each request that the address is on loopback. */
export function insecure(issuer: string): ((configuration: Configuration) => void)[] {
  // Deprecated so that it is noticed.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return isHttp(issuer) ? [allowInsecureRequests] : []
}

function isHttp(issuer: string): boolean {
  return URL.parse(issuer)?.protocol === 'http:'
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
}
