import type { Account, QuotaExceeded } from '@sotto/core'
import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf, type Form } from '../shared/form.ts'
import { doneOf } from '../shared/done.ts'
import { failureBanner, notificationsPage, type NotificationsInput } from './notifications-page.ts'
import { reauthenticationNeed, prove } from '../shared/reauthentication.ts'
import { showSections, type Sections } from '../shared/sections.ts'
import { reportMail } from '../shared/report-mail.ts'
import type { Channels } from '../shared/channels.ts'
import type { Router } from '../shared/router.ts'
import type { OwnerVisit } from '../shared/visit.ts'

export interface NotificationsRoutesOptions {
  readonly router: Router
  readonly sotto: Pick<DashboardUseCases, 'getAccount' | 'setMails' | 'testMail'>
  readonly channels: Channels
  readonly sections: Sections
}

/** `/settings/notifications` and its forms for mails. */
export function addNotificationsRoutes(options: NotificationsRoutesOptions): void {
  const { router } = options
  router.owner('/settings/notifications', { get: (visit) => showNotifications(options, visit) })
  router.owner('/settings/notifications/mails', { post: (visit, fields) => setMails(options, visit, fields) })
  router.owner('/settings/notifications/mails/test', { post: (visit) => testMail(options, visit) })
}

export type NotificationsPageOptions = Pick<NotificationsRoutesOptions, 'channels' | 'sections'> & {
  readonly sotto: Pick<DashboardUseCases, 'getAccount'>
}

/** What a page says about a form that did not succeed. */
export type NotificationsAgain = Partial<
  Pick<NotificationsInput, 'failedTest' | 'testsAgainSeconds' | 'refusedMails'>
> & {
  /** The sections that show a form again. */
  readonly sections?: Sections
}

export async function showNotifications(
  { sotto, channels, sections }: NotificationsPageOptions,
  visit: OwnerVisit,
  again: NotificationsAgain = {},
  status = 200,
): Promise<Answer> {
  const { accountId, localized, query } = visit
  const account = await sotto.getAccount({ accountId })
  if (account.isErr()) return errorAnswer(visit, account.error)
  const reauthentication = await reauthenticationNeed(visit)
  const shown = await showSections({ ...sections, ...again.sections }, visit, reauthentication)
  if (shown.isErr()) return errorAnswer(visit, shown.error)
  const page = notificationsPage(localized, {
    account: account.value,
    canMail: channels.canMail,
    done: doneOf(localized, query['done']),
    ...again,
    reauthentication,
    sections: shown.value,
  })
  return show(page, status)
}

/** Switches mails on or off. Off needs a fresh re-authentication: whoever stole a session must not open secrets unnoticed. */
async function setMails(
  options: NotificationsRoutesOptions,
  visit: OwnerVisit,
  fields: FormFields,
): Promise<Answer> {
  const { sotto } = options
  const { accountId, localized } = visit
  const form = formOf(fields, ['enabled', 'labels', 'shown', 'proof'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const account = await sotto.getAccount({ accountId })
  if (account.isErr()) return errorAnswer(visit, account.error)
  const { mails } = account.value
  const chosen = chosenMails(mails, form.value)
  if (mails.enabled && !chosen.enabled) {
    const outcome = await prove(visit, fields)
    if (outcome !== undefined && 'kind' in outcome) return outcome
    if (outcome !== undefined) {
      const refusedMails = { chosen, problem: outcome.problem }
      return showNotifications(options, visit, { refusedMails }, outcome.status)
    }
  }
  const set = await sotto.setMails({ accountId, ...chosen })
  if (set.isErr()) return errorAnswer(visit, set.error)
  audit(visit, 'mails_changed', { account_id: accountId })
  reportMail(visit, set.value.mailed)
  return redirect('/settings/notifications?done=mailsSaved')
}

/**
 * The mails that a form chooses. A box that its sender has not touched stays as it is: it may have been changed in another window in the
 * meantime. A form that does not say what its boxes showed is taken at its word.
 */
function chosenMails(
  { enabled, nameLabels }: Account['mails'],
  form: Form<'enabled' | 'labels' | 'shown' | 'proof'>,
): Account['mails'] {
  if (form.shown === '') return { enabled: form.enabled !== '', nameLabels: form.labels !== '' }
  const shown = new Set(form.shown.split(' '))
  const chosen = (name: 'enabled' | 'labels', isStored: boolean): boolean =>
    (form[name] !== '') === shown.has(name) ? isStored : form[name] !== ''
  return { enabled: chosen('enabled', enabled), nameLabels: chosen('labels', nameLabels) }
}

/** The page with the answer to a test that was one too many. */
export async function tooManyTests(
  options: NotificationsPageOptions,
  visit: OwnerVisit,
  { retryAfterSeconds }: QuotaExceeded,
): Promise<Answer> {
  const headers = { 'retry-after': String(retryAfterSeconds) }
  const again = await showNotifications(options, visit, { testsAgainSeconds: retryAfterSeconds }, 429)
  return again.kind === 'page' && again.status === 429 ? { ...again, headers } : again
}

async function testMail(options: NotificationsRoutesOptions, visit: OwnerVisit): Promise<Answer> {
  const tested = await options.sotto.testMail({ accountId: visit.accountId })
  if (tested.isOk()) return redirect('/settings/notifications?done=mailTested')
  const { error } = tested
  switch (error.code) {
    case 'quota_exceeded':
      return tooManyTests(options, visit, error)
    case 'send_failed':
      return showNotifications(options, visit, {
        failedTest: failureBanner(visit.localized.texts.notifications.mails.testFailed, error.reason),
      })
    case 'mail_unavailable':
      // The page itself says why there are no mails.
      return showNotifications(options, visit, {}, 409)
    default:
      return errorAnswer(visit, error)
  }
}
