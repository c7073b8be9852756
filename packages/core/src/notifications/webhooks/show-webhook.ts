import { err, ok, type Result } from 'neverthrow'
import type { TextCipher } from '../../shared/cipher.ts'
import type { DataCorrupted, DecryptError } from '../../shared/errors.ts'
import type { TextPlace } from '../../shared/text-columns.ts'
import type { Uuid } from '../../shared/uuid.ts'
import type { StoredWebhook } from './webhook-store.ts'
import { parseWebhookEndpoint, type Webhook, type WebhookEndpoint } from './webhook.ts'

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
