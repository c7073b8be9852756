/** The alphabet of base64 (RFC 4648, section 4). */
export const standardAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The alphabet of base64url (RFC 4648, section 5). */
export const urlAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * The bytes in base64, without padding: a multiple of three bytes needs none.
 * @param alphabet 64 characters
 */
export function base64From(bytes: Uint8Array, alphabet: string): string {
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
  return bits === 0 ? text : text + alphabet.charAt((held << (6 - bits)) & 63)
}

/** The bytes that {@link base64From} spelled. Other characters than those of the alphabet count as the first of them. */
export function base64Bytes(text: string, alphabet: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (const digit of text) {
    held = (held << 6) | Math.max(alphabet.indexOf(digit), 0)
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at] = held >> bits
    at += 1
    held &= (1 << bits) - 1
  }
  return bytes
}
