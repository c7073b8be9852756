import t from 'tap'
import {
  toWireAccessToken,
  toWireNewAccessToken,
  toWireRevoked,
} from '../../src/access-tokens/access-token.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

t.test('an access token', async (t) => {
  const token = {
    id: 't',
    name: 'laptop',
    scopes: ['read', 'write'],
    createdAtMicros: 1,
    expiresAtMicros: undefined,
    revokedAtMicros: undefined,
    lastUsedAtMicros: undefined,
  } as const
  const start = `{"id":"t","name":"laptop","scopes":["read","write"],"created_at":"${time(1)}"`
  t.equal(
    JSON.stringify(toWireAccessToken(token)),
    `${start},"expires_at":null,"revoked_at":null,"last_used_at":null}`,
  )
  t.equal(
    JSON.stringify(
      toWireAccessToken({ ...token, expiresAtMicros: 2, revokedAtMicros: 3, lastUsedAtMicros: 4 }),
    ),
    `${start},"expires_at":"${time(2)}","revoked_at":"${time(3)}","last_used_at":"${time(4)}"}`,
  )
  t.equal(
    JSON.stringify(toWireNewAccessToken({ ...token, token: 'sotto_x' })),
    '{"id":"t","token":"sotto_x"}',
    'a new one, with its text',
  )
  t.equal(JSON.stringify(toWireRevoked('t')), '{"id":"t","revoked":true}')
})
