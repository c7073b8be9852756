import { sessionLifetimeMicros } from '@sotto/identity'
import type { IncomingMessage } from 'node:http'
import { bareOrigin, headerValues } from '@sotto/http-fastify/plugin'

/** A cookie of ours (RFC 6265bis). */
export interface Cookie {
  /** The value that the browser sent; `undefined` without one, and when there are several, one of which somebody else may have set. */
  read(request: Pick<IncomingMessage, 'rawHeaders'>): string | undefined
  /** Every value that the browser sent, each once. */
  readAll(request: Pick<IncomingMessage, 'rawHeaders'>): readonly string[]
  /** The value of the Set-Cookie header that stores a value. */
  store(value: string): string
  /** The value of the Set-Cookie header that removes it. */
  readonly remove: string
}

/** Cookies whose names begin in the same way, and end with a text of `A-Za-z0-9_-` each. */
export interface Cookies {
  of(end: string): Cookie
  /** The ends of the names of those that the browser sent, each once. */
  ends(request: Pick<IncomingMessage, 'rawHeaders'>): readonly string[]
}

export interface CookieOptions {
  readonly name: string
  readonly maxAgeSeconds: number
}

/** The cookie that holds a session's token. */
export type SessionCookie = Cookie

export function createSessionCookie(baseUrl: string): SessionCookie {
  return createCookie(baseUrl, { name: 'sotto', maxAgeSeconds: sessionLifetimeMicros / 1_000_000 })
}

/**
 * The name begins with `__Host-` over https, so that neither another host of the domain nor plain http can set it (RFC 6265bis, section
 * 4.1.3.2). Browsers refuse that prefix over http.
 */
export function createCookie(baseUrl: string, options: CookieOptions): Cookie {
  const name = nameIn(baseUrl, options)
  const attributes = `Path=/; HttpOnly; SameSite=Lax${name === options.name ? '' : '; Secure'}`
  const maxAgeSeconds = String(options.maxAgeSeconds)
  const valuesOf = (request: Pick<IncomingMessage, 'rawHeaders'>): string[] =>
    pairsOf(request)
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1))
  return {
    read(request) {
      const [value, ...others] = valuesOf(request)
      return others.length === 0 ? value : undefined
    },
    readAll: (request) => [...new Set(valuesOf(request))],
    store: (value) => `${name}=${value}; ${attributes}; Max-Age=${maxAgeSeconds}`,
    remove: `${name}=; ${attributes}; Max-Age=0`,
  }
}

/** Cookies with the name `{options.name}-{end}`. */
export function createCookies(baseUrl: string, options: CookieOptions): Cookies {
  const begin = `${nameIn(baseUrl, options)}-`
  return {
    of: (end) => createCookie(baseUrl, { ...options, name: `${options.name}-${end}` }),
    ends(request) {
      const names = pairsOf(request).map((pair) => pair.split('=', 1)[0] ?? '')
      const ends = names.filter((name) => name.startsWith(begin)).map((name) => name.slice(begin.length))
      return [...new Set(ends)].filter((end) => /^[\w-]+$/.test(end))
    },
  }
}

function nameIn(baseUrl: string, { name }: Pick<CookieOptions, 'name'>): string {
  return bareOrigin(baseUrl).protocol === 'https:' ? `__Host-${name}` : name
}

function pairsOf(request: Pick<IncomingMessage, 'rawHeaders'>): readonly string[] {
  return headerValues(request, 'cookie')
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
}
