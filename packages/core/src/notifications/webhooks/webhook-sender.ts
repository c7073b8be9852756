import type { Result, ResultAsync } from 'neverthrow'
import type { OwnerEvent } from '../queue/owner-event.ts'
import type { SendFailed } from '../queue/senders.ts'
import type { Uuid } from '../../shared/uuid.ts'

/** What is posted to a webhook. */
export type WebhookMessage =
  OwnerEvent | { readonly id: Uuid; readonly type: 'webhook.test'; readonly createdAtMicros: number }

/** A message to be posted, with what it is signed with. */
export interface WebhookRequest {
  readonly url: string
  /** The signing secret: `whsec_` and the base64 of `webhookSecretBytes` bytes (Standard Webhooks). */
  readonly secret: string
  readonly message: WebhookMessage
  /** When this attempt is made: it is signed, so that receivers can refuse old messages. */
  readonly atMicros: number
}

/** Posts messages to webhooks. Never throws or rejects. */
export interface WebhookSender {
  /**
   * Whether messages can be posted to this address: what is wrong with it, as far as can be told without a look-up. Answers immediately.
   */
  checkUrl(url: string): Result<void, WebhookUrlRefused>

  /** Ok once the receiver has answered with a status from 200 to 299. Ends within 10 seconds. */
  send(request: WebhookRequest): ResultAsync<void, SendFailed>
}

/** `not_a_url`: malformed, longer than 2,048 characters, or with a user name, password or fragment. `not_https`: another scheme. */
export interface WebhookUrlRefused {
  readonly rule: 'not_a_url' | 'not_https' | 'address_not_allowed'
}
