import { sessionLifetimeMicros } from '@sotto/core'
import type { IncomingMessage } from 'node:http'
import { bareOrigin } from '../http/request/bare-origin.ts'
import { headerValues } from '../http/request/headers.ts'

/** The cookie that holds a session's token (RFC 6265bis). */
export interface SessionCookie {
  /** The token that the browser sent; `undefined` without one, and when there are several, one of which somebody else may have set. */
  read(request: Pick<IncomingMessage, 'rawHeaders'>): string | undefined
  /** Every token that the browser sent, each once. */
  readAll(request: Pick<IncomingMessage, 'rawHeaders'>): readonly string[]
  /** The value of the Set-Cookie header that stores a token. */
  store(token: string): string
  /** The value of the Set-Cookie header that removes it. */
  readonly remove: string
}

/**
 * Over https the name begins with `__Host-`, so that neither another host of the domain nor plain http can set it (RFC 6265bis, section
 * 4.1.3.2). Browsers refuse that prefix over http.
 */
export function createSessionCookie(baseUrl: string): SessionCookie {
  const isSecure = bareOrigin(baseUrl).protocol === 'https:'
  const name = isSecure ? '__Host-sotto' : 'sotto'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const maxAgeSeconds = String(sessionLifetimeMicros / 1_000_000)
  const tokensOf = (request: Pick<IncomingMessage, 'rawHeaders'>): string[] =>
    headerValues(request, 'cookie')
      .flatMap((header) => header.split(';'))
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1))
  return {
    read(request) {
      const [token, ...others] = tokensOf(request)
      return others.length === 0 ? token : undefined
    },
    readAll: (request) => [...new Set(tokensOf(request))],
    store: (token) => `${name}=${token}; ${attributes}; Max-Age=${maxAgeSeconds}`,
    remove: `${name}=; ${attributes}; Max-Age=0`,
  }
}
