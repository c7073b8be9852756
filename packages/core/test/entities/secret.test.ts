import t from 'tap'
import { expiryOf, isExpired, secretLifetimeMicros } from '../../src/entities/secret.ts'

t.test('a secret lives exactly 2,592,000 seconds from the time of its link', (t) => {
  t.equal(secretLifetimeMicros, 2_592_000 * 1_000_000)
  t.equal(expiryOf(5), 5 + secretLifetimeMicros)
  t.end()
})

t.test('a secret is expired from the microsecond of its expiry on', (t) => {
  t.equal(isExpired(10, 9), false)
  t.equal(isExpired(10, 10), true)
  t.equal(isExpired(10, 11), true)
  t.end()
})
