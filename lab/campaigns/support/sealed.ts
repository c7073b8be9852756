import { createHash, randomBytes } from 'node:crypto'

/** A note as a browser seals it, as far as a server can tell, and the proof of its key. */
export interface SealedNote {
  readonly note: string
  readonly proof: string
}

/** @param bytes of what is encrypted, which nobody here decrypts: 293 at least */
export function sealedNote(bytes = 293): SealedNote {
  const proof = randomProof()
  const digest = createHash('sha256').update(`sotto/v1/sealed${proof}`).digest('base64url')
  return { note: `sotto-sealed-1.${digest}.${randomBytes(bytes).toString('base64url')}`, proof }
}

/** The proof of a key that nobody has. */
export function randomProof(): string {
  return randomBytes(32).toString('base64url')
}
