/** JavaScript's text is UTF-16; what is stored and sent is UTF-8. These functions measure and check text without an encoder. */

/** Bytes that `text` takes in UTF-8 (RFC 3629). A lone surrogate counts as three, like its replacement character. */
export function utf8ByteLength(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    // A surrogate pair is two units and four bytes: each half adds one.
    bytes += unit < 0x800 || isPairAt(text, at) ? 1 : 2
    if (isPairAt(text, at)) {
      bytes += 1
      at += 1
    }
  }
  return bytes
}

/** Unicode code points in `text`; a surrogate pair counts as one. */
export function codePointCount(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at += 1) {
    if (!isPairAt(text, at)) continue
    count -= 1
    at += 1
  }
  return count
}

/** Whether `text` has half of a surrogate pair, which UTF-8 cannot encode. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

/** Whether `text` has a control character: C0, DEL or C1 (Unicode category Cc). */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text)
}

function isPairAt(text: string, at: number): boolean {
  const high = text.charCodeAt(at)
  if (high < 0xd800 || high > 0xdbff) return false
  const low = text.charCodeAt(at + 1)
  return low >= 0xdc00 && low <= 0xdfff
}
