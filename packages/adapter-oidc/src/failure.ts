import type { IdentityProviderUnreachable, SsoRefused, SsoRefusedReason } from '@sotto/identity'
import { errors } from 'jose'
import * as client from 'openid-client'

/** The provider could not be asked, or answered nothing that can be used. The message is for the operator, in words of this package. */
export class ProviderFailed extends Error {}

/** The provider's answer was longer than what is read of one. */
export class AnswerTooLarge extends ProviderFailed {
  constructor() {
    super('answer too large')
  }
}

/** The answer or token that came proves nothing. */
export class Refused extends Error {
  readonly reason: SsoRefusedReason

  constructor(reason: SsoRefusedReason) {
    super(reason)
    this.reason = reason
  }
}

/** What the error codes of Node's connections mean to an operator. Messages are never passed on: some hold what the other side sent. */
const words: Readonly<Record<string, string>> = {
  ABORT_ERR: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection cut',
  EPIPE: 'connection cut',
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name not found',
  EHOSTUNREACH: 'not reachable',
  ENETUNREACH: 'not reachable',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate not valid',
}

/** The reason why a request failed, in a few words. */
export function reasonOf(thrown: unknown): string {
  const { code = '' } = thrown as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) return 'malformed answer'
  if (/CERT|SIGNATURE_FAILURE|UNABLE_TO_/.test(code)) return words[code] ?? 'certificate not valid'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'TLS failed'
  return words[code] ?? 'not reachable'
}

/** Why the provider could not be asked, if that is what was thrown. */
export function unreachable(thrown: unknown): IdentityProviderUnreachable {
  return unreachableFor(unreachableReason(thrown) ?? 'malformed answer')
}

/** The error for what was thrown while a sign-in was finished or a logout token was read. */
export function refusal(thrown: unknown): IdentityProviderUnreachable | SsoRefused {
  if (chain(thrown).some((error) => error instanceof AnswerTooLarge))
    return { code: 'sso_refused', reason: 'too_large' }
  const reason = unreachableReason(thrown)
  if (reason !== undefined) return unreachableFor(reason)
  return { code: 'sso_refused', reason: refusedReason(thrown) }
}

/** A status of 4xx is the provider's refusal of this service, except for those that ask it to wait (408, 429). */
function unreachableFor(reason: string): IdentityProviderUnreachable {
  const isRefusal = /^status 4(?!08|29)/.test(reason) || Object.values(clientFaults).includes(reason)
  return { code: 'identity_provider_unreachable', reason, isRefusal }
}

function unreachableReason(thrown: unknown): string | undefined {
  const failed = chain(thrown).find((error) => error instanceof ProviderFailed)
  if (failed !== undefined) return failed.message
  if (thrown instanceof client.ResponseBodyError)
    return thrown.error === 'invalid_grant'
      ? undefined
      : (clientFaults[thrown.error] ?? `status ${thrown.status}`)
  const { code, cause } = asClientError(thrown)
  return code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && cause instanceof Response
    ? `status ${cause.status}`
    : undefined
}

/** Errors that the operator can correct, at the provider or in the settings (RFC 6749, section 5.2). */
const clientFaults: Readonly<Record<string, string>> = {
  invalid_client: 'client id or secret not accepted',
  unauthorized_client: 'client not allowed to ask for codes',
  invalid_scope: 'scopes not accepted',
}

function refusedReason(thrown: unknown): SsoRefusedReason {
  if (thrown instanceof Refused) return thrown.reason
  if (thrown instanceof client.AuthorizationResponseError) return 'provider_refused'
  if (thrown instanceof client.ResponseBodyError) return 'code'
  if (thrown instanceof errors.JWTExpired || thrown instanceof errors.JWTClaimValidationFailed)
    return ofClaim[thrown.claim] ?? 'malformed'
  if (thrown instanceof errors.JWSInvalid || thrown instanceof errors.JWTInvalid) return 'malformed'
  if (thrown instanceof errors.JOSEError) return 'signature'
  const { code, cause } = asClientError(thrown)
  if (code === 'OAUTH_UNSUPPORTED_OPERATION' || has(cause, 'header')) return 'signature'
  const claim = has(cause, 'claim') ? String(cause.claim) : ''
  return ofClaim[claim] ?? 'malformed'
}

const ofClaim: Readonly<Record<string, SsoRefusedReason>> = {
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  nonce: 'nonce',
  exp: 'expired',
  iat: 'expired',
  nbf: 'expired',
}

/** The error of oauth4webapi is the cause of openid-client's, and has details such as a claim as its own cause. */
function asClientError(thrown: unknown): { readonly code?: string | undefined; readonly cause?: unknown } {
  if (!(thrown instanceof client.ClientError)) return {}
  const { code, cause } = thrown
  return { code, cause: cause instanceof Error ? cause.cause : cause }
}

function has<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && key in value
}

function chain(thrown: unknown): readonly unknown[] {
  return thrown instanceof Error ? [thrown, ...chain(thrown.cause)] : []
}
