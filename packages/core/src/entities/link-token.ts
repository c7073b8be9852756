/**
 * The single path segment of a link: 32 bytes in base64url without padding (RFC 4648, section 5), 43 characters. 224 of the bits are
 * random, 32 carry the masked second in which the token was made; see `Digests.makeLinkToken`.
 */
export type LinkToken = string

/** Random bytes that one link token needs. */
export const linkTokenRandomBytes = 28

const linkTokenBytes = 32
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** 42 free characters and a last one that carries four bits, so that each token has exactly one spelling. */
const linkTokenShape = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** Whether `text` has the form of a link token. */
export function isLinkToken(text: string): text is LinkToken {
  return linkTokenShape.test(text)
}

/**
 * Spells a link token.
 * @param bytes the token's 32 bytes
 */
export function linkTokenFrom(bytes: Uint8Array): LinkToken {
  if (bytes.length !== linkTokenBytes) throw new TypeError('a link token has 32 bytes')
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 6) {
      bits -= 6
      text += alphabet.charAt((held >> bits) & 63)
    }
    held &= (1 << bits) - 1
  }
  return text + alphabet.charAt((held << (6 - bits)) & 63)
}

/** A token that no link has: a malformed one is looked up as this one, so that it takes the same path as an unknown one. */
export const noLinkToken: LinkToken = linkTokenFrom(new Uint8Array(linkTokenBytes))
