import type { SendFailed } from '../queue/senders.ts'
import type { StoredWebhook, WebhookChange } from './webhook-store.ts'

/** How long a webhook may fail before it is disabled: 3 days. */
export const failingMaxMicros = 3 * 86_400 * 1_000_000

/**
 * What a failed attempt changes about a webhook: it is disabled when its receiver wants nothing any more, or when it has failed for
 * {@link failingMaxMicros}. `undefined` when nothing changes.
 */
export function webhookAfterFailure(
  { failingSinceMicros, disabled }: Pick<StoredWebhook, 'failingSinceMicros' | 'disabled'>,
  verdict: SendFailed['verdict'],
  nowMicros: number,
): WebhookChange | undefined {
  if (disabled !== undefined) return undefined
  const since = failingSinceMicros === undefined ? { failingSinceMicros: nowMicros } : {}
  if (verdict === 'gone') return { ...since, disabled: { atMicros: nowMicros, reason: 'gone' } }
  if (failingSinceMicros === undefined) return since
  const isTooLong = nowMicros - failingSinceMicros >= failingMaxMicros
  return isTooLong ? { disabled: { atMicros: nowMicros, reason: 'failing' } } : undefined
}
