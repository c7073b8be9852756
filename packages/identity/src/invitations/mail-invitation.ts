import type { Uuid, InvitationKind } from '@sotto/core'
import {
  type TooManyMails,
  findRecipient,
  tellOwner,
  type MailNowDeps,
  type MailNowError,
} from '@sotto/core/building-blocks'
import { err, ResultAsync, type Result } from 'neverthrow'
import { countMails, toRecipient, type CountMailsDeps } from '../passwords/count-mails.ts'

export type MailInvitationDeps = MailNowDeps & CountMailsDeps
export interface MailInvitationInput {
  readonly accountId: Uuid
  readonly invitation: InvitationKind
  /** The one-time link. Confidential: it is in no queue and no error. */
  readonly url: string
  readonly expiresAtMicros: number
}
export type MailInvitationError = MailNowError | TooManyMails

/**
 * Mails the one-time link of an account immediately, not through the queue, whatever mails its owner wants.
 * @errors `account_not_found`; `mail_unavailable` when no mails can be sent here, or the account has no email address; `send_failed`;
 * `too_many_mails` after 10 to the address in an hour, those that others asked for included
 */
export function mailInvitation(
  deps: MailInvitationDeps,
  input: MailInvitationInput,
): ResultAsync<void, MailInvitationError> {
  return new ResultAsync(mail(deps, input))
}

async function mail(
  deps: MailInvitationDeps,
  { accountId, invitation, url, expiresAtMicros }: MailInvitationInput,
): Promise<Result<void, MailInvitationError>> {
  const found = await findRecipient(deps, accountId)
  if (found.isErr()) return err(found.error)
  const { email } = found.value
  const counted = await countMails(deps, [toRecipient(email)])
  if (counted.isErr()) return err(counted.error)
  return tellOwner(deps, email, found.value, { kind: 'invitation', invitation, url, expiresAtMicros })
}
