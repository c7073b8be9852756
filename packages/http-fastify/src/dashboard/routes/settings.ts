import type { FormFields } from '../../http/form-body.ts'
import type { DashboardUseCases } from '../../use-cases.ts'
import { redirect, show, type Answer } from '../answers.ts'
import { audit } from '../audit.ts'
import { errorAnswer, statusAnswer } from '../errors.ts'
import { formOf } from '../form.ts'
import { doneOf } from '../pages/done.ts'
import { fieldProblems } from '../pages/fields.ts'
import { settingsPage, type RefusedForm } from '../pages/settings-page.ts'
import { needsProof, prove } from '../proof.ts'
import type { Router } from '../router.ts'
import type { OwnerVisit, SessionVisit } from '../visit.ts'

type UseCases = Pick<
  DashboardUseCases,
  'getAccount' | 'changeEmail' | 'changePassword' | 'setLanguage' | 'ensureProof'
>

export interface SettingsRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
}

/** `/settings` and its forms for email, password and language. */
export function addSettingsRoutes({ router, sotto }: SettingsRoutesOptions): void {
  router.owner('/settings', { get: (visit) => showSettings(sotto, visit) })
  router.session('/settings/email', { post: (visit, fields) => changeEmail(sotto, visit, fields) })
  router.session('/settings/password', {
    post: (visit, fields) => changePassword(sotto, visit, fields),
    takesAccessAway: true,
  })
  router.owner('/settings/language', { post: (visit, fields) => setLanguage(sotto, visit, fields) })
}

async function showSettings(
  sotto: UseCases,
  visit: OwnerVisit,
  refused?: RefusedForm & { readonly status: number },
): Promise<Answer> {
  const { accountId, localized, query } = visit
  const account = await sotto.getAccount({ accountId })
  if (account.isErr()) return errorAnswer(visit, account.error)
  const done = doneOf(localized, query['done'])
  const input = { account: account.value, needsProof: needsProof(visit), done, refused }
  return show(settingsPage(localized, input), refused?.status ?? 200)
}

async function changeEmail(sotto: UseCases, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { accountId, localized } = visit
  const form = formOf(fields, ['email', 'proof'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { email, proof } = form.value
  const again = (problems: RefusedForm['problems'], status = 400): Promise<Answer> =>
    showSettings(sotto, visit, { form: 'email', email, problems, status })
  const outcome = await prove(sotto, visit, proof)
  if (outcome !== undefined) {
    return 'kind' in outcome ? outcome : again({ proof: outcome.problem }, outcome.status)
  }
  const changed = await sotto.changeEmail({ accountId, email })
  if (changed.isOk()) {
    audit(visit, 'email_changed', { account_id: accountId })
    return redirect('/settings?done=emailChanged')
  }
  switch (changed.error.code) {
    case 'fields_invalid':
      return again(fieldProblems(localized, changed.error.errors, { email: 'email' }))
    case 'account_exists':
      return again({ email: localized.texts.common.fieldErrors.already_used }, 409)
    default:
      return errorAnswer(visit, changed.error)
  }
}

async function changePassword(sotto: UseCases, visit: SessionVisit, fields: FormFields): Promise<Answer> {
  const { accountId, session, localized } = visit
  // The email is there for password managers only.
  const form = formOf(fields, ['email', 'password', 'proof'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { password, proof } = form.value
  const again = (problems: RefusedForm['problems'], status = 400): Promise<Answer> =>
    showSettings(sotto, visit, { form: 'password', problems, status })
  const outcome = await prove(sotto, visit, proof)
  if (outcome !== undefined) {
    return 'kind' in outcome ? outcome : again({ proof: outcome.problem }, outcome.status)
  }
  const changed = await sotto.changePassword({ accountId, sessionId: session.id, password })
  if (changed.isOk()) {
    audit(visit, 'password_changed', { account_id: accountId })
    return redirect('/settings?done=passwordChanged')
  }
  if (changed.error.code !== 'fields_invalid') return errorAnswer(visit, changed.error)
  return again(fieldProblems(localized, changed.error.errors, { password: 'password' }))
}

async function setLanguage(sotto: UseCases, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const form = formOf(fields, ['language'])
  if (form.isErr()) return statusAnswer(visit.localized, form.error.status)
  const language = form.value.language === '' ? undefined : form.value.language
  const set = await sotto.setLanguage({ accountId: visit.accountId, language })
  return set.isOk() ? redirect('/settings?done=languageSaved') : errorAnswer(visit, set.error)
}
