import { err, ok, type Result } from 'neverthrow'
import type { ErrorOf, Webhook, WebhookNotFound } from '@sotto/core'
import { logCorruption, type FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../../use-cases.ts'
import { redirect, show, type Answer } from '../../shared/answers.ts'
import { audit } from '../../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../../shared/errors.ts'
import { formOf } from '../../shared/form.ts'
import { fieldProblems } from '../../shared/fields.ts'
import { newWebhookPage } from './new-webhook-page.ts'
import { questionPage } from '../../shared/question-page.ts'
import { addressText, webhookAddress, webhooksSection, type WebhooksInput } from './webhooks-section.ts'
import {
  reauthenticationField,
  reauthenticationNeed,
  prove,
  refusedReauthentication,
} from '../../shared/reauthentication.ts'
import type { Router } from '../../shared/router.ts'
import { idOf, type OwnerVisit } from '../../shared/visit.ts'
import type { Section } from '../../shared/sections.ts'
import { failureBanner } from '../notifications-page.ts'
import { tooManyTests, showNotifications, type NotificationsPageOptions } from '../routes.ts'

type UseCases = Pick<
  DashboardUseCases,
  'getAccount' | 'listWebhooks' | 'createWebhook' | 'testWebhook' | 'deleteWebhook'
>

export interface WebhookRoutesOptions extends NotificationsPageOptions {
  readonly router: Router
  readonly sotto: UseCases
}

/**
 * The section about webhooks of `/settings/notifications`.
 * @param form what was typed as the address of a new one, and what is wrong with it
 */
export function webhookSection(
  {
    sotto,
    channels: { canPost },
  }: Pick<WebhookRoutesOptions, 'channels'> & {
    readonly sotto: Pick<UseCases, 'listWebhooks'>
  },
  form: Pick<WebhooksInput, 'url' | 'problems'> = { url: '', problems: {} },
): Section {
  return async ({ accountId, localized, request }, reauthentication) => {
    const listed = await sotto.listWebhooks({ accountId })
    return listed.map(({ items: webhooks, corrupted }) => {
      logCorruption(request.log, corrupted)
      const shown = { webhooks, corruptedCount: corrupted.length, canPost, reauthentication }
      return webhooksSection(localized, { ...shown, ...form })
    })
  }
}

/** What is posted from `/settings/notifications` about webhooks. */
export function addWebhookRoutes(options: WebhookRoutesOptions): void {
  const { router, sotto } = options
  router.owner('/settings/notifications/webhooks', {
    post: (visit, fields) => create(options, visit, fields),
  })
  router.owner('/settings/notifications/webhooks/:id/test', { post: (visit) => test(options, visit) })
  router.owner('/settings/notifications/webhooks/:id/delete', {
    get: (visit) => askToDelete(sotto, visit),
    post: (visit, fields) => remove(sotto, visit, fields),
    takesAccessAway: true,
  })
}

async function create(options: WebhookRoutesOptions, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { accountId, localized } = visit
  const form = formOf(fields, ['url', 'proof'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { url } = form.value
  const again = (problems: WebhooksInput['problems'], status = 400): Promise<Answer> =>
    showNotifications(
      options,
      visit,
      { sections: { webhooks: webhookSection(options, { url, problems }) } },
      status,
    )
  // The page itself says that nothing is posted.
  if (!options.channels.canPost) return again({}, 409)
  const outcome = await prove(visit, fields)
  if (outcome !== undefined) {
    return 'kind' in outcome ? outcome : again({ proof: outcome.problem }, outcome.status)
  }
  const created = await options.sotto.createWebhook({ accountId, url })
  if (created.isOk()) {
    audit(visit, 'webhook_created', { account_id: accountId, webhook_id: created.value.id })
    return show(newWebhookPage(localized, created.value), 201)
  }
  switch (created.error.code) {
    case 'fields_invalid':
      return again(fieldProblems(localized, created.error.errors, { url: 'url' }))
    case 'webhook_limit_reached':
      // The page itself says so, instead of the form.
      return again({}, 409)
    default:
      return errorAnswer(visit, created.error)
  }
}

async function test(options: WebhookRoutesOptions, visit: OwnerVisit): Promise<Answer> {
  const webhook = await findWebhook(options.sotto, visit)
  if (webhook.isErr()) return errorAnswer(visit, webhook.error)
  const { accountId } = visit
  const { id, url } = webhook.value
  const tested = await options.sotto.testWebhook({ accountId, id })
  if (tested.isOk()) return redirect('/settings/notifications?done=webhookTested')
  if (tested.error.code === 'quota_exceeded') return tooManyTests(options, visit, tested.error)
  if (tested.error.code !== 'send_failed') return errorAnswer(visit, tested.error)
  const { reason } = tested.error
  const { testFailed } = visit.localized.texts.webhooks
  const failedTest = failureBanner(testFailed, reason, { address: webhookAddress(url) })
  return showNotifications(options, visit, { failedTest })
}

async function findWebhook(
  sotto: Pick<UseCases, 'listWebhooks'>,
  visit: OwnerVisit,
): Promise<Result<Webhook, ErrorOf<UseCases['listWebhooks']> | WebhookNotFound>> {
  const { accountId } = visit
  const id = idOf(visit)
  const webhooks = await sotto.listWebhooks({ accountId })
  if (webhooks.isErr()) return err(webhooks.error)
  const found = webhooks.value.items.find((webhook) => webhook.id === id)
  return found === undefined ? err({ code: 'webhook_not_found' }) : ok(found)
}

async function askToDelete(
  sotto: UseCases,
  visit: OwnerVisit,
  problem?: string,
  status = 200,
): Promise<Answer> {
  const { localized } = visit
  const webhook = await findWebhook(sotto, visit)
  if (webhook.isErr()) return errorAnswer(visit, webhook.error)
  const { delete: button, deleteHeading: heading, deleteLead: lead } = localized.texts.webhooks
  const { id, url } = webhook.value
  const action = `/settings/notifications/webhooks/${id}/delete`
  const fields = reauthenticationField({
    reauthentication: await reauthenticationNeed(visit),
    problem,
    id: 'proof',
    hasFocus: true,
  })
  const question = { heading, label: addressText(url), lead, action, button, fields }
  const page = questionPage(localized, { ...question, place: 'settings', back: '/settings/notifications' })
  return show(page, status)
}

/** Removes a webhook. This needs a fresh re-authentication, as switching mails off does. */
async function remove(sotto: UseCases, visit: OwnerVisit, fields: FormFields): Promise<Answer> {
  const { accountId } = visit
  const again = (problem: string, status: number) => askToDelete(sotto, visit, problem, status)
  const refused = await refusedReauthentication(visit, fields, again)
  if (refused !== undefined) return refused
  const id = idOf(visit)
  const deleted = await sotto.deleteWebhook({ accountId, id })
  if (deleted.isErr()) return errorAnswer(visit, deleted.error)
  audit(visit, 'webhook_deleted', { account_id: accountId, webhook_id: id })
  return redirect('/settings/notifications?done=webhookDeleted')
}
