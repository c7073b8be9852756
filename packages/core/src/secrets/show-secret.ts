import { err, ok, type Result } from 'neverthrow'
import type { Draft, ShareableSecret } from './secret.ts'
import type { DecryptError } from '../shared/errors.ts'
import { hexOf } from '../shared/hex.ts'
import type { SecretCipher } from './secret-cipher.ts'
import type { StoredSecret, StoredShareableSecret } from './secret-store.ts'
import { sealedMark } from '../sealed/sealed-note.ts'
import type { Cursor } from '../shared/cursor.ts'

/** A stored shareable secret as its owner sees it. */
export function showSecret(
  cipher: Pick<SecretCipher, 'decryptHead'>,
  stored: StoredShareableSecret,
): Result<ShareableSecret, DecryptError> {
  const head = cipher.decryptHead(stored)
  if (head.isErr()) return err(head.error)
  const { label, linkToken } = head.value
  // Somebody has tampered with a shared row that has a draft's head.
  if (linkToken === undefined) return err({ code: 'data_damaged', what: 'secret.head', id: stored.id })
  const { createdAtMicros, expiresAtMicros } = stored.link
  const link = { token: linkToken, createdAtMicros }
  return ok({ ...plainSecretOf(stored, label), link, expiresAtMicros, ...sealedMark(head.value) })
}

/** A stored draft as its owner sees it. */
export function showDraft(
  cipher: Pick<SecretCipher, 'decryptHead'>,
  stored: StoredSecret,
): Result<Draft, DecryptError> {
  return cipher.decryptHead(stored).map(({ label, requestKey }) => ({
    ...plainSecretOf(stored, label),
    ...(requestKey !== undefined && { requestKey }),
  }))
}

/** Names the state of a draft: the end of its encrypted head, which no two encryptions have in common. 32 hexadecimal digits. */
export function draftVersion({ headCiphertext }: Pick<StoredSecret, 'headCiphertext'>): string {
  return hexOf(headCiphertext.subarray(-16))
}

/** The plain columns that an owner sees, with the label. */
export function plainSecretOf(stored: StoredSecret, label: string): Draft {
  const { id, folderId, createdAtMicros, openLimit, notify, hasPassword } = stored
  return { id, folderId, label, createdAtMicros, openLimit, notify, hasPassword }
}

/** The position of a secret or draft: a secret is listed by when its link was made. */
export function positionOf({ id, createdAtMicros, link }: StoredSecret): Cursor {
  return { id, createdAtMicros: link?.createdAtMicros ?? createdAtMicros }
}
