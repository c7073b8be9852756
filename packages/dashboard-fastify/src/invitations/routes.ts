import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { fieldProblems } from '../shared/fields.ts'
import { invitationPage } from './invitation-page.ts'
import { reportMail } from '../shared/report-mail.ts'
import { refusedInvitation } from '../shared/refused-invitation.ts'
import type { Router } from '../shared/router.ts'
import { endOlderSessions } from '../sessions/sent-sessions.ts'
import type { SessionCookie } from '../sessions/cookies.ts'
import type { Visit } from '../shared/visit.ts'

type UseCases = Pick<
  DashboardUseCases,
  'previewInvitation' | 'choosePassword' | 'authenticateSession' | 'endSession'
>

export interface InvitationRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly cookie: SessionCookie
}

/** `/welcome/{token}`: the one-time links. */
export function addInvitationRoutes({ router, sotto, cookie }: InvitationRoutesOptions): void {
  router.anyone('/welcome/:token', {
    get: (visit) => showInvitation(sotto, visit),
    post: (visit, fields) => choose(sotto, cookie, visit, fields),
  })
}

async function showInvitation(sotto: UseCases, visit: Visit, problem?: string): Promise<Answer> {
  const token = visit.params['token'] ?? ''
  const preview = await sotto.previewInvitation({ token })
  if (preview.isErr()) return refusedInvitation(visit, preview.error)
  const { kind, account, removedWebhookHosts } = preview.value
  const { email = '', isHeld } = account
  const page = invitationPage(visit.localized, { token, kind, email, isHeld, removedWebhookHosts, problem })
  return show(page, problem === undefined ? 200 : 400)
}

async function choose(
  sotto: UseCases,
  cookie: SessionCookie,
  visit: Visit,
  fields: FormFields,
): Promise<Answer> {
  const { localized, address, params } = visit
  // The email is there for password managers only.
  const form = formOf(fields, ['email', 'password'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { password } = form.value
  const chosen = await sotto.choosePassword({ token: params['token'] ?? '', password, address })
  if (chosen.isOk()) {
    const { accountId, id, token, removedWebhookHosts, mailed } = chosen.value
    audit(visit, 'password_chosen', { account_id: accountId, session_id: id })
    reportMail(visit, mailed)
    await endOlderSessions({ sotto, cookie, visit })
    const done = removedWebhookHosts.length > 0 ? 'invitationWithoutWebhooks' : 'invitation'
    return redirect(`/dashboard?done=${done}`, cookie.store(token))
  }
  if (chosen.error.code !== 'fields_invalid') return refusedInvitation(visit, chosen.error)
  const problems = fieldProblems(localized, chosen.error.errors, { password: 'password' })
  return showInvitation(sotto, visit, problems.password)
}
