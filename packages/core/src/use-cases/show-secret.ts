import { err, ok, type Result } from 'neverthrow'
import type { Draft, ShareableSecret } from '../entities/secret.ts'
import type { DecryptError } from '../errors.ts'
import type { SecretCipher } from '../ports/cipher.ts'
import type { StoredSecret, StoredShareableSecret } from '../ports/secret-store.ts'

/** A stored shareable secret as its owner sees it. */
export function showSecret(
  cipher: SecretCipher,
  stored: StoredShareableSecret,
): Result<ShareableSecret, DecryptError> {
  const head = cipher.decryptHead(stored)
  if (head.isErr()) return err(head.error)
  const { label, linkToken } = head.value
  // A head that was made for a draft cannot stand in a shared row unless the row was tampered with.
  if (linkToken === undefined) return err({ code: 'data_damaged', what: 'secret.head', id: stored.id })
  const { createdAtMicros, expiresAtMicros } = stored.link
  return ok({ ...plainOf(stored, label), link: { token: linkToken, createdAtMicros }, expiresAtMicros })
}

/** A stored draft as its owner sees it. */
export function showDraft(cipher: SecretCipher, stored: StoredSecret): Result<Draft, DecryptError> {
  return cipher.decryptHead(stored).map(({ label }) => plainOf(stored, label))
}

function plainOf(stored: StoredSecret, label: string): Draft {
  const { id, folderId, createdAtMicros, openLimit, notify, hasPassword } = stored
  return { id, folderId, label, createdAtMicros, openLimit, notify, hasPassword }
}
