import t from 'tap'
import { toWireAccount } from '../../src/accounts/account.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

t.test('an account', async (t) => {
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
  t.equal(
    JSON.stringify(toWireAccount(account)),
    `{"id":"a","email":"ann@example.org","created_at":"${time(1)}","disabled_at":null,"held":false}`,
  )
  t.equal(
    JSON.stringify(
      toWireAccount({
        ...account,
        email: undefined,
        externalId: 'user-7',
        disabledAtMicros: 2,
        isHeld: true,
      }),
    ),
    `{"id":"a","email":null,"external_id":"user-7","created_at":"${time(1)}","disabled_at":"${time(2)}","held":true}`,
    'of an embedding application',
  )
})
