import { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { InvitationKind } from '../entities/invitation.ts'
import { mailNow, type MailNowDeps, type MailNowError } from './mails.ts'

export type MailInvitationDeps = MailNowDeps
export interface MailInvitationInput {
  readonly accountId: Uuid
  readonly invitation: InvitationKind
  /** The one-time link. Confidential: it is in no queue and no error. */
  readonly url: string
  readonly expiresAtMicros: number
}
export type MailInvitationError = MailNowError

/**
 * Mails the one-time link of an account immediately, not through the queue, whatever mails its owner wants.
 * @errors `account_not_found`; `mail_unavailable` when no mails can be sent here, or the account has no email address; `send_failed`
 */
export function mailInvitation(
  deps: MailInvitationDeps,
  { accountId, invitation, url, expiresAtMicros }: MailInvitationInput,
): ResultAsync<void, MailInvitationError> {
  return new ResultAsync(mailNow(deps, accountId, { kind: 'invitation', invitation, url, expiresAtMicros }))
}
