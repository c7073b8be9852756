import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { bareOrigin } from './bare-origin.ts'
import { headerValues } from './headers.ts'

/**
 * The host of the service that a request names. A missing Host and two of them are `malformed` (RFC 9112, section 3.2).
 */
export type Site = 'base' | 'link' | 'both' | 'unknown' | 'malformed'

/** The two bare origins of the service, which may be the same. */
export interface Origins {
  /** The origin of the API, such as `https://api.example.org`. */
  readonly baseUrl: string
  /** The origin on which links are opened. */
  readonly linkBaseUrl: string
}

const hostShape = /^(?:\[([0-9a-f:.]+)\]|[a-z0-9._~-]+)(?::(\d{0,5}))?$/i

/**
 * Finds the site of a request by its host. If both origins have the same host, any valid host is `both`.
 * @throws TypeError when an origin is not a bare http(s) origin
 */
export function createSiteOf(origins: Origins): (request: IncomingMessage) => Site {
  const base = bareOrigin(origins.baseUrl)
  const link = bareOrigin(origins.linkBaseUrl)
  const areOneHost = base.host === link.host
  return (request) => {
    const host = hostOf(request)
    if (host === undefined) return 'malformed'
    if (areOneHost) return 'both'
    if (isHost(host, base)) return 'base'
    return isHost(host, link) ? 'link' : 'unknown'
  }
}

/**
 * The constraints of a route that only the host of the base URL has (find-my-way), where the application may have another route for the same
 * path on the other host. None if both origins have the same host.
 */
export function baseHostOnly(origins: Origins): { readonly host?: RegExp } {
  const base = bareOrigin(origins.baseUrl)
  if (base.host === bareOrigin(origins.linkBaseUrl).host) return {}
  const name = base.hostname.replace(/[.[\]]/g, '\\$&')
  const byDefault = base.protocol === 'https:' ? '443' : '80'
  const port = base.port === '' ? `(?::0*(?:${byDefault})?)?` : `:0*${base.port}`
  // eslint-disable-next-line sotto/linear-patterns -- the configured name, character by character, and a port
  return { host: new RegExp(`^${name}${port}$`, 'i') }
}

/** Whether `text` is a valid value of a Host header: a name, an IPv4 or a bracketed IPv6 address, with or without a port. */
export function isValidHost(text: string): boolean {
  const [, ipv6, port = '0'] = hostShape.exec(text) ?? [undefined, undefined, '65536']
  return Number(port) < 65_536 && (ipv6 === undefined || isIPv6(ipv6))
}

function hostOf(request: IncomingMessage): string | undefined {
  const [host, ...others] = headerValues(request, 'host')
  if (host === undefined || others.length > 0 || !isValidHost(host)) return undefined
  const authority = authorityOf(originalUrlOf(request))
  if (authority === undefined) return host
  return isValidHost(authority) ? authority : undefined
}

/** The URL of the request line. Fastify stores it in this field when `rewriteUrl` changes it. */
export function originalUrlOf(request: IncomingMessage & { readonly originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? ''
}

function isHost(host: string, { protocol, host: expected }: URL): boolean {
  return host === expected || URL.parse(`${protocol}//${host}`)?.host === expected
}

/** Headers above this size, URL included, are answered with 431. */
export const headersMaxBytes = 16 * 1024

/** URLs above this length (bytes; a URL in a request is ASCII) are answered with 414. */
export const urlMaxBytes = 2_048

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is

/**
 * The path and query that a request is routed by. Every request gets a path that the router can decode, so that hooks run and it is
 * answered like any other:
 * - the origin is removed from the absolute form (RFC 9112, section 3.2.2);
 * - any other form (`*`, an authority) becomes an unknown path;
 * - percent signs that do not begin valid UTF-8 are taken literally.
 */
export function routableUrl(url: string): string {
  const target = absoluteForm.exec(url)?.[2] ?? url
  return readablePath(target.startsWith('/') ? target : `/${target}`)
}

/** The authority of a request in absolute form; `undefined` for any other form. It takes precedence over the Host header. */
export function authorityOf(url: string): string | undefined {
  return url.startsWith('/') ? undefined : absoluteForm.exec(url)?.[1]
}

/** The path of a routable URL, without its query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

function readablePath(url: string): string {
  if (!url.includes('%')) return url
  const path = pathOf(url)
  return path.replace(/(?:%[0-9a-f]{2})+|%/gi, escapeUnreadable) + url.slice(path.length)
}

function escapeUnreadable(escapes: string): string {
  try {
    decodeURIComponent(escapes)
    return escapes
  } catch {
    return escapes.replaceAll('%', '%25')
  }
}
