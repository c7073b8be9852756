import t from 'tap'
import { toWireNewWebhook, toWireWebhook } from '../../../src/notifications/webhooks/webhook.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

const webhook = {
  id: 'w',
  url: 'https://example.org/hook',
  createdAtMicros: 1,
  failingSinceMicros: undefined,
  disabled: undefined,
}

t.test('a webhook', async (t) => {
  t.equal(
    JSON.stringify(toWireWebhook(webhook)),
    `{"id":"w","url":"https://example.org/hook","created_at":"${time(1)}","failing_since":null,"disabled_at":null,"disabled_reason":null}`,
  )
  t.match(
    toWireWebhook({ ...webhook, failingSinceMicros: 2, disabled: { atMicros: 3, reason: 'failing' } }),
    { failing_since: time(2), disabled_at: time(3), disabled_reason: 'failing' },
  )
})

t.test('a new webhook is the only one with its signing secret', async (t) => {
  t.equal(
    JSON.stringify(toWireNewWebhook({ ...webhook, secret: 'whsec_x' })),
    '{"id":"w","secret":"whsec_x","url":"https://example.org/hook"}',
  )
  t.notMatch(JSON.stringify(toWireWebhook({ ...webhook, secret: 'whsec_x' } as typeof webhook)), /whsec/)
})
