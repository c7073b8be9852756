import { err, ok, type Result } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import { parseWebhookEndpoint, type Webhook, type WebhookEndpoint } from '../entities/webhook.ts'
import type { DataCorrupted, DecryptError } from '../errors.ts'
import type { TextCipher } from '../ports/cipher.ts'
import type { TextPlace } from '../ports/text-columns.ts'
import type { StoredWebhook } from '../ports/webhook-store.ts'

// What the use-cases of webhooks have in common.

/** Where the endpoint of a webhook is stored. */
export function endpointPlace(accountId: Uuid, id: Uuid): TextPlace {
  return { column: 'webhook.endpoint', accountId, rowId: id }
}

/** Address and signing secret of a stored webhook. */
export function endpointOf(
  cipher: Pick<TextCipher, 'decryptText'>,
  { accountId, id, endpoint }: StoredWebhook,
): Result<WebhookEndpoint, DecryptError> {
  return cipher
    .decryptText(endpointPlace(accountId, id), endpoint)
    .andThen((text): Result<WebhookEndpoint, DataCorrupted> => {
      const parsed = parseWebhookEndpoint(text)
      return parsed === undefined ? err({ code: 'data_damaged', what: 'webhook.endpoint', id }) : ok(parsed)
    })
}

/** A stored webhook as its owner sees it: without its signing secret. */
export function showWebhook(
  cipher: Pick<TextCipher, 'decryptText'>,
  stored: StoredWebhook,
): Result<Webhook, DecryptError> {
  const { id, createdAtMicros, failingSinceMicros, disabled } = stored
  return endpointOf(cipher, stored).map(({ url }) => ({
    id,
    url,
    createdAtMicros,
    failingSinceMicros,
    disabled,
  }))
}
