import type { IncomingMessage } from 'node:http'
import type { Caller } from '@sotto/core'
import type { FastifyRequest } from 'fastify'
import { type Result, type ResultAsync, ok } from 'neverthrow'
import type { AuthenticationError, TokenUseCases } from '../use-cases.ts'
import { headerValues } from '../http/request/headers.ts'

/**
 * Finds out who sends a request. It is called once for each request, before the quota is counted, and once more when the files of a
 * form have arrived. Files take up to 12 hours, and no secret is created for a caller who is not allowed to any more.
 * - Ok with the caller: the request counts against the caller's account.
 * - Ok with `undefined`: the request has no credentials. It counts against the address, and is answered with 401.
 * - Err `token_invalid`: its credentials are not valid; the same, with `error="invalid_token"` in the challenge.
 * - Any other Err is answered with 503 or 500 and logged. An exception is answered with the status of its `statusCode`, or else with 500.
 */
export type Authenticate = (
  request: FastifyRequest,
) =>
  | Result<Caller | undefined, AuthenticationError>
  | Promise<Result<Caller | undefined, AuthenticationError>>
  | ResultAsync<Caller | undefined, AuthenticationError>

/** Authenticates by the access token in the Authorization header. */
export function byAccessToken(sotto: TokenUseCases): Authenticate {
  return ({ raw }) => {
    const credentials = credentialsOf(raw)
    if (credentials.kind === 'none') return ok(undefined)
    // Malformed tokens are looked up, too, so that they take the same path as an unknown one.
    return sotto.authenticate({ token: credentials.kind === 'token' ? credentials.token : '' })
  }
}

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
