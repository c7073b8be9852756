import type { ErrorKinds } from '../../shared/error-kind.ts'

/** Unknown or another account's webhook. */
export interface WebhookNotFound {
  readonly code: 'webhook_not_found'
}

/** The account has `webhooksMax` webhooks. */
export interface WebhookLimitReached {
  readonly code: 'webhook_limit_reached'
}

export const webhookErrorKinds = {
  webhook_not_found: 'not_found',
  webhook_limit_reached: 'conflict',
} as const satisfies ErrorKinds
