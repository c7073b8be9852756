import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a POST comes from a page of another origin, or from one that hides its origin, so that it must change nothing. Modern
 * browsers give the relation in `Sec-Fetch-Site` (W3C Fetch Metadata); older ones, and all of them on plain http, give the `Origin`
 * (RFC 6454). A client that sends neither is not a browser, so nobody can make it send the request unknowingly.
 *
 * @param ownOrigin the configured origin of the page, never one from the request
 */
export function isCrossSite(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin'
  return headers.origin !== undefined && headers.origin !== ownOrigin
}
