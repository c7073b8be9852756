import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type { StorageError, WebhookNotFound } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'

export type DeleteWebhookDeps = PortMethods<{ webhooks: 'erase' }>
export interface DeleteWebhookInput {
  readonly accountId: Uuid
  readonly id: string
}
export type DeleteWebhookError = WebhookNotFound | StorageError

/**
 * Erases a webhook with all messages that wait for it.
 * @errors `webhook_not_found`, the same for an unknown, malformed or another account's id
 */
export function deleteWebhook(
  { webhooks }: DeleteWebhookDeps,
  { accountId, id }: DeleteWebhookInput,
): ResultAsync<void, DeleteWebhookError> {
  return webhooks
    .erase(accountId, uuidToFind(id))
    .andThen((found): Result<void, WebhookNotFound> => (found ? ok() : err({ code: 'webhook_not_found' })))
}
