import type { Uuid } from './uuid.ts'

/** What a token may do: `read` lists and fetches, `write` creates. */
export type Scope = 'read' | 'write'

export const allScopes: readonly Scope[] = ['read', 'write']

/** A bearer token of an account (RFC 6750), without the token itself: only its hash is kept. */
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

/** Who calls: the outcome of a successful authentication. */
export interface Caller {
  readonly accountId: Uuid
  readonly tokenId: Uuid
  readonly scopes: readonly Scope[]
}

const prefix = 'sotto_'
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bodyLength = 40
const checksumLength = 6
const tokenShape = /^sotto_[0-9A-Za-z]{46}$/

/**
 * Makes an access token: `sotto_`, 40 random characters (238 bits), and a checksum of 6 characters (CRC-32 of the 40, in
 * base 62), so that a scanner of source code can tell a real token from a look-alike without asking the server.
 *
 * @param randomBytes returns as many random bytes as it is asked for
 */
export function makeAccessToken(randomBytes: (count: number) => Uint8Array): string {
  let body = ''
  while (body.length < bodyLength) {
    for (const byte of randomBytes(bodyLength)) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour the first characters.
      if (byte < 248 && body.length < bodyLength) body += base62.charAt(byte % 62)
    }
  }
  return prefix + body + checksum(body)
}

/** Whether `text` is spelt like a token of this service, checksum included. Says nothing about its existence. */
export function isAccessToken(text: string): boolean {
  if (!tokenShape.test(text)) return false
  const body = text.slice(prefix.length, prefix.length + bodyLength)
  return text.endsWith(checksum(body))
}

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < checksumLength; place += 1) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** CRC-32 with the reflected polynomial 0xEDB88320 (ISO 3309, as in RFC 1952) of ASCII text. */
function crc32(ascii: string): number {
  let crc = 0xffffffff
  for (let at = 0; at < ascii.length; at += 1) {
    crc ^= ascii.charCodeAt(at)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
