import type { StoredWebhook, WebhookChange } from '@sotto/core'
import fc from 'fast-check'
import { decided, stepsOf } from '../../stores/steps.ts'
import { aText, aTime, anAccount, anId, perhaps } from '../../stores/values.ts'

const disabled = fc.record({ atMicros: aTime, reason: fc.constantFrom('failing' as const, 'gone' as const) })

const webhook: fc.Arbitrary<StoredWebhook> = fc.record({
  id: anId,
  accountId: anAccount,
  createdAtMicros: aTime,
  endpoint: aText,
  failingSinceMicros: perhaps(aTime),
  disabled: perhaps(disabled),
})

/** What is not named stays, and null clears. */
const change: fc.Arbitrary<WebhookChange> = fc.record(
  { failingSinceMicros: fc.option(aTime), disabled: fc.option(disabled) },
  { requiredKeys: [] },
)

/** What is tried on the store of webhooks. */
export const webhookSteps = stepsOf('webhooks', {
  insert: [webhook, fc.integer({ min: 1, max: 3 })],
  find: [anAccount, anId],
  list: [anAccount],
  update: [anAccount, anId, decided(perhaps(change))],
  erase: [anAccount, anId],
})
