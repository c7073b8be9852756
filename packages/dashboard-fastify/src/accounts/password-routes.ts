import { markup } from '@sotto/html'
import { err, ok } from 'neverthrow'
import { newPasswordField } from '../invitations/invitation-page.ts'
import { redirect } from '../shared/answers.ts'
import { faults, type FieldProblems } from '../shared/fields.ts'
import { ownerForm } from '../shared/owner-form.ts'
import { reauthenticationField } from '../shared/reauthentication.ts'
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
export function addPasswordRoutes({ router, sotto, showAgain }: PasswordRoutesOptions): void {
  router.session('/settings/password', {
    get: () => Promise.resolve(redirect('/settings/sign-in')),
    post: ownerForm({
      // The email is there for password managers only.
      fields: ['email', 'password', 'proof'],
      needsProof: true,
      run: ({ accountId, session }, { password }) =>
        sotto.changePassword({ accountId, sessionId: session.id, password }),
      names: { password: 'password' },
      audit: ['password_changed'],
      done({ mailed }, visit) {
        reportMail(visit, mailed)
        return '/settings/sign-in?done=passwordChanged'
      },
      again: (visit, { problems, status }) =>
        showAgain(visit, { password: passwordSection({ sotto }, problems) }, status),
    }),
    takesAccessAway: true,
  })
}
