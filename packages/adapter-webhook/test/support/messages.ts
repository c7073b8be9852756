import type { SecretEvent, WebhookRequest } from '@sotto/core'
import { noonMicros } from '@sotto/test-kit'
import type { Test } from 'tap'
import {
  createWebhookSender,
  type NodeWebhookSender,
  type WebhookSenderOptions,
} from '../../src/webhook-sender.ts'

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export const event: SecretEvent = {
  id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b30',
  type: 'secret.opened',
  accountId: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b31',
  secretId: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b32',
  folderId: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b33',
  createdAtMicros: noonMicros,
  opens: 1,
  opensLeft: undefined,
  expiresAtMicros: noonMicros + 1_000_000,
}

export function requestTo(url: string, fields: Partial<WebhookRequest> = {}): WebhookRequest {
  return { url, secret, message: event, atMicros: noonMicros, ...fields }
}

/** A sender that may post to loopback addresses, closed at the end of the test. */
export function createSender(t: Test, options: WebhookSenderOptions = {}): NodeWebhookSender {
  const sender = createWebhookSender({ allow: ['127.0.0.0/8'], ...options })
  t.teardown(() => sender.close())
  return sender
}

/** A resolver that knows these names only and counts how often it is asked. */
export function resolverOf(names: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = []
  const resolveName = (name: string): Promise<readonly string[]> => {
    asked.push(name)
    return Promise.resolve(names[name] ?? [])
  }
  return { asked, resolveName }
}
