import type { Uuid, DataCorrupted, StorageError, TextCipher, Digests, Clock } from '@sotto/core'
import { isOpaqueToken } from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { EmailChangeNotFound } from './errors.ts'
import type { EmailChangeStore } from './email-change-store.ts'

export interface PreviewEmailChangeDeps {
  readonly emailChanges: Pick<EmailChangeStore, 'find'>
  readonly textCipher: Pick<TextCipher, 'unsealText'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  readonly clock: Clock
}
export interface PreviewEmailChangeInput {
  /** The token as the browser sent it. */
  readonly token: string
}
export type PreviewEmailChangeError = EmailChangeNotFound | DataCorrupted | StorageError

/** What a link that confirms an email address is for. */
export interface EmailChangePreview {
  readonly accountId: Uuid
  /** The new address. */
  readonly email: string
  readonly expiresAtMicros: number
}

/**
 * Finds out what the link that was mailed to a new email address is for. Changes nothing.
 * @errors `email_change_not_found`, the same for a malformed, unknown, expired, spent or replaced one and for a disabled account
 */
export function previewEmailChange(
  deps: PreviewEmailChangeDeps,
  input: PreviewEmailChangeInput,
): ResultAsync<EmailChangePreview, PreviewEmailChangeError> {
  return new ResultAsync(preview(deps, input))
}

async function preview(
  { emailChanges, textCipher, digests, clock }: PreviewEmailChangeDeps,
  { token }: PreviewEmailChangeInput,
): Promise<Result<EmailChangePreview, PreviewEmailChangeError>> {
  if (!isOpaqueToken(token)) return err({ code: 'email_change_not_found' })
  const found = await emailChanges.find(digests.opaqueTokenDigest('email-change', token), clock.nowMicros())
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'email_change_not_found' })
  const { accountId, email: sealed, expiresAtMicros } = found.value
  const email = textCipher.unsealText({ accountId, token }, sealed)
  if (email === undefined) return err({ code: 'data_damaged', what: 'email_change.email', id: accountId })
  return ok({ accountId, email, expiresAtMicros })
}
