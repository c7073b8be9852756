import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a POST comes from a page of another origin, or from one that hides its origin, so that it must not open anything.
 * Modern browsers say where a request comes from in `Sec-Fetch-Site` (W3C Fetch Metadata); older ones, and all of them on plain
 * http, in `Origin` (RFC 6454). What sends neither is no browser, and nobody can make a person send it unawares.
 *
 * @param linkOrigin the configured origin of links, never one taken from the request
 */
export function isForeign(headers: IncomingHttpHeaders, linkOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin'
  return headers.origin !== undefined && headers.origin !== linkOrigin
}
