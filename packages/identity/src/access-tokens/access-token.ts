import type { Scope, Uuid } from '@sotto/core'

/** A bearer token of an account (RFC 6750), without the token itself: only its digest is stored. */
export interface AccessToken {
  readonly id: Uuid
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAtMicros: number
  readonly expiresAtMicros: number | undefined
  readonly revokedAtMicros: number | undefined
  /** When it was last accepted, to the minute. */
  readonly lastUsedAtMicros: number | undefined
}

/** Whether a token is neither revoked nor expired at `nowMicros`. */
export function isTokenUsable(
  { revokedAtMicros, expiresAtMicros }: Pick<AccessToken, 'revokedAtMicros' | 'expiresAtMicros'>,
  nowMicros: number,
): boolean {
  return revokedAtMicros === undefined && (expiresAtMicros === undefined || expiresAtMicros > nowMicros)
}

const prefix = 'sotto_'
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bodyLength = 40
const checksumLength = 6
const tokenShape = /^sotto_[0-9A-Za-z]{46}$/

/**
 * Makes an access token: `sotto_`, 40 random characters (238 bits), and a checksum of 6 characters (CRC-32 of the 40, in base 62). The
 * checksum lets a scanner of source code recognise a token without asking the server.
 *
 * @param randomBytes returns as many random bytes as it is asked for
 */
export function makeAccessToken(randomBytes: (count: number) => Uint8Array): string {
  let body = ''
  while (body.length < bodyLength) {
    for (const byte of randomBytes(bodyLength)) {
      // 248 is the largest multiple of 62 in a byte: a larger value would favour the first characters.
      if (byte < 248 && body.length < bodyLength) body += base62.charAt(byte % 62)
    }
  }
  return prefix + body + checksum(body)
}

/**
 * Whether `text` has the form of a token of this service, checksum included. Says nothing about its existence. The checksum is computed in
 * any case, so that a malformed token takes the same time.
 */
export function isAccessToken(text: string): boolean {
  const sum = checksum(text.slice(prefix.length, prefix.length + bodyLength))
  return tokenShape.test(text) && text.endsWith(sum)
}

/**
 * A token that no account has, because its checksum is wrong. A malformed one is looked up as this one, so that it takes the same path as
 * an unknown one.
 */
export const noAccessToken = prefix + '0'.repeat(bodyLength + checksumLength)

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < checksumLength; place += 1) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/**
 * CRC-32 with the reflected polynomial 0xEDB88320 (ISO 3309, as in RFC 1952) of ASCII text; of other text, some number. It has no branches,
 * so that it takes the same time for each text.
 */
function crc32(ascii: string): number {
  let crc = 0xffffffff
  for (let at = 0; at < ascii.length; at += 1) {
    crc ^= ascii.charCodeAt(at)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (-(crc & 1) & 0xedb88320)
  }
  return (crc ^ 0xffffffff) >>> 0
}
