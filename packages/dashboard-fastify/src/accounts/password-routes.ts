import { markup } from '@sotto/html'
import type { FormFields } from '@sotto/http-fastify/plugin'
import { err, ok } from 'neverthrow'
import { newPasswordField } from '../invitations/invitation-page.ts'
import { redirect, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { fieldProblems, faults, type FieldProblems } from '../shared/fields.ts'
import { formOf } from '../shared/form.ts'
import { prove, reauthenticationField } from '../shared/reauthentication.ts'
import { reportMail } from '../shared/report-mail.ts'
import type { Router } from '../shared/router.ts'
import type { Section, ShowAgain } from '../shared/sections.ts'
import { setting } from '../shared/settings-layout.ts'
import type { SessionVisit } from '../shared/visit.ts'
import type { DashboardUseCases } from '../use-cases.ts'

export interface PasswordRoutesOptions {
  readonly router: Router
  readonly sotto: Pick<DashboardUseCases, 'getAccount' | 'changePassword'>
  /** Shows the settings with the section that has the form again. */
  readonly showAgain: ShowAgain
}

/** The section of `/settings/sign-in` in which an owner changes the password. @param problems of a form that was refused */
export function passwordSection(
  { sotto }: Pick<PasswordRoutesOptions, 'sotto'>,
  problems: FieldProblems = {},
): Section<SessionVisit> {
  return async ({ accountId, localized }, reauthentication) => {
    const account = await sotto.getAccount({ accountId })
    if (account.isErr()) return err(account.error)
    const { email } = account.value
    const { signIn, invitations, accounts } = localized.texts
    const { current, field, change } = accounts.settings.password
    const fault = faults(problems, ['proof', 'password'])
    const form = markup`<form method="post" action="/settings/password">
    ${email !== undefined && markup`<input type="email" name="email" value="${email}" autocomplete="username" hidden>`}
    ${reauthenticationField({ reauthentication, problem: problems['proof'], id: 'password-proof', label: current })}
    ${newPasswordField(localized, { name: 'password', label: field, email, ...fault('password') })}
    <button type="submit" class="secondary">${change}</button>
  </form>`
    return ok(setting(signIn.password, invitations.endsSessions, form))
  }
}

/** `/settings/password`: takes the form of that section. The page was once there. */
export function addPasswordRoutes(options: PasswordRoutesOptions): void {
  options.router.session('/settings/password', {
    get: () => Promise.resolve(redirect('/settings/sign-in')),
    post: (visit, fields) => changePassword(options, visit, fields),
    takesAccessAway: true,
  })
}

async function changePassword(
  options: PasswordRoutesOptions,
  visit: SessionVisit,
  fields: FormFields,
): Promise<Answer> {
  const { sotto, showAgain } = options
  const { accountId, session, localized } = visit
  // The email is there for password managers only.
  const form = formOf(fields, ['email', 'password', 'proof'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { password } = form.value
  const again = (problems: FieldProblems, status = 400): Promise<Answer> =>
    showAgain(visit, { password: passwordSection(options, problems) }, status)
  const outcome = await prove(visit, fields)
  if (outcome !== undefined) {
    return 'kind' in outcome ? outcome : again({ proof: outcome.problem }, outcome.status)
  }
  const changed = await sotto.changePassword({ accountId, sessionId: session.id, password })
  if (changed.isOk()) {
    audit(visit, 'password_changed', { account_id: accountId })
    reportMail(visit, changed.value.mailed)
    return redirect('/settings/sign-in?done=passwordChanged')
  }
  if (changed.error.code !== 'fields_invalid') return errorAnswer(visit, changed.error)
  return again(fieldProblems(localized, changed.error.errors, { password: 'password' }))
}
