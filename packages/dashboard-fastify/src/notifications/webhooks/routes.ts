import { err, ok, type Result } from 'neverthrow'
import type { ErrorOf, Webhook, WebhookNotFound } from '@sotto/core'
import { logCorruption } from '@sotto/http-fastify/plugin'
import type { DashboardError, DashboardUseCases } from '../../use-cases.ts'
import type { Post } from '../../shared/answer-form.ts'
import { redirect, show, type Answer } from '../../shared/answers.ts'
import { errorAnswer } from '../../shared/errors.ts'
import { ownerButton, ownerForm, provenQuestion, type Question } from '../../shared/owner-form.ts'
import { newWebhookPage } from './new-webhook-page.ts'
import { addressText, webhookAddress, webhooksSection, type WebhooksInput } from './webhooks-section.ts'
import type { Router } from '../../shared/router.ts'
import { idOf, named, type OwnerVisit } from '../../shared/visit.ts'
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
  const {
    router,
    sotto,
    channels: { canPost },
  } = options
  router.owner('/settings/notifications/webhooks', {
    // The page itself says that nothing is posted.
    post: canPost ? createForm(options) : (visit) => showNotifications(options, visit, {}, 409),
  })
  router.owner('/settings/notifications/webhooks/:id/test', { post: (visit) => test(options, visit) })
  router.owner('/settings/notifications/webhooks/:id/delete', {
    // Deleting one needs a fresh re-authentication, as switching mails off does.
    ...provenQuestion<OwnerVisit>(
      (visit) => deletion(sotto, visit),
      ownerButton({
        run: (visit) => sotto.deleteWebhook(named(visit)),
        audit: ['webhook_deleted', 'webhook_id'],
        done: '/settings/notifications?done=webhookDeleted',
      }),
    ),
    takesAccessAway: true,
  })
}

function createForm(options: WebhookRoutesOptions): Post<OwnerVisit> {
  return ownerForm({
    fields: ['url', 'proof'],
    needsProof: true,
    run: ({ accountId }, { url }) => options.sotto.createWebhook({ accountId, url }),
    names: { url: 'url' },
    audit: ['webhook_created', 'webhook_id'],
    done: (created, { localized }) => show(newWebhookPage(localized, created), 201),
    again(visit, { form: { url }, problems, status }) {
      const webhooks = webhookSection(options, { url, problems })
      return showNotifications(options, visit, { sections: { webhooks } }, status)
    },
    // The page itself says so, instead of the form.
    explain: (_visit, { code }) =>
      code === 'webhook_limit_reached' ? { problems: {}, status: 409 } : undefined,
  })
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

async function deletion(sotto: UseCases, visit: OwnerVisit): Promise<Result<Question, DashboardError>> {
  const webhook = await findWebhook(sotto, visit)
  return webhook.map(({ id, url }) => {
    const { delete: button, deleteHeading: heading, deleteLead: lead } = visit.localized.texts.webhooks
    const action = `/settings/notifications/webhooks/${id}/delete`
    return { heading, label: addressText(url), lead, action, button, back: '/settings/notifications' }
  })
}
