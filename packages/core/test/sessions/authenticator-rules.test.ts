import t from 'tap'
import { hasWayIn, type CountedWaysIn } from '../../src/sessions/authenticator-rules.ts'

const issuer = 'https://login.example'
const rpId = 'sotto.example'
const here = { passwords: true, issuer, rpId }
const none: CountedWaysIn = { isHeld: false, hasPassword: false, issuers: [], rpIds: [] }
const every: CountedWaysIn = { ...none, hasPassword: true, issuers: [issuer], rpIds: [rpId] }

// Promise (Single sign-on): The last way in cannot be disconnected: what does not work here is none
t.test('only what works here is a way in', (t) => {
  t.equal(hasWayIn(none, here), false)
  for (const [way, turnedOff] of [
    [{ hasPassword: true }, { passwords: false }],
    [{ issuers: ['https://other.example', issuer] }, { issuer: 'https://third.example' }],
    [{ issuers: [issuer] }, { issuer: undefined }],
    [{ rpIds: ['other.example', rpId] }, { rpId: 'third.example' }],
    [{ rpIds: [rpId] }, { rpId: undefined }],
  ]) {
    t.equal(hasWayIn({ ...none, ...way }, here), true, JSON.stringify(way))
    t.equal(hasWayIn({ ...none, ...way }, { ...here, ...turnedOff }), false, JSON.stringify(turnedOff))
  }
  t.end()
})

t.test('the owner of a held account signs in with an identity only', (t) => {
  t.equal(hasWayIn({ ...every, isHeld: true }, here), true)
  t.equal(hasWayIn({ ...every, isHeld: true, issuers: [] }, here), false)
  t.end()
})
