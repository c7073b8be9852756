import type { IncomingMessage } from 'node:http'
import { headerValues } from '../http/header-values.ts'

/** The credentials of a request. Malformed ones are answered like an unknown token. */
export type Credentials =
  { readonly kind: 'none' | 'malformed' } | { readonly kind: 'token'; readonly token: string }

/**
 * Reads the bearer token of a request (RFC 6750, section 2.1). The scheme is case-insensitive (RFC 9110, section 11.1). Another scheme
 * counts as no credentials (RFC 6750, section 3.1); two Authorization headers are malformed.
 */
export function credentialsOf(request: Pick<IncomingMessage, 'rawHeaders'>): Credentials {
  const [value, ...others] = headerValues(request, 'authorization')
  if (value === undefined) return { kind: 'none' }
  if (others.length > 0) return { kind: 'malformed' }
  const [, scheme, rest] = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?: +(.*))?$/is.exec(value) ?? []
  if (scheme === undefined) return { kind: 'malformed' }
  if (scheme.toLowerCase() !== 'bearer') return { kind: 'none' }
  return rest !== undefined && /^[a-z0-9._~+/-]+=*$/i.test(rest)
    ? { kind: 'token', token: rest }
    : { kind: 'malformed' }
}
