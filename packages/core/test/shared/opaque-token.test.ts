import t from 'tap'
import { isOpaqueToken, makeOpaqueToken, opaqueTokenRandomBytes } from '../../src/shared/opaque-token.ts'

t.test('a token is 32 bytes in base64url', (t) => {
  const random = Uint8Array.from({ length: opaqueTokenRandomBytes }, (_, at) => 7 * at)
  const token = makeOpaqueToken(random)
  t.equal(token, Buffer.from(random).toString('base64url'))
  t.ok(isOpaqueToken(token))
  t.throws(() => makeOpaqueToken(random.subarray(1)), TypeError)
  t.end()
})

t.test('a token has one spelling', (t) => {
  const token = makeOpaqueToken(new Uint8Array(opaqueTokenRandomBytes))
  for (const other of ['', token.slice(1), `${token}A`, `${token}=`, ` ${token}`, `${token.slice(1)}B`]) {
    t.notOk(isOpaqueToken(other))
  }
  t.end()
})
