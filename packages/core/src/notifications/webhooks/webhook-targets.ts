import { okAsync, type ResultAsync } from 'neverthrow'
import type { StorageError } from '../../shared/errors.ts'
import type { DepsOf } from '../../shared/use-case.ts'
import type { Uuid } from '../../shared/uuid.ts'
import type { Target } from '../queue/delivery-store.ts'

/** What {@link webhookTargets} needs. */
export const webhookTargetsNeeds = ['webhooks.list', 'webhookSender?.send'] as const

/** The webhooks of an account that are not disabled; none where nothing is posted. */
export function webhookTargets(
  { webhooks, webhookSender }: DepsOf<(typeof webhookTargetsNeeds)[number]>,
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
