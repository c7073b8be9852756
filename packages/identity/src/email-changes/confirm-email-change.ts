import type { Uuid, AccountExists, DecryptError, KeyRetired, Digests } from '@sotto/core'
import {
  writeName,
  type WriteNameDeps,
  getAccount,
  type GetAccountDeps,
  tellOfNewEmail,
  type MailUnderWay,
  type TellOwnerDeps,
} from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { EmailChangeStore } from './email-change-store.ts'
import {
  previewEmailChange,
  type PreviewEmailChangeDeps,
  type PreviewEmailChangeError,
} from './preview-email-change.ts'

export type ConfirmEmailChangeDeps = PreviewEmailChangeDeps &
  TellOwnerDeps &
  GetAccountDeps &
  WriteNameDeps & {
    readonly emailChanges: Pick<EmailChangeStore, 'spend'>
    readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  }
export interface ConfirmEmailChangeInput {
  /** The token of the link that was mailed to the new address, as the browser sent it. */
  readonly token: string
}
export type ConfirmEmailChangeError = PreviewEmailChangeError | AccountExists | KeyRetired | DecryptError

/** The account whose email address was changed. */
export interface EmailChanged extends MailUnderWay {
  readonly accountId: Uuid
}

/**
 * Gives an account the email address that its link was mailed to, and tells the old one by mail. The link is spent, and so is a one-time link
 * of the account.
 * @errors `email_change_not_found`, also when it was spent in the meantime; `account_exists` when another account has the address by now
 */
export function confirmEmailChange(
  deps: ConfirmEmailChangeDeps,
  input: ConfirmEmailChangeInput,
): ResultAsync<EmailChanged, ConfirmEmailChangeError> {
  return new ResultAsync(confirm(deps, input))
}

async function confirm(
  deps: ConfirmEmailChangeDeps,
  { token }: ConfirmEmailChangeInput,
): Promise<Result<EmailChanged, ConfirmEmailChangeError>> {
  const preview = await previewEmailChange(deps, { token })
  if (preview.isErr()) return err(preview.error)
  const { accountId, email } = preview.value
  const account = await getAccount(deps, { accountId })
  if (account.isErr()) {
    const { error } = account
    return err(error.code === 'account_not_found' ? { code: 'email_change_not_found' } : error)
  }
  const { emailChanges, digests, clock } = deps
  const digest = digests.opaqueTokenDigest('email-change', token)
  const name = { email, externalId: undefined }
  const spent = await writeName(deps, accountId, name, (encrypted, indexes) =>
    emailChanges.spend(digest, clock.nowMicros(), encrypted, indexes),
  )
  if (spent.isErr()) return err(spent.error)
  if (!spent.value) return err({ code: 'email_change_not_found' })
  return ok({ accountId, mailed: tellOfNewEmail(deps, account.value, email) })
}
