import { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import { mailNow, type MailNowDeps, type MailNowError } from './mails.ts'

export type TestMailDeps = MailNowDeps
export interface TestMailInput {
  readonly accountId: Uuid
}
export type TestMailError = MailNowError

/**
 * Sends a test mail to an account immediately, not through the queue, whatever mails its owner wants.
 * @errors `account_not_found`; `mail_unavailable` when no mails can be sent here, or the account has no email address; `send_failed`
 */
export function testMail(deps: TestMailDeps, { accountId }: TestMailInput): ResultAsync<void, TestMailError> {
  return new ResultAsync(mailNow(deps, accountId, { kind: 'test' }))
}
