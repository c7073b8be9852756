import { takesFiles } from '@sotto/core'
import { ok } from 'neverthrow'
import { confirmUrl } from '@sotto/wire/identity'
import { filledText } from '@sotto/html'
import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { doneOf } from '../shared/done.ts'
import { pageAround } from '../shared/next-path.ts'
import { fieldProblems } from '../shared/fields.ts'
import { helpPage } from './help-page.ts'
import { settingsPage, type RefusedForm } from './settings-page.ts'
import { reauthenticationNeed, prove } from '../shared/reauthentication.ts'
import type { Router } from '../shared/router.ts'
import type { OwnerVisit } from '../shared/visit.ts'
import type { Channels } from '../shared/channels.ts'

type UseCases = Pick<
  DashboardUseCases,
  'policy' | 'fileUsage' | 'getAccount' | 'requestEmailChange' | 'setDisplayName' | 'setLanguage'
>

export interface SettingsRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly baseUrl: string
  readonly channels: Channels
}

type PageOptions = Pick<SettingsRoutesOptions, 'sotto' | 'channels'>

/** `/settings` and its forms for email, display name and language; `/help`. */
export function addSettingsRoutes(options: SettingsRoutesOptions): void {
  const { router, sotto } = options
  router.owner('/settings', { get: (visit) => showSettings(options, visit) })
  router.session('/settings/email', { post: (visit, fields) => askForEmail(options, visit, fields) })
  router.owner('/settings/name', { post: (visit, fields) => setDisplayName(options, visit, fields) })
  router.owner('/help', { get: ({ localized }) => Promise.resolve(show(helpPage(localized, sotto.policy))) })
  router.owner('/settings/language', { post: (visit, fields) => setLanguage(sotto, visit, fields) })
}

async function showSettings(
  { sotto, channels }: PageOptions,
  visit: OwnerVisit,
  refused?: RefusedForm & { readonly status: number },
): Promise<Answer> {
  const { accountId, localized, query } = visit
  const account = await sotto.getAccount({ accountId })
  if (account.isErr()) return errorAnswer(visit, account.error)
  const usage = takesFiles(sotto.policy.files) ? await sotto.fileUsage({ accountId }) : ok(undefined)
  if (usage.isErr()) return errorAnswer(visit, usage.error)
  const done = doneOf(localized, query['done'])
  const { canMail } = channels
  const input = {
    account: account.value,
    files: usage.value,
    reauthentication: await reauthenticationNeed(visit),
    canMail,
    done,
    refused,
  }
  return show(settingsPage(localized, input), refused?.status ?? 200)
}

/** Asks for a new email address. The answer is the same whether another account has it or not. */
async function askForEmail(
  options: SettingsRoutesOptions,
  visit: OwnerVisit,
  fields: FormFields,
): Promise<Answer> {
  const { sotto, baseUrl } = options
  const { accountId, localized } = visit
  const form = formOf(fields, ['email', 'proof'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { email } = form.value
  const again = (problems: RefusedForm['problems'], status = 400): Promise<Answer> =>
    showSettings(options, visit, { form: 'email', email, problems, status })
  const outcome = await prove(visit, fields)
  if (outcome !== undefined) {
    return 'kind' in outcome ? outcome : again({ proof: outcome.problem }, outcome.status)
  }
  const urlOf = (token: string): string => confirmUrl(baseUrl, token)
  const asked = await sotto.requestEmailChange({ accountId, email, urlOf })
  if (asked.isOk()) {
    audit(visit, 'email_change_asked', { account_id: accountId })
    return redirect('/settings?done=emailAsked')
  }
  const { error } = asked
  switch (error.code) {
    case 'fields_invalid':
      return again(fieldProblems(localized, error.errors, { email: 'email' }))
    case 'too_many_mails': {
      const when = localized.fromNow(error.retryAfterSeconds)
      return again({ email: filledText(localized.texts.passwords.tooMany, { when }) }, 429)
    }
    case 'send_failed':
      return again({ email: localized.texts.accounts.settings.email.notSent })
    default:
      return errorAnswer(visit, error)
  }
}

/** An empty field erases the name. */
async function setDisplayName(options: PageOptions, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { accountId, localized } = visit
  const form = formOf(fields, ['name'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { name } = form.value
  const displayName = name.trim() === '' ? undefined : name
  const set = await options.sotto.setDisplayName({ accountId, displayName })
  if (set.isOk()) {
    audit(visit, 'display_name_changed', { account_id: accountId })
    return redirect(`/settings?done=${displayName === undefined ? 'nameErased' : 'nameSaved'}`)
  }
  if (set.error.code !== 'fields_invalid') return errorAnswer(visit, set.error)
  const problems = fieldProblems(localized, set.error.errors, { displayName: 'name' })
  return showSettings(options, visit, { form: 'name', name, problems, status: 400 })
}

async function setLanguage(sotto: UseCases, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const form = formOf(fields, ['language'])
  if (form.isErr()) return statusAnswer(visit.localized, form.error.status)
  const language = form.value.language === '' ? undefined : form.value.language
  const set = await sotto.setLanguage({ accountId: visit.accountId, language })
  if (set.isErr()) return errorAnswer(visit, set.error)
  audit(visit, 'language_changed', { account_id: visit.accountId })
  // The choice is in the footer of every page.
  const from = URL.parse(visit.request.headers.referer ?? '')
  return redirect(
    from === null || from.pathname === '/settings' ? '/settings?done=languageSaved' : pageAround(from),
  )
}
