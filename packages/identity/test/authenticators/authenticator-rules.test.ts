import t from 'tap'
import {
  hasUsableAuthenticator,
  type CountedAuthenticators,
} from '../../src/authenticators/authenticator-rules.ts'

const issuer = 'https://login.example'
const rpId = 'sotto.example'
const here = { passwords: true, issuer, rpId }
const none: CountedAuthenticators = { isHeld: false, hasPassword: false, issuers: [], rpIds: [] }
const every: CountedAuthenticators = { ...none, hasPassword: true, issuers: [issuer], rpIds: [rpId] }

// Promise (Single sign-on): The last way in cannot be disconnected: what does not work here is none
t.test('only what works here is a way in', (t) => {
  t.equal(hasUsableAuthenticator(none, here), false)
  for (const [way, turnedOff] of [
    [{ hasPassword: true }, { passwords: false }],
    [{ issuers: ['https://other.example', issuer] }, { issuer: 'https://third.example' }],
    [{ issuers: [issuer] }, { issuer: undefined }],
    [{ rpIds: ['other.example', rpId] }, { rpId: 'third.example' }],
    [{ rpIds: [rpId] }, { rpId: undefined }],
  ]) {
    t.equal(hasUsableAuthenticator({ ...none, ...way }, here), true, JSON.stringify(way))
    t.equal(
      hasUsableAuthenticator({ ...none, ...way }, { ...here, ...turnedOff }),
      false,
      JSON.stringify(turnedOff),
    )
  }
  t.end()
})

t.test('the owner of a held account signs in with an identity only', (t) => {
  t.equal(hasUsableAuthenticator({ ...every, isHeld: true }, here), true)
  t.equal(hasUsableAuthenticator({ ...every, isHeld: true, issuers: [] }, here), false)
  t.end()
})
