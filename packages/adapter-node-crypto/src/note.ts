import { createSecretKey } from 'node:crypto'
import type { Ciphertext } from '@sotto/core'
import { decryptBlob, encryptBlob } from './aead.ts'
import { noteData, type PlainColumns } from './associated-data.ts'
import { leastSize, padText, unpadText } from './padding.ts'
import type { RandomBytes } from './random.ts'

/** The part of a row that never changes, and to which notes are bound. */
type Fixed = Pick<PlainColumns, 'id' | 'accountId'>

/** Encrypts a note under a key of its own, once and for all: neither sharing nor rotating touches it. */
export function encryptNote(
  noteKey: Uint8Array,
  { id, accountId }: Fixed,
  note: string,
  randomBytes: RandomBytes,
): Ciphertext {
  return encryptBlob({
    key: createSecretKey(noteKey),
    associatedData: noteData('secret.note', id, accountId),
    plaintext: padText(note, leastSize.note),
    randomBytes,
  })
}

/** `undefined` when it is not this row's. */
export function decryptNote(
  noteKey: Uint8Array,
  { id, accountId }: Fixed,
  note: Ciphertext,
): string | undefined {
  const associatedData = noteData('secret.note', id, accountId)
  const plaintext = decryptBlob({ key: createSecretKey(noteKey), associatedData, blob: note })
  return plaintext && unpadText(plaintext, leastSize.note)
}
