import { createSecretKey } from 'node:crypto'
import t from 'tap'
import { createRingKey, secretKeyFrom } from '../../src/keys/ring-key.ts'
import { instanceId } from '../support.ts'

const ringKey = createRingKey({ kid: 1, key: createSecretKey(Buffer.alloc(32, 1)), instanceId })

t.test('the bytes that a key is made of are zero afterwards', (t) => {
  const bytes = Buffer.alloc(32, 7)
  t.same(secretKeyFrom(bytes).export(), Buffer.alloc(32, 7))
  t.same(bytes, Buffer.alloc(32))
  t.end()
})

t.test('each purpose and each account has a key of its own, which stays the same', (t) => {
  const first = ringKey.accountKey('secret.head', 'one')
  t.ok(first.equals(ringKey.accountKey('secret.head', 'one')))
  t.notOk(first.equals(ringKey.accountKey('secret.head', 'other')))
  t.notOk(first.equals(ringKey.accountKey('secret.wrap', 'one')))
  t.end()
})

t.test('an id that is longer than any UUID has a key, too', (t) => {
  t.equal(ringKey.accountKey('secret.head', 'x'.repeat(5_000)).symmetricKeySize, 32)
  t.end()
})
