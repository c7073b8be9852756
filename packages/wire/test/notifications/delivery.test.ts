import t from 'tap'
import { toWireDelivery, toWireRetried, toWireTestOutcome } from '../../src/notifications/delivery.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

const delivery = {
  id: 'd',
  target: { kind: 'mail', accountId: 'a' },
  event: {
    id: 'e',
    type: 'secret.opened',
    accountId: 'a',
    secretId: 's',
    folderId: 'f',
    createdAtMicros: 1,
    opens: 2,
    opensLeft: 3,
    expiresAtMicros: 9,
  },
  dueAtMicros: 2,
  joins: false,
  count: 1,
  attempts: 0,
  lastFailure: undefined,
  deadAtMicros: undefined,
} as const

t.test('a delivery', async (t) => {
  t.equal(
    JSON.stringify(toWireDelivery(delivery)),
    '{"id":"d","account_id":"a","kind":"mail","webhook_id":null,"type":"secret.opened","event_id":"e","secret_id":"s","request_id":null,' +
      `"created_at":"${time(1)}","due_at":"${time(2)}","count":1,"attempts":0,"last_failure":null,"dead_at":null}`,
  )
  t.match(
    toWireDelivery({
      ...delivery,
      target: { kind: 'webhook', accountId: 'a', webhookId: 'w' },
      lastFailure: 'status 500',
      deadAtMicros: 3,
    }),
    { kind: 'webhook', webhook_id: 'w', last_failure: 'status 500', dead_at: time(3) },
  )
})

t.test('a delivery that is tried again', async (t) => {
  t.equal(JSON.stringify(toWireRetried('d')), '{"id":"d","retried":true}')
})

t.test('the outcome of a test message', async (t) => {
  t.equal(
    JSON.stringify(toWireTestOutcome({ kind: 'mail', ok: true })),
    '{"kind":"mail","webhook_id":null,"ok":true,"reason":null}',
  )
  t.equal(
    JSON.stringify(toWireTestOutcome({ kind: 'webhook', webhookId: 'w', ok: false, reason: 'timeout' })),
    '{"kind":"webhook","webhook_id":"w","ok":false,"reason":"timeout"}',
  )
  t.match(toWireTestOutcome({ kind: 'mail', ok: undefined }), { ok: null })
})
