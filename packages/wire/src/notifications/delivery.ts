import { isRequestEvent, type Delivery, type Uuid } from '@sotto/core'
import { isoMicros, timeOrNull } from '../shared/iso-micros.ts'

/**
 * The document of `notification list`. It is about a secret or about a request: the other id is `null`. `event_id` is the message's id at its
 * receivers: `webhook-id`.
 */
export function toWireDelivery({ id, target, event, ...delivery }: Delivery) {
  return {
    id,
    account_id: target.accountId,
    kind: target.kind,
    webhook_id: target.kind === 'webhook' ? target.webhookId : null,
    type: event.type,
    event_id: event.id,
    secret_id: isRequestEvent(event) ? null : event.secretId,
    request_id: isRequestEvent(event) ? event.requestId : null,
    created_at: isoMicros(event.createdAtMicros),
    due_at: isoMicros(delivery.dueAtMicros),
    count: delivery.count,
    attempts: delivery.attempts,
    last_failure: delivery.lastFailure ?? null,
    dead_at: timeOrNull(delivery.deadAtMicros),
  }
}

/** The document of `notification retry`. */
export function toWireRetried(id: string) {
  return { id, retried: true }
}

/** How a test message fared. `ok` is `undefined` for a target that there is not. */
export interface TestOutcome {
  readonly kind: 'mail' | 'webhook'
  readonly webhookId?: Uuid
  readonly ok: boolean | undefined
  readonly reason?: string
}

/** The document of `webhook test`, and each entry of `notification test`. */
export function toWireTestOutcome({ kind, webhookId, ok, reason }: TestOutcome) {
  return { kind, webhook_id: webhookId ?? null, ok: ok ?? null, reason: reason ?? null }
}
