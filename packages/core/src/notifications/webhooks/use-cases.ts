import { result } from '../../shared/bind.ts'
import { account, accountAndId } from '../../shared/old-shapes.ts'
import { testWebhook } from './test-webhook.ts'
import { createWebhook, deleteWebhook, listWebhooks } from './webhooks.ts'

/** The use-cases of webhooks, which are bound with those of notifications. */
export const webhookUseCases = {
  createWebhook: result(createWebhook, { ...account, url: 'string' }),
  listWebhooks: result(listWebhooks, account),
  deleteWebhook: result(deleteWebhook, accountAndId),
  testWebhook: result(testWebhook, { ...accountAndId, byOperator: 'boolean?' }),
}
