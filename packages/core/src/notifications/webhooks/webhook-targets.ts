import { okAsync, type ResultAsync } from 'neverthrow'
import type { StorageError } from '../../shared/errors.ts'
import type { Uuid } from '../../shared/uuid.ts'
import type { Target } from '../queue/delivery-store.ts'
import type { WebhookSender } from './webhook-sender.ts'
import type { WebhookStore } from './webhook-store.ts'

export interface WebhookTargetsDeps {
  readonly webhooks: Pick<WebhookStore, 'list'>
  readonly webhookSender?: Pick<WebhookSender, 'send'> | undefined
}

/** The webhooks of an account that are not disabled; none where nothing is posted. */
export function webhookTargets(
  { webhooks, webhookSender }: WebhookTargetsDeps,
  accountId: Uuid,
): ResultAsync<readonly Target[], StorageError> {
  if (webhookSender === undefined) return okAsync([])
  return webhooks
    .list(accountId)
    .map((all) =>
      all
        .filter(({ disabled }) => disabled === undefined)
        .map(({ id: webhookId }): Target => ({ kind: 'webhook', accountId, webhookId })),
    )
}
