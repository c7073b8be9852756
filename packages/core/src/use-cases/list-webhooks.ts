import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { Webhook } from '../entities/webhook.ts'
import type { KeyUnknown, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { showRows, type Page } from './pages.ts'
import { showWebhook } from './webhooks.ts'

export type ListWebhooksDeps = PortMethods<{ webhooks: 'list'; textCipher: 'decryptText' }>
export interface ListWebhooksInput {
  readonly accountId: Uuid
}
export type ListWebhooksError = KeyUnknown | StorageError

/** All webhooks of the account, disabled ones included, by creation and id, on one page. Never their signing secrets. */
export function listWebhooks(
  { webhooks, textCipher }: ListWebhooksDeps,
  { accountId }: ListWebhooksInput,
): ResultAsync<Page<Webhook>, ListWebhooksError> {
  return webhooks.list(accountId).andThen((all) => showRows(all, (stored) => showWebhook(textCipher, stored)))
}
