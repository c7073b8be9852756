import { createSecretKey } from 'node:crypto'
import type { Ciphertext } from '@sotto/core'
import { decryptBlob, encryptBlob } from '../shared/aead.ts'
import { noteData, type PlainColumns } from '../shared/associated-data.ts'
import { leastSize, padText, unpadText } from '../shared/padding.ts'
import type { RandomBytes } from '../shared/random.ts'

/** The columns that never change. Notes are bound to them. */
type Fixed = Pick<PlainColumns, 'id' | 'accountId'>

/** Encrypts a note under its own key, once: neither sharing a draft nor rotating keys changes it. */
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

/** The text of a note; `undefined` when the note does not belong to this row. */
export function decryptNote(
  noteKey: Uint8Array,
  { id, accountId }: Fixed,
  note: Ciphertext,
): string | undefined {
  const associatedData = noteData('secret.note', id, accountId)
  const plaintext = decryptBlob({ key: createSecretKey(noteKey), associatedData, blob: note })
  return plaintext && unpadText(plaintext, leastSize.note)
}
