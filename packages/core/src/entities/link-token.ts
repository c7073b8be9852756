/** The single path segment of a link: 256 random bits in base64url without padding (RFC 4648, section 5), 43 characters. */
export type LinkToken = string

/** Random bytes that one link token wants. */
export const linkTokenRandomBytes = 32

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** 42 free characters and a last one that carries four bits, so that each token has one spelling only. */
const linkTokenShape = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** Whether `text` is spelt like a link token. */
export function isLinkToken(text: string): text is LinkToken {
  return linkTokenShape.test(text)
}

/** @param random {@link linkTokenRandomBytes} random bytes */
export function linkTokenFrom(random: Uint8Array): LinkToken {
  if (random.length !== linkTokenRandomBytes) {
    throw new TypeError(`a link token wants ${String(linkTokenRandomBytes)} random bytes`)
  }
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of random) {
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
