import { requestEventTypes, secretEventTypes, type RequestEvent, type SecretEvent } from '@sotto/core'
import t from 'tap'
import { Compile } from 'typebox/schema'
import { toWireWebhookEvent, webhookEventSchema } from '../../../src/notifications/webhooks/webhook-event.ts'

// Receivers parse these bodies, so each is compared as text, the order of its fields included.

const schema = Compile(webhookEventSchema)
const event: SecretEvent = {
  id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b30',
  type: 'secret.opened',
  accountId: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b31',
  secretId: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b32',
  folderId: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b33',
  createdAtMicros: 1,
  opens: 2,
  opensLeft: 3,
  expiresAtMicros: 4,
}

t.test(
  'an event has the type, the time, the secret, its folder and its opens, and nothing else',
  async (t) => {
    for (const type of secretEventTypes) {
      const wire = toWireWebhookEvent({ ...event, type })
      t.equal(
        JSON.stringify(wire),
        `{"type":"${type}","timestamp":"1970-01-01T00:00:00.000001Z","data":{"secret_id":"${event.secretId}",` +
          `"folder_id":"${event.folderId}","opens":2,"opens_left":3,"expires_at":"1970-01-01T00:00:00.000004Z"}}`,
      )
      t.ok(schema.Check(wire), type)
    }
  },
)

t.test('opens_left is null without limit', async (t) => {
  const wire = toWireWebhookEvent({ ...event, opensLeft: undefined })
  t.match(wire, { data: { opens_left: null } })
  t.ok(schema.Check(wire))
})

t.test('an event of a request has its answers, and nothing else', async (t) => {
  const { secretId: requestId, opens: answers, opensLeft: _, ...about } = event
  for (const type of requestEventTypes) {
    const answered: RequestEvent = { ...about, type, requestId, answers, answersLeft: 3 }
    const wire = toWireWebhookEvent(answered)
    t.equal(
      JSON.stringify(wire),
      `{"type":"${type}","timestamp":"1970-01-01T00:00:00.000001Z","data":{"request_id":"${requestId}",` +
        `"folder_id":"${event.folderId}","answers":2,"answers_left":3,"expires_at":"1970-01-01T00:00:00.000004Z"}}`,
    )
    t.ok(schema.Check(wire), type)
  }
})

t.test('a test message has no data', async (t) => {
  const wire = toWireWebhookEvent({ id: event.id, type: 'webhook.test', createdAtMicros: 1 })
  t.equal(JSON.stringify(wire), '{"type":"webhook.test","timestamp":"1970-01-01T00:00:00.000001Z","data":{}}')
  t.ok(schema.Check(wire))
})

t.test('the schema refuses other fields and types', async (t) => {
  const wire = toWireWebhookEvent(event)
  t.notOk(schema.Check({ ...wire, label: 'l' }))
  t.notOk(schema.Check({ ...wire, data: { ...wire.data, label: 'l' } }))
  t.notOk(schema.Check({ ...wire, type: 'secret.created' }))
  t.notOk(schema.Check({ ...wire, type: 'webhook.test' }))
})
