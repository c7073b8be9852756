import t from 'tap'
import { toWireKey, toWireRetiredKey, toWireRotation, toWireWaitingKey } from '../../src/keys/key.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

t.test('a key and a rotation', async (t) => {
  t.equal(
    JSON.stringify(
      toWireKey({
        ...{ kid: 2, createdAtMicros: 1, replacedAtMicros: undefined, active: true, waiting: false, rows: 5 },
        lackedBy: [{ id: 's', name: 'web-1', kid: 1, seenAtMicros: 2 }],
      }),
    ),
    `{"kid":2,"created_at":"${time(1)}","active":true,"waiting":false,"rows":5,` +
      `"lacked_by":[{"name":"web-1","seen_at":"${time(2)}"}]}`,
  )
  t.equal(JSON.stringify(toWireWaitingKey({ kid: 2, added: true })), '{"kid":2,"added":true}')
  t.equal(JSON.stringify(toWireRetiredKey(1)), '{"kid":1,"retired":true}')
  const corrupted = [
    { code: 'data_damaged', what: 'secret.head', id: 's' },
    { code: 'key_unknown', kid: 7 },
  ] as const
  t.equal(
    JSON.stringify(toWireRotation({ kid: 2, added: false, rewrapped: 3, corrupted })),
    '{"kid":2,"added":false,"rewrapped":3,"damaged":' +
      '[{"code":"data_damaged","what":"secret.head","id":"s"},{"code":"key_unknown","kid":7}]}',
  )
})
