import type { ErrorOf } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import { logError } from '../http/answers/log.ts'
import type { DashboardUseCases } from '../use-cases.ts'
import { audit } from './audit.ts'
import type { OwnerVisit } from './visit.ts'

// Mails about a secret do not say which one it is, unless its owner chose so. The form of a secret offers that choice.

type Offering = Pick<DashboardUseCases, 'getAccount'>

/** Whether the form of a secret offers that mails name labels: while mails are sent to its owner, and do not. */
export async function offersLabels(
  sotto: Offering,
  { accountId }: OwnerVisit,
  canMail: boolean,
): Promise<Result<boolean, ErrorOf<Offering['getAccount']>>> {
  if (!canMail) return ok(false)
  const account = await sotto.getAccount({ accountId })
  return account.map(({ email, mails }) => email !== undefined && mails.enabled && !mails.nameLabels)
}

/** Stores that choice, when it was made in the form of a secret that is stored by now: an error is logged, and the secret stays. */
export async function chooseLabels(
  sotto: Pick<DashboardUseCases, 'getAccount' | 'setMails'>,
  visit: OwnerVisit,
  { labels }: { readonly labels: string },
): Promise<void> {
  if (labels === '') return
  const { accountId, request } = visit
  const chosen = await sotto
    .getAccount({ accountId })
    .andThen(({ mails }) => sotto.setMails({ accountId, ...mails, nameLabels: true }))
  if (chosen.isOk()) audit(visit, 'mails_changed', { account_id: accountId })
  else logError(request.log, chosen.error, 503)
}
