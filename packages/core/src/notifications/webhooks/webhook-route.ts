import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow'
import type { WebhookEndpoint } from './webhook.ts'
import type { StorageError } from '../../shared/errors.ts'
import type { Target } from '../queue/delivery-store.ts'
import type { StoredWebhook } from './webhook-store.ts'
import type { DepsOf } from '../../shared/use-case.ts'
import type { SendFailed } from '../queue/senders.ts'
import type { WebhookSender } from './webhook-sender.ts'
import { webhookAfterFailure } from './webhook-failures.ts'
import { blockedRoute, type Route } from '../queue/routes.ts'
import { endpointOf } from './show-webhook.ts'

/** What {@link webhookRoute} needs. */
export const webhookRouteNeeds = [
  'webhooks.find',
  'webhooks.update',
  'textCipher.decryptText',
  'webhookSender?.send',
  'clock.nowMicros',
] as const

type Deps = DepsOf<(typeof webhookRouteNeeds)[number]>

/** The way to a webhook; Ok(undefined) when there is no such webhook any more. */
export async function webhookRoute(
  deps: Deps,
  { accountId, webhookId }: Target & { readonly kind: 'webhook' },
): Promise<Result<Route | undefined, StorageError>> {
  const found = await deps.webhooks.find(accountId, webhookId)
  if (found.isErr()) return err(found.error)
  const webhook = found.value
  if (webhook === undefined) return ok(undefined)
  if (webhook.disabled !== undefined) return ok(blockedRoute('never', 'webhook disabled'))
  if (deps.webhookSender === undefined) return ok(blockedRoute('retry', 'nothing is posted here'))
  const endpoint = endpointOf(deps.textCipher, webhook)
  if (endpoint.isErr()) return ok(blockedRoute('retry', 'webhook unreadable'))
  return ok(openRoute(deps, deps.webhookSender, webhook, endpoint.value))
}

function openRoute(
  deps: Deps,
  sender: Pick<WebhookSender, 'send'>,
  webhook: StoredWebhook,
  endpoint: WebhookEndpoint,
): Route {
  let isFailing = webhook.failingSinceMicros !== undefined
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- there is nothing to read
    prepare: async ({ event: message }) =>
      ok(() => sender.send({ ...endpoint, message, atMicros: deps.clock.nowMicros() })),

    recordOutcome(sent) {
      const wasFailing = isFailing
      isFailing = sent.isErr()
      return sent.isOk() && !wasFailing ? okAsync(undefined) : recordOutcome(deps, webhook, sent)
    },
  }
}

function recordOutcome(
  { webhooks, clock }: Deps,
  { accountId, id }: StoredWebhook,
  sent: Result<void, SendFailed>,
): ResultAsync<unknown, StorageError> {
  const nowMicros = clock.nowMicros()
  return webhooks.update(accountId, id, (current) =>
    sent.isOk() ? { failingSinceMicros: null } : webhookAfterFailure(current, sent.error.verdict, nowMicros),
  )
}
