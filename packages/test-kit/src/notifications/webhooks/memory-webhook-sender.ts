import type { WebhookRequest, WebhookSender, WebhookUrlRefused } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { recorder, type MemorySenderOptions } from '../memory-sender.ts'

/** A webhook sender that keeps what it was given. */
export interface MemoryWebhookSender extends WebhookSender {
  /** The requests of all attempts, in their order, failed ones too. */
  readonly attempts: readonly WebhookRequest[]
}

/** Remembers requests instead of posting them, and refuses the addresses `localhost` and `127.0.0.1`. For tests only. */
export function createMemoryWebhookSender(
  options: MemorySenderOptions<WebhookRequest> = {},
): MemoryWebhookSender {
  return { ...recorder(options), checkUrl }
}

function checkUrl(text: string): Result<void, WebhookUrlRefused> {
  const url = URL.canParse(text) && text.length <= 2048 ? new URL(text) : undefined
  if (url === undefined || `${url.username}${url.password}` !== '' || text.includes('#'))
    return err({ rule: 'not_a_url' })
  if (url.protocol !== 'https:') return err({ rule: 'not_https' })
  const isRefused = ['localhost', '127.0.0.1'].includes(url.hostname)
  return isRefused ? err({ rule: 'address_not_allowed' }) : ok()
}
