import type { Caller, ErrorOf, Sotto } from '@sotto/core'
import type { FastifyRequest } from 'fastify'
import { ok, type Result, type ResultAsync } from 'neverthrow'
import { credentialsOf } from './bearer.ts'

/**
 * Finds out who sends a request. It is called once for each request, before the quota is counted.
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

/** What can go wrong with the use-cases that find an account. */
export type AuthenticationError = ErrorOf<Sotto['authenticate' | 'ensureAccount']>

/** Authenticates by the access token in the Authorization header. */
export function byAccessToken(sotto: Pick<Sotto, 'authenticate'>): Authenticate {
  return ({ raw }) => {
    const credentials = credentialsOf(raw)
    if (credentials.kind === 'none') return ok(undefined)
    // Malformed ones are looked up too, so that they take the same path as an unknown token.
    return sotto.authenticate({ token: credentials.kind === 'token' ? credentials.token : '' })
  }
}
