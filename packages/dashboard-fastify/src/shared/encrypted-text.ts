import type { Encrypted } from '@sotto/core'

/** How a page or a cookie carries what is encrypted. */
export function encryptedText({ kid, ciphertext }: Encrypted): string {
  return `${String(kid)}.${Buffer.from(ciphertext).toString('base64url')}`
}

/** Reads what {@link encryptedText} wrote; `undefined` for anything else. */
export function parseEncryptedText(text: string): Encrypted | undefined {
  const [, kid, ciphertext] = /^(\d{1,9})\.([\w-]+)$/.exec(text) ?? []
  if (kid === undefined || ciphertext === undefined) return undefined
  const bytes = new Uint8Array(Buffer.from(ciphertext, 'base64url')) as Encrypted['ciphertext']
  return { kid: Number(kid), ciphertext: bytes }
}
