import type { Webhook } from '@sotto/core'
import { isoMicros, timeOrNull } from '../../shared/iso-micros.ts'

/** The document of `webhook list`, and in the download of an account. Never the signing secret. */
export function toWireWebhook({ id, url, createdAtMicros, failingSinceMicros, disabled }: Webhook) {
  return {
    id,
    url,
    created_at: isoMicros(createdAtMicros),
    failing_since: timeOrNull(failingSinceMicros),
    disabled_at: timeOrNull(disabled?.atMicros),
    disabled_reason: disabled?.reason ?? null,
  }
}

/** The document of `webhook create`: the only document with the signing secret. */
export function toWireNewWebhook({
  id,
  url,
  secret,
}: Pick<Webhook, 'id' | 'url'> & { readonly secret: string }) {
  return { id, secret, url }
}
