import type { FastifyInstance } from 'fastify'
import { bareOrigin } from '../request/bare-origin.ts'

/** The headers of every answer: not cached, not sniffed, not readable by other sites. */
const common = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/**
 * The headers of every JSON answer, which is never framed either (OWASP REST Security Cheat Sheet). A constant, because building headers
 * for each answer costs more than sending them.
 */
export const jsonHeaders = {
  ...common,
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const

/** The headers that all pages have in common. `pageHeaders` adds those that depend on the page. */
export const pageSecurity = {
  ...common,
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
} as const

/** The headers of an answer without content that leads to another page. */
export const redirectHeaders = { ...common, 'referrer-policy': 'no-referrer' } as const

/** The headers of plain text. */
export const textHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
} as const

/**
 * The header by which browsers must not use http on the host of an https origin (RFC 6797); none for http.
 * @throws TypeError when `origin` is not a bare http(s) origin
 */
export function httpsHeaders(origin: string): Readonly<Record<string, string>> {
  return bareOrigin(origin).protocol === 'https:' ? { 'strict-transport-security': 'max-age=31536000' } : {}
}

/** Adds {@link httpsHeaders} to all answers of a plugin. To be called before other hooks are added, which may answer. */
export function requireHttps(app: FastifyInstance, origin: string): void {
  const headers = httpsHeaders(origin)
  if (Object.keys(headers).length === 0) return
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
