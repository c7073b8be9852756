import t from 'tap'
import { invitationLifetimeMicros } from '../../src/invitations/invitation.ts'

// Promise (The owner's pages): An invitation works for 72 hours, a reset for one
t.test('an invitation works for 72 hours, a reset for one', (t) => {
  const hour = 3_600 * 1_000_000
  t.strictSame(invitationLifetimeMicros, { invite: 72 * hour, reset: hour })
  t.end()
})
