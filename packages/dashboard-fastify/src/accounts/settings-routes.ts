import { takesFiles, type ErrorOf } from '@sotto/core'
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
import type { FieldProblems } from '../shared/fields.ts'
import { helpPage } from './help-page.ts'
import { settingsPage, type RefusedForm } from './settings-page.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { ownerForm } from '../shared/owner-form.ts'
import { reauthenticationNeed } from '../shared/reauthentication.ts'
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
  const { router, sotto, baseUrl } = options
  router.owner('/settings', { get: (visit) => showSettings(options, visit) })
  // The answer is the same whether another account has the address or not.
  router.session('/settings/email', {
    post: ownerForm({
      fields: ['email', 'proof'],
      needsProof: true,
      run: ({ accountId }, { email }) =>
        sotto.requestEmailChange({ accountId, email, urlOf: (token) => confirmUrl(baseUrl, token) }),
      names: { email: 'email' },
      audit: ['email_change_asked'],
      done: '/settings?done=emailAsked',
      again: (visit, { form: { email }, ...refused }) =>
        showSettings(options, visit, { form: 'email', email, ...refused }),
      explain: ({ localized }, error) => wrongEmail(localized, error),
    }),
  })
  // An empty field erases the name.
  router.owner('/settings/name', {
    post: ownerForm({
      fields: ['name'],
      run({ accountId }, { name }) {
        const displayName = name.trim() === '' ? undefined : name
        const set = sotto.setDisplayName({ accountId, displayName })
        return set.map(() => (displayName === undefined ? 'nameErased' : 'nameSaved'))
      },
      names: { displayName: 'name' },
      audit: ['display_name_changed'],
      done: (done) => `/settings?done=${done}`,
      again: (visit, { form: { name }, ...refused }) =>
        showSettings(options, visit, { form: 'name', name, ...refused }),
    }),
  })
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

/** What the form for a new email address says of an address that was not asked. */
function wrongEmail(
  { texts, fromNow }: LocalizedDashboard,
  error: ErrorOf<UseCases['requestEmailChange']>,
): { readonly problems: FieldProblems<'email'>; readonly status: number } | undefined {
  switch (error.code) {
    case 'too_many_mails': {
      const when = fromNow(error.retryAfterSeconds)
      return { problems: { email: filledText(texts.passwords.tooMany, { when }) }, status: 429 }
    }
    case 'send_failed':
      return { problems: { email: texts.accounts.settings.email.notSent }, status: 400 }
    default:
      return undefined
  }
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
