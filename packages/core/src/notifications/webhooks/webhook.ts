import { base64From, standardAlphabet } from '../../shared/base64.ts'
import type { Uuid } from '../../shared/uuid.ts'

/** How many webhooks an account has at most. */
export const webhooksMax = 5

/** Random bytes of a webhook's signing secret: 192 bits (Standard Webhooks asks for 24 to 64 bytes). */
export const webhookSecretBytes = 24

/** Why a webhook is disabled: its receiver answered 410, or it failed for three days. */
export type WebhookDisabledReason = 'gone' | 'failing'

/** An address that an account's messages are posted to. */
export interface Webhook {
  readonly id: Uuid
  readonly url: string
  readonly createdAtMicros: number
  /** When the first of the failures since the last success was; `undefined` when the last attempt succeeded or there was none. */
  readonly failingSinceMicros: number | undefined
  /** Set while nothing is sent to it. A test that succeeds enables it again. */
  readonly disabled: { readonly atMicros: number; readonly reason: WebhookDisabledReason } | undefined
}

/** The host of a webhook's address, and its port where it names one. The rest of an address may give access. */
export function webhookHost(url: string): string {
  return /^[^:]*:\/*([^/?]*)/.exec(url)?.[1]?.toLowerCase() ?? ''
}

/** Where messages are posted, and what they are signed with. */
export interface WebhookEndpoint {
  readonly url: string
  /** `whsec_` and the base64 of {@link webhookSecretBytes} bytes (Standard Webhooks). */
  readonly secret: string
}

/**
 * Spells a webhook's signing secret.
 * @param random {@link webhookSecretBytes} random bytes
 */
export function makeWebhookSecret(random: Uint8Array): string {
  if (random.length !== webhookSecretBytes) {
    throw new TypeError(`a webhook's secret has ${String(webhookSecretBytes)} bytes`)
  }
  return `whsec_${base64From(random, standardAlphabet)}`
}

/** Both as one text, to be encrypted: the secret, a space, the address. */
export function webhookEndpointText({ url, secret }: WebhookEndpoint): string {
  return `${secret} ${url}`
}

/** Reads what {@link webhookEndpointText} wrote; `undefined` when it is something else. */
export function parseWebhookEndpoint(text: string): WebhookEndpoint | undefined {
  const [, secret, url] = /^(whsec_[A-Za-z0-9+/]{32}) (.+)$/s.exec(text) ?? []
  return secret === undefined || url === undefined ? undefined : { url, secret }
}
