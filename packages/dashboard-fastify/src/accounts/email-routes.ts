import type { DashboardError, DashboardUseCases } from '../use-cases.ts'
import { show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer } from '../shared/errors.ts'
import { confirmPage } from './confirm-page.ts'
import { noticePage } from '../shared/notices.ts'
import { reportMail } from '../shared/report-mail.ts'
import type { Router } from '../shared/router.ts'
import type { Visit } from '../shared/visit.ts'

type UseCases = Pick<DashboardUseCases, 'previewEmailChange' | 'confirmEmailChange'>

export interface ConfirmRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
}

/** `/confirm/{token}`: the links that are mailed to new email addresses. They work for whoever opens them, in any browser. */
export function addConfirmRoutes({ router, sotto }: ConfirmRoutesOptions): void {
  router.anyone('/confirm/:token', {
    get: (visit) => showConfirm(sotto, visit),
    post: (visit) => confirm(sotto, visit),
  })
}

async function showConfirm(sotto: UseCases, visit: Visit): Promise<Answer> {
  const token = visit.params['token'] ?? ''
  const preview = await sotto.previewEmailChange({ token })
  if (preview.isErr()) return refused(visit, preview.error)
  return show(confirmPage(visit.localized, { token, email: preview.value.email }))
}

async function confirm(sotto: UseCases, visit: Visit): Promise<Answer> {
  const confirmed = await sotto.confirmEmailChange({ token: visit.params['token'] ?? '' })
  if (confirmed.isErr()) return refused(visit, confirmed.error)
  const { accountId, mailed } = confirmed.value
  audit(visit, 'email_changed', { account_id: accountId })
  reportMail(visit, mailed)
  return show(noticePage(visit.localized, visit.localized.texts.accounts.confirm.done))
}

function refused(visit: Visit, error: DashboardError): Answer {
  if (error.code !== 'email_change_not_found' && error.code !== 'account_exists')
    return errorAnswer(visit, error)
  return show(noticePage(visit.localized, visit.localized.texts.accounts.confirm.gone), 404)
}
