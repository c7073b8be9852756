import { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { WelcomeKind } from '../entities/welcome.ts'
import { mailNow, type MailNowDeps, type MailNowError } from './mails.ts'

export type MailWelcomeDeps = MailNowDeps
export interface MailWelcomeInput {
  readonly accountId: Uuid
  readonly welcome: WelcomeKind
  /** The one-time link. Confidential: it is in no queue and no error. */
  readonly url: string
  readonly expiresAtMicros: number
}
export type MailWelcomeError = MailNowError

/**
 * Mails the one-time link of an account at once, not through the queue, whatever mails its owner wants.
 * @errors `account_not_found`; `mail_unavailable` when no mails can be sent here, or the account has no email address; `send_failed`
 */
export function mailWelcome(
  deps: MailWelcomeDeps,
  { accountId, welcome, url, expiresAtMicros }: MailWelcomeInput,
): ResultAsync<void, MailWelcomeError> {
  return new ResultAsync(mailNow(deps, accountId, { kind: 'welcome', welcome, url, expiresAtMicros }))
}
