import t from 'tap'
import { hasWayIn } from '../../src/rules/ways-in.ts'

const none = { hasPassword: false, issuers: [], passkeys: 0 }
const issuer = 'https://login.example'

t.test('an owner can sign in with a password, a passkey, or an identity of the provider there is', (t) => {
  t.equal(hasWayIn(none, { passwords: true, issuer }), false)
  t.equal(hasWayIn({ ...none, hasPassword: true }, { passwords: true, issuer }), true)
  t.equal(hasWayIn({ ...none, hasPassword: true }, { passwords: false, issuer }), false)
  t.equal(hasWayIn({ ...none, passkeys: 1 }, { passwords: false, issuer: undefined }), true)
  t.equal(hasWayIn({ ...none, issuers: [issuer] }, { passwords: false, issuer }), true)
  t.equal(
    hasWayIn({ ...none, issuers: [issuer] }, { passwords: true, issuer: 'https://other.example' }),
    false,
  )
  t.equal(hasWayIn({ ...none, issuers: [issuer] }, { passwords: true, issuer: undefined }), false)
  t.end()
})
