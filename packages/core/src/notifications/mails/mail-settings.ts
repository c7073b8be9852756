import { err, ok } from 'neverthrow'
import { accountNotFound } from '../../accounts/errors.ts'
import { getAccount } from '../../accounts/find-account.ts'
import { countCallNeeds, countTest } from '../../quota/count-call.ts'
import { aBoolean } from '../../shared/inputs.ts'
import { account } from '../../shared/shapes.ts'
import { useCase } from '../../shared/use-case.ts'
import { mailNow, mailNowNeeds, tellOwner, tellOwnerNeeds, type MailUnderWay } from './mails.ts'

/**
 * Chooses which mails about secrets an account's owner gets. A last mail tells of it when they are switched off: whoever opens the secrets of
 * a stolen session would do that first.
 * @errors `account_not_found`
 */
export const setMails = useCase({
  needs: [...getAccount.needs, ...tellOwnerNeeds, 'accounts.setMails'],
  takes: {
    ...account,
    /** Whether mails are sent at all, to an account that has an email address. */
    enabled: aBoolean,
    /** Whether they name the secret's label. */
    nameLabels: aBoolean,
  },
  async run(deps, { accountId, enabled, nameLabels }) {
    const account = await getAccount(deps, { accountId })
    if (account.isErr()) return account
    const found = await deps.accounts.setMails(accountId, { enabled, nameLabels })
    if (found.isErr()) return found
    if (!found.value) return err(accountNotFound)
    const { email, mails } = account.value
    const to = mails.enabled && !enabled ? email : undefined
    const mailed = tellOwner(deps, to, account.value, { kind: 'notice', notice: 'mails_off' })
    return ok<MailUnderWay>({ mailed })
  },
})

/**
 * Sends a test mail to an account immediately, not through the queue, whatever mails its owner wants.
 * @errors `quota_exceeded` when the owner has sent as many tests as `testLimits` allow, of mails and webhooks together;
 * `account_not_found`; `mail_unavailable` when no mails can be sent here, or the account has no email address; `send_failed`
 */
export const testMail = useCase({
  needs: [...countCallNeeds, ...mailNowNeeds],
  takes: account,
  mayTake: {
    /** Whether the operator asks: their tests are not counted. */
    byOperator: aBoolean,
  },
  async run(deps, { accountId, byOperator = false }) {
    if (!byOperator) {
      const counted = await countTest(deps, accountId)
      if (counted.isErr()) return counted
    }
    return mailNow(deps, accountId, { kind: 'test' })
  },
})
