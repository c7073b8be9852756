import t from 'tap'
import { welcomeLifetimeMicros } from '../../src/entities/welcome.ts'

t.test('an invitation works for 72 hours, a reset for one', (t) => {
  const hour = 3_600 * 1_000_000
  t.strictSame(welcomeLifetimeMicros, { invite: 72 * hour, reset: hour })
  t.end()
})
