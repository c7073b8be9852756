import {
  accountNameText,
  makeOpaqueToken,
  type Uuid,
  type AccountNotFound,
  type DecryptError,
  type FieldsInvalid,
  type StorageError,
  type AccountStore,
  type TextCipher,
  type Digests,
  type SendFailed,
} from '@sotto/core'
import {
  opaqueTokenRandomBytes,
  type OpaqueToken,
  type MailUnavailable,
  type TooManyMails,
  type KeyRing,
  readEmail,
  getAccount,
  type GetAccountDeps,
  tellOwner,
  type TellOwnerDeps,
} from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { emailChangeLifetimeMicros } from './email-change.ts'
import type { EmailChangeStore } from './email-change-store.ts'
import { countMails, toRecipient, type CountMailsDeps } from '../passwords/count-mails.ts'

export type RequestEmailChangeDeps = GetAccountDeps &
  CountMailsDeps &
  TellOwnerDeps & {
    readonly accounts: Pick<AccountStore, 'findByName'>
    readonly emailChanges: Pick<EmailChangeStore, 'replace'>
    readonly textCipher: Pick<TextCipher, 'sealText'>
    readonly keyRing: Pick<KeyRing, 'refresh'>
    readonly digests: Pick<Digests, 'accountIndexes' | 'opaqueTokenDigest'>
  }
export interface RequestEmailChangeInput {
  readonly accountId: Uuid
  /** The new email address as it was typed. */
  readonly email: string
  /** The address of the page that confirms the change with this token. Confidential: it is in the mail alone. */
  readonly urlOf: (token: OpaqueToken) => string
}
export type RequestEmailChangeError =
  FieldsInvalid | AccountNotFound | MailUnavailable | TooManyMails | SendFailed | DecryptError | StorageError

/**
 * Mails a link to a new email address; the account has it once the link is used (`confirmEmailChange`), within 24 hours. A change that was
 * asked for before ends. The caller makes sure that the owner proved just now who they are; see `ensureReauthentication`.
 *
 * Nothing tells whether another account has the address: what is written and sent is the same then, but the mail says so and has no link.
 * @errors `fields_invalid`; `mail_unavailable` when no mails can be sent here; `too_many_mails` after 20 in an hour, or 10 to that
 * email; `send_failed`;
 * `account_not_found`, also for a disabled account
 */
export function requestEmailChange(
  deps: RequestEmailChangeDeps,
  input: RequestEmailChangeInput,
): ResultAsync<void, RequestEmailChangeError> {
  return new ResultAsync(request(deps, input))
}

async function request(
  deps: RequestEmailChangeDeps,
  { accountId, email: typed, urlOf }: RequestEmailChangeInput,
): Promise<Result<void, RequestEmailChangeError>> {
  const read = readEmail(typed)
  if (read.isErr()) return err(read.error)
  const email = read.value
  if (deps.mailSender === undefined) return err({ code: 'mail_unavailable' })
  const account = await getAccount(deps, { accountId })
  if (account.isErr()) return err(account.error)
  const counted = await countMails(deps, [[`email-change/${accountId}`, 'address'], toRecipient(email)])
  if (counted.isErr()) return err(counted.error)
  // An account under a key that this process has not read yet would not be found by its name.
  deps.keyRing.refresh()
  const indexes = deps.digests.accountIndexes(accountNameText({ email, externalId: undefined }))
  const holder = await deps.accounts.findByName(indexes)
  if (holder.isErr()) return err(holder.error)
  const stored = await storeChange(deps, accountId, email)
  if (stored.isErr()) return err(stored.error)
  const { token, expiresAtMicros } = stored.value
  return holder.value === undefined || holder.value.id === accountId
    ? tellOwner(deps, email, account.value, { kind: 'confirm', url: urlOf(token), expiresAtMicros })
    : tellOwner(deps, email, holder.value, { kind: 'notice', notice: 'email_taken' })
}

async function storeChange(
  { emailChanges, textCipher, digests, clock, random }: RequestEmailChangeDeps,
  accountId: Uuid,
  email: string,
): Promise<
  Result<{ readonly token: OpaqueToken; readonly expiresAtMicros: number }, AccountNotFound | StorageError>
> {
  const token = makeOpaqueToken(random.bytes(opaqueTokenRandomBytes))
  const createdAtMicros = clock.nowMicros()
  const expiresAtMicros = createdAtMicros + emailChangeLifetimeMicros
  const sealed = textCipher.sealText({ accountId, token }, email)
  const change = { accountId, email: sealed, createdAtMicros, expiresAtMicros }
  const replaced = await emailChanges.replace(change, digests.opaqueTokenDigest('email-change', token))
  return replaced.isErr() ? err(replaced.error) : ok({ token, expiresAtMicros })
}
