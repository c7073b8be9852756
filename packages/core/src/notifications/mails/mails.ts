import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow'
import type { Account } from '../../accounts/account.ts'
import type { Language } from '../../shared/language.ts'
import type { Uuid } from '../../shared/uuid.ts'
import { mailUnavailable, type MailUnavailable } from './errors.ts'
import type { AccountNotFound } from '../../accounts/errors.ts'
import type { DecryptError, StorageError } from '../../shared/errors.ts'
import type { MailContent, SendFailed } from '../queue/senders.ts'
import { getAccount } from '../../accounts/find-account.ts'
import { newId } from '../../shared/ids.ts'
import type { DepsOf } from '../../shared/use-case.ts'

// What the use-cases that send mails have in common.

/** What {@link tellOwner} needs, and what tells owners of a new password or email address. */
export const tellOwnerNeeds = ['mailSender?.send', 'clock.nowMicros', 'random.bytes'] as const
type TellOwnerDeps = DepsOf<(typeof tellOwnerNeeds)[number]>

/** What {@link mailNow} and {@link findRecipient} need. */
export const mailNowNeeds = [...getAccount.needs, ...tellOwnerNeeds] as const
type MailNowDeps = DepsOf<(typeof mailNowNeeds)[number]>

/** What can go wrong with sending a mail at once. */
type MailNowError = AccountNotFound | MailUnavailable | SendFailed | DecryptError | StorageError

/** Sends a mail to an account immediately, not through the queue. */
export async function mailNow(
  deps: MailNowDeps,
  accountId: Uuid,
  content: MailContent,
): Promise<Result<void, MailNowError>> {
  const found = await findRecipient(deps, accountId)
  return found.isErr() ? err(found.error) : tellOwner(deps, found.value.email, found.value, content)
}

/** An account that a mail can be sent to. */
export async function findRecipient(
  deps: MailNowDeps,
  accountId: Uuid,
): Promise<Result<Account & { readonly email: string }, Exclude<MailNowError, SendFailed>>> {
  if (deps.mailSender === undefined) return err(mailUnavailable)
  const account = await getAccount(deps, { accountId })
  return account.andThen(({ email, ...rest }) =>
    email === undefined ? err(mailUnavailable) : ok({ ...rest, email }),
  )
}

/** A mail to an owner that is on its way: what was done does not depend on it. */
export interface MailUnderWay {
  /** What became of the mail. Ok also when there was none to send. Never rejects; nobody has to wait for it. */
  readonly mailed: ResultAsync<void, SendFailed>
}

/** Starts to send a mail about an account to an address of it, immediately, not through the queue. Without a mail server there is none. */
export function tellOwner(
  { mailSender, clock, random }: TellOwnerDeps,
  to: string | undefined,
  account: Pick<Account, 'language'>,
  content: MailContent,
): ResultAsync<void, SendFailed> {
  if (mailSender === undefined || to === undefined) return okAsync(undefined)
  const atMicros = clock.nowMicros()
  const id = newId(random, atMicros)
  return mailSender.send({ id, to, language: mailLanguage(account), atMicros, content })
}

/** Tells the owner of an account that it has another password now. */
export function tellOfNewPassword(
  deps: TellOwnerDeps,
  account: Pick<Account, 'email' | 'language'>,
): MailUnderWay['mailed'] {
  return tellOwner(deps, account.email, account, { kind: 'notice', notice: 'password_changed' })
}

/** Tells the old address of an account that it has another one now, if it is another one. */
export function tellOfNewEmail(
  deps: TellOwnerDeps,
  account: Pick<Account, 'email' | 'language'>,
  email: string,
): MailUnderWay['mailed'] {
  const old = account.email === email ? undefined : account.email
  return tellOwner(deps, old, account, { kind: 'notice', notice: 'email_changed' })
}

/** The language of mails to an account: English unless its owner chose another one. */
export function mailLanguage({ language = 'en' }: Pick<Account, 'language'>): Language {
  return language
}
