import { shortNameError, type FieldError, type Uuid } from '@sotto/core'
import { logError, type FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { fieldProblems, type FieldProblems } from '../shared/fields.ts'
import { invitationPage } from './invitation-page.ts'
import { reportMail } from '../shared/report-mail.ts'
import { refusedInvitation } from '../shared/refused-invitation.ts'
import type { Router } from '../shared/router.ts'
import { endOlderSessions } from '../sessions/sent-sessions.ts'
import type { SessionCookie } from '../sessions/cookies.ts'
import type { Visit } from '../shared/visit.ts'

type UseCases = Pick<
  DashboardUseCases,
  'previewInvitation' | 'choosePassword' | 'setDisplayName' | 'authenticateSession' | 'endSession'
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

interface Refused {
  readonly name: string
  readonly problems: FieldProblems<'password' | 'name'>
}

async function showInvitation(sotto: UseCases, visit: Visit, refused?: Refused): Promise<Answer> {
  const token = visit.params['token'] ?? ''
  const preview = await sotto.previewInvitation({ token })
  if (preview.isErr()) return refusedInvitation(visit, preview.error)
  const { kind, account, removedWebhookHosts } = preview.value
  const { email = '', isHeld, displayName } = account
  const { name = displayName, problems = {} } = refused ?? {}
  const shown = { token, kind, email, isHeld, removedWebhookHosts, name, problems }
  return show(invitationPage(visit.localized, shown), refused === undefined ? 200 : 400)
}

async function choose(
  sotto: UseCases,
  cookie: SessionCookie,
  visit: Visit,
  fields: FormFields,
): Promise<Answer> {
  const { localized, address, params } = visit
  // The email is there for password managers only.
  const form = formOf(fields, ['email', 'password', 'name'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { password, name } = form.value
  const broken = name.trim() === '' ? undefined : shortNameError(name.trim())
  const again = (errors: readonly FieldError[]): Promise<Answer> => {
    const all = broken === undefined ? errors : [...errors, { field: 'displayName', ...broken }]
    const problems = fieldProblems(localized, all, { password: 'password', displayName: 'name' })
    const { password_again: passwordAgain } = localized.texts.common.fieldErrors
    return showInvitation(sotto, visit, { name, problems: { password: passwordAgain, ...problems } })
  }
  // The link can be used once, so the name is checked before.
  if (broken !== undefined) return again([])
  const chosen = await sotto.choosePassword({ token: params['token'] ?? '', password, address })
  if (chosen.isOk()) {
    const { accountId, id, token, removedWebhookHosts, mailed } = chosen.value
    audit(visit, 'password_chosen', { account_id: accountId, session_id: id })
    reportMail(visit, mailed)
    await keepName(sotto, visit, { accountId, name })
    await endOlderSessions({ sotto, cookie, visit })
    const done = removedWebhookHosts.length > 0 ? 'invitationWithoutWebhooks' : 'invitation'
    return redirect(`/dashboard?done=${done}`, cookie.store(token))
  }
  if (chosen.error.code !== 'fields_invalid') return refusedInvitation(visit, chosen.error)
  return again(chosen.error.errors)
}

/** The password is chosen already, so an error is only logged. An empty field leaves the name as it is. */
async function keepName(
  sotto: UseCases,
  visit: Visit,
  { accountId, name }: { readonly accountId: Uuid; readonly name: string },
): Promise<void> {
  if (name.trim() === '') return
  const kept = await sotto.setDisplayName({ accountId, displayName: name })
  if (kept.isOk()) audit(visit, 'display_name_changed', { account_id: accountId })
  else logError(visit.request.log, kept.error, 503)
}
