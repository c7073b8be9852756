import type { Digests } from '../shared/digests.ts'
import { isOpaqueToken } from '../shared/opaque-token.ts'
import { base64Bytes, urlAlphabet } from '../shared/base64.ts'
import { equalBytes } from '../shared/bytes.ts'

// A sealed note was encrypted before it arrived: the key is in the fragment of its link, which no browser sends. Nothing here can read it.

/** A sealed note: the digest of the proof of its key, and the encrypted content of 293 bytes or more. */
const sealedNote = /^sotto-sealed-1\.([A-Za-z0-9_-]{43})\.[A-Za-z0-9_-]{391,}$/

/** A sealed answer to a request: the encrypted content, of 358 bytes or more. */
const sealedAnswer = /^sotto-answer-1\.[A-Za-z0-9_-]{478,}$/

/** What is kept of a sealed note where it can be looked at without decrypting anything else. Absent for a note that is not sealed. */
export interface Sealed {
  /** SHA-256 of the proof that whoever opens the note has to send: 32 bytes. */
  readonly proofDigest?: Uint8Array
  /** The key of the request that an answer is encrypted to. */
  readonly requestKey?: string
}

/** What a note says about itself. Any note that does not have the form of a sealed one is a plain one. */
export function sealedOf(note: string): Sealed {
  const digest = sealedNote.exec(note)?.[1]
  return digest === undefined ? {} : { proofDigest: base64Bytes(digest, urlAlphabet) }
}

export function isSealed({ proofDigest, requestKey }: Sealed): boolean {
  return proofDigest !== undefined || requestKey !== undefined
}

/** Whether a sealed secret may be opened with this proof. One that is not sealed asks for none. */
export function isProven(
  digests: Pick<Digests, 'opaqueTokenDigest'>,
  { proofDigest }: Sealed,
  proof: string | undefined,
): boolean {
  if (proofDigest === undefined) return true
  if (proof === undefined || !isOpaqueToken(proof)) return false
  return equalBytes(digests.opaqueTokenDigest('sealed', proof), proofDigest)
}

/** Shown of a secret or link only where its note is sealed. */
export interface SealedMark {
  readonly sealed?: true
}

export function sealedMark(sealed: Sealed): SealedMark {
  return isSealed(sealed) ? { sealed: true } : {}
}

/** How long a sealed note may be, where the text in it has at most `noteMaxBytes` bytes with the list of its files. */
export function sealedNoteMaxBytes(noteMaxBytes: number): number {
  // A note has two parts before the content, which a header of 21 bytes and a tag of 16 surround.
  return 59 + base64Length(37 + contentMaxBytes(noteMaxBytes))
}

/** How long a sealed answer may be, where the text in it has at most `noteMaxBytes` bytes with the list of its files. */
export function sealedAnswerMaxBytes(noteMaxBytes: number): number {
  // An answer has one part before it, and in the header the key of its sender, of 65 bytes, too.
  return 15 + base64Length(102 + contentMaxBytes(noteMaxBytes))
}

/** Whether an answer is sealed, and no longer than it may be. */
export function isSealedAnswer(note: string, noteMaxBytes: number): boolean {
  return note.length <= sealedAnswerMaxBytes(noteMaxBytes) && sealedAnswer.test(note)
}

function base64Length(bytes: number): number {
  return Math.ceil((4 * bytes) / 3)
}

function contentMaxBytes(noteMaxBytes: number): number {
  return paddedLength(Math.max(256, noteMaxBytes + 1))
}

/** Padmé ("Reducing Metadata Leakage from Encrypted Files and Communication with PURBs", 2019). */
function paddedLength(length: number): number {
  const exponent = 31 - Math.clz32(length)
  const step = 2 ** (exponent - 32 + Math.clz32(exponent))
  return Math.ceil(length / step) * step
}
