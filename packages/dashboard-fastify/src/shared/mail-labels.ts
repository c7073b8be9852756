import type { ErrorOf } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import { logError } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { audit } from './audit.ts'
import type { OwnerVisit } from './visit.ts'

// Mails about a secret do not say which one it is, unless its owner chose so. The form of a secret offers that choice, and says where no mails
// are sent.

/** The mails that are sent to an owner. */
export type MailsOfOwner = 'none' | 'without labels' | 'naming labels'

type Offering = Pick<DashboardUseCases, 'getAccount'>

/** The mails that are sent to an owner. */
export async function mailsOf(
  sotto: Offering,
  { accountId }: OwnerVisit,
  canMail: boolean,
): Promise<Result<MailsOfOwner, ErrorOf<Offering['getAccount']>>> {
  if (!canMail) return ok('none')
  const account = await sotto.getAccount({ accountId })
  return account.map(({ email, mails }) => {
    if (email === undefined || !mails.enabled) return 'none'
    return mails.nameLabels ? 'naming labels' : 'without labels'
  })
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
