import t from 'tap'
import {
  expiryOf,
  isExpired,
  lifetimeMaxSeconds,
  offeredLifetimesSeconds,
  opensLeft,
  secretLifetimeMicros,
} from '../../src/secrets/secret.ts'

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

t.test('people choose from an hour, a day, a week and 30 days', (t) => {
  t.strictSame(offeredLifetimesSeconds, [3_600, 86_400, 604_800, 2_592_000])
  t.equal(lifetimeMaxSeconds, 2_592_000)
  t.equal(expiryOf(7, 3_600), 7 + 3_600 * 1_000_000)
  t.end()
})

t.test('opens that are left', (t) => {
  const table = [
    { openLimit: undefined, opens: 0, left: undefined },
    { openLimit: undefined, opens: 9, left: undefined },
    { openLimit: 3, opens: 0, left: 3 },
    { openLimit: 3, opens: 3, left: 0 },
    { openLimit: 3, opens: 4, left: 0 },
  ]
  for (const { openLimit, opens, left } of table) t.equal(opensLeft(openLimit, opens), left)
  t.end()
})
