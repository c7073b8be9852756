import { err, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../../shared/uuid.ts'
import type { QuotaExceeded } from '../../quota/errors.ts'
import { mailNow, type MailNowDeps, type MailNowError } from './mails.ts'
import { countTest, type CountTestDeps } from '../../quota/take-quota.ts'

export type TestMailDeps = MailNowDeps & CountTestDeps
export interface TestMailInput {
  readonly accountId: Uuid
  /** Whether the operator asks: their tests are not counted. */
  readonly byOperator?: boolean | undefined
}
export type TestMailError = MailNowError | QuotaExceeded

/**
 * Sends a test mail to an account immediately, not through the queue, whatever mails its owner wants.
 * @errors `quota_exceeded` when the owner has sent as many tests as `testLimits` allow, of mails and webhooks together;
 * `account_not_found`; `mail_unavailable` when no mails can be sent here, or the account has no email address; `send_failed`
 */
export function testMail(deps: TestMailDeps, input: TestMailInput): ResultAsync<void, TestMailError> {
  return new ResultAsync(test(deps, input))
}

async function test(
  deps: TestMailDeps,
  { accountId, byOperator = false }: TestMailInput,
): Promise<Result<void, TestMailError>> {
  if (!byOperator) {
    const counted = await countTest(deps, accountId)
    if (counted.isErr()) return err(counted.error)
  }
  return mailNow(deps, accountId, { kind: 'test' })
}
