import type { Bytes } from './bytes.ts'

/** Derives bytes by one of WebCrypto's functions, with SHA-256. @param length of what is derived, in bytes */
export async function derive(
  name: 'HKDF' | 'PBKDF2',
  secret: Bytes,
  length: number,
  parameters: { readonly salt: Bytes; readonly info?: Bytes; readonly iterations?: number },
): Promise<Bytes> {
  const { subtle } = crypto
  const key = await subtle.importKey('raw', secret, name, false, ['deriveBits'])
  return new Uint8Array(await subtle.deriveBits({ name, hash: 'SHA-256', ...parameters }, key, length * 8))
}

/** HKDF with SHA-256 (RFC 5869). @param length of what it makes, in bytes */
export function hkdf(
  secret: Bytes,
  info: Bytes,
  length: number,
  salt: Bytes = new Uint8Array(),
): Promise<Bytes> {
  return derive('HKDF', secret, length, { salt, info })
}
