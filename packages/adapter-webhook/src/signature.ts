import { createHmac } from 'node:crypto'

export interface Signed {
  readonly id: string
  readonly secret: string
  readonly body: string
  readonly atMicros: number
}

/**
 * The headers that prove to a receiver who sent a message, which one and when (Standard Webhooks). `undefined` when the secret is not
 * `whsec_` with standard base64.
 */
export function signatureHeaders({ id, secret, body, atMicros }: Signed): Record<string, string> | undefined {
  const [, base64] = /^whsec_((?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2,3}={0,2})?)$/.exec(secret) ?? []
  if (base64 === undefined) return undefined
  const timestamp = String(Math.floor(atMicros / 1_000_000))
  const hmac = createHmac('sha256', Buffer.from(base64, 'base64')).update(`${id}.${timestamp}.${body}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac.digest('base64')}`,
  }
}
