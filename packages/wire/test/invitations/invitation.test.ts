import t from 'tap'
import { invitationUrl, toWireInvitation, toWireMailedInvitation } from '../../src/invitations/invitation.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

const account = {
  id: 'a',
  email: 'ann@example.org',
  externalId: undefined,
  createdAtMicros: 1,
  disabledAtMicros: undefined,
  language: undefined,
  mails: { enabled: true, nameLabels: false },
  notifies: false,
  isHeld: false,
  displayName: undefined,
}

t.test('a one-time link', async (t) => {
  const replaced = { replacesPassword: true, removedWebhookHosts: ['hooks.example.org'] }
  const invitation = { account, kind: 'reset', token: 'T', expiresAtMicros: 7, ...replaced } as const
  t.equal(
    JSON.stringify(toWireInvitation(invitation, 'https://a')),
    `{"id":"a","email":"ann@example.org","kind":"reset","url":"https://a/welcome/T","expires_at":"${time(7)}"}`,
  )
  t.equal(
    JSON.stringify(toWireMailedInvitation(invitation)),
    `{"id":"a","email":"ann@example.org","kind":"reset","mailed":true,"expires_at":"${time(7)}"}`,
    'without the link where it was mailed',
  )
  t.equal(invitationUrl('http://localhost:3000', 'T'), 'http://localhost:3000/welcome/T')
})
