/** Unknown or another account's webhook. */
export interface WebhookNotFound {
  readonly code: 'webhook_not_found'
}
export const webhookNotFound: WebhookNotFound = { code: 'webhook_not_found' }

/** The account has `webhooksMax` webhooks. */
export interface WebhookLimitReached {
  readonly code: 'webhook_limit_reached'
}
