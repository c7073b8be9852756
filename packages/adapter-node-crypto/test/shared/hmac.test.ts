import { createHmac, randomBytes } from 'node:crypto'
import t from 'tap'
import { createHmacSha256 } from '../../src/shared/hmac.ts'

t.test('it is the HMAC of Node.js for texts of every length around the blocks', (t) => {
  const key = randomBytes(32)
  const hmac = createHmacSha256(Buffer.from(key))
  const lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 4_096, 1_048_576]
  for (const length of lengths) {
    for (const text of [
      'x'.repeat(length),
      'é'.repeat(Math.floor(length / 2)),
      '\ud83d\udd11'.repeat(Math.floor(length / 4)),
    ]) {
      t.same(hmac(text), createHmac('sha256', key).update(text, 'utf8').digest(), String(length))
    }
  }
  t.end()
})

t.test('two keys do not share a buffer', (t) => {
  const keys = [randomBytes(32), randomBytes(32)]
  const hmacs = keys.map((key) => createHmacSha256(Buffer.from(key)))
  const digests = hmacs.map((hmac) => hmac('text'))
  const expected = keys.map((key) => createHmac('sha256', key).update('text').digest())
  t.strictSame(digests, expected)
  t.end()
})

t.test('a digest does not change when the next one is made', (t) => {
  const hmac = createHmacSha256(randomBytes(32))
  const first = hmac('one')
  const copy = Buffer.from(first)
  hmac('two')
  t.same(first, copy)
  t.end()
})

t.test('the key that was given is zero afterwards', (t) => {
  const key = randomBytes(32)
  createHmacSha256(key)
  t.same(key, Buffer.alloc(32))
  t.end()
})

t.test('a key of another length is a mistake of the caller', (t) => {
  for (const length of [0, 31, 33, 64]) t.throws(() => createHmacSha256(Buffer.alloc(length)), TypeError)
  t.end()
})
