import { err, ResultAsync, type Result } from 'neverthrow'
import { uuidToFind, type Uuid } from '../../shared/uuid.ts'
import type { WebhookNotFound } from './errors.ts'
import type { QuotaExceeded } from '../../quota/errors.ts'
import type { DecryptError, StorageError } from '../../shared/errors.ts'
import type { WebhookStore } from './webhook-store.ts'
import type { TextCipher } from '../../shared/cipher.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Random } from '../../shared/random.ts'
import type { SendFailed } from '../queue/senders.ts'
import type { WebhookSender } from './webhook-sender.ts'
import { foundOr } from '../../shared/found-or.ts'
import { newId } from '../../shared/ids.ts'
import { countTest, type CountTestDeps } from '../../quota/take-quota.ts'
import { endpointOf } from './webhooks.ts'

export type TestWebhookDeps = CountTestDeps & {
  readonly webhooks: Pick<WebhookStore, 'find' | 'update'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly clock: Clock
  readonly random: Random
  readonly webhookSender?: Pick<WebhookSender, 'send'> | undefined
}
export interface TestWebhookInput {
  readonly accountId: Uuid
  readonly id: string
  /** Whether the operator asks: their tests are not counted. */
  readonly byOperator?: boolean | undefined
}
export type TestWebhookError = WebhookNotFound | QuotaExceeded | SendFailed | DecryptError | StorageError

/**
 * Posts a `webhook.test` message immediately, not through the queue. Success enables a webhook that is disabled; failure changes nothing.
 * @errors `webhook_not_found`, the same for an unknown, malformed or another account's id;
 * `quota_exceeded` when the owner has sent as many tests as `testLimits` allow, of mails and webhooks together; `send_failed`
 */
export function testWebhook(
  deps: TestWebhookDeps,
  input: TestWebhookInput,
): ResultAsync<void, TestWebhookError> {
  return new ResultAsync(test(deps, input))
}

async function test(
  deps: TestWebhookDeps,
  { accountId, id: typed, byOperator = false }: TestWebhookInput,
): Promise<Result<void, TestWebhookError>> {
  const { webhooks, webhookSender, textCipher, clock, random } = deps
  const id = uuidToFind(typed)
  const found = await webhooks.find(accountId, id)
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'webhook_not_found' })
  if (!byOperator) {
    const counted = await countTest(deps, accountId)
    if (counted.isErr()) return err(counted.error)
  }
  const endpoint = endpointOf(textCipher, found.value)
  if (endpoint.isErr()) return err(endpoint.error)
  if (webhookSender === undefined) return err(nothingIsPosted)
  const atMicros = clock.nowMicros()
  const message = { id: newId(random, atMicros), type: 'webhook.test', createdAtMicros: atMicros } as const
  const sent = await webhookSender.send({ ...endpoint.value, message, atMicros })
  if (sent.isErr()) return err(sent.error)
  const updated = await webhooks.update(accountId, id, () => ({ failingSinceMicros: null, disabled: null }))
  return updated.andThen(foundOr('webhook_not_found'))
}

const nothingIsPosted: SendFailed = {
  code: 'send_failed',
  reason: 'nothing is posted to webhooks here',
  verdict: 'never',
}
