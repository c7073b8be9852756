import { err, type Result } from 'neverthrow'
import type { Account } from '../entities/account.ts'
import type { Language } from '../entities/language.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountNotFound, DecryptError, MailUnavailable, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import type { MailContent, SendFailed } from '../ports/senders.ts'
import { getAccount } from './get-account.ts'
import { newId } from './ids.ts'

// What the use-cases that send mails have in common.

export type MailNowDeps = Pick<Ports, 'accounts' | 'textCipher' | 'mailSender' | 'clock' | 'random'>
export type MailNowError = AccountNotFound | MailUnavailable | SendFailed | DecryptError | StorageError

/** Sends a mail to an account at once, not through the queue. */
export async function mailNow(
  { accounts, textCipher, mailSender, clock, random }: MailNowDeps,
  accountId: Uuid,
  content: MailContent,
): Promise<Result<void, MailNowError>> {
  if (mailSender === undefined) return err({ code: 'mail_unavailable' })
  const account = await getAccount({ accounts, textCipher }, { accountId })
  if (account.isErr()) return err(account.error)
  const { email: to } = account.value
  if (to === undefined) return err({ code: 'mail_unavailable' })
  const atMicros = clock.nowMicros()
  const language = mailLanguage(account.value)
  return mailSender.send({ id: newId(random, atMicros), to, language, atMicros, content })
}

/** The language of mails to an account: English unless its owner chose another one. */
export function mailLanguage({ language = 'en' }: Pick<Account, 'language'>): Language {
  return language
}
