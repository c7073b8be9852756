/** Bytes as WebCrypto takes and gives them. */
export type Bytes = Uint8Array<ArrayBuffer>

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

/** The text that these bytes are in UTF-8; `undefined` when they are none. A byte order mark is part of it. */
export function fromUtf8(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export function concat(...parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** base64url without padding (RFC 4648, section 5). */
export function toBase64url(bytes: Bytes): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
}

/** The bytes of a text that is in base64url. @throws DOMException when it is not */
export function decode(text: string): Bytes {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (each) => each.charCodeAt(0))
}

/** The bytes of a text that {@link toBase64url} made; `undefined` for any other, so that no two texts are the same bytes. */
export function fromBase64url(text: string): Bytes | undefined {
  try {
    const bytes = decode(text)
    return toBase64url(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
