import { randomBytes } from 'node:crypto'
import { freshBase64 } from '../load/fresh.ts'

/** What a service's client sends in place of a note: random bytes, as long as the note is once it is encrypted, in Base64. */
export interface Ciphertexts {
  /** Stands in a request that the generator sends: another text each time. */
  readonly placeholder: string
  /** Begins every text of {@link next}; of digits and letters only, so that it is the same in any JSON text. */
  readonly beginning: string
  /** A text of the same length. */
  next(): string
}

const tagBytes = 16
const beginningBytes = 10

/** @param plaintextBytes the length of the note as the client encrypts it with AES-GCM, which adds 16 bytes */
export function ciphertextsFor(plaintextBytes: number): Ciphertexts {
  const placeholder = freshBase64(plaintextBytes + tagBytes)
  const beginning = randomBytes(beginningBytes).toString('hex')
  const restBytes = ((placeholder.length - beginning.length) / 4) * 3
  return { placeholder, beginning, next: () => beginning + randomBytes(restBytes).toString('base64') }
}
