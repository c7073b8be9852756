import t from 'tap'
import fc from 'fast-check'
import { isLinkToken, linkTokenFrom, linkTokenRandomBytes, noLinkToken } from '../../src/shared/link-token.ts'

const tokenBytes = 32
const bytes = fc.uint8Array({ minLength: tokenBytes, maxLength: tokenBytes })

t.test('a link token is the base64url of its 32 bytes, without padding', (t) => {
  fc.assert(fc.property(bytes, (token) => linkTokenFrom(token) === Buffer.from(token).toString('base64url')))
  t.equal(linkTokenFrom(new Uint8Array(32).fill(255)), '__________________________________________8')
  t.end()
})

t.test('every spelled token has the form of a token', (t) => {
  fc.assert(fc.property(bytes, (token) => isLinkToken(linkTokenFrom(token))))
  t.pass('property holds')
  t.end()
})

t.test('a token has one spelling only: the unused bits of its last character are zero', (t) => {
  const token = linkTokenFrom(new Uint8Array(32))
  t.ok(isLinkToken(token))
  t.notOk(isLinkToken(`${token.slice(0, -1)}B`), 'the same bytes to a lenient decoder')
  t.end()
})

t.test('a longer, a shorter or a padded text or one of another alphabet is not a token', (t) => {
  const token = 'A'.repeat(43)
  for (const wrong of ['', token.slice(1), `${token}A`, `${token}=`, `${token}\n`, token.replace('A', '+')]) {
    t.notOk(isLinkToken(wrong), JSON.stringify(wrong))
  }
  t.end()
})

t.test('a character of another alphabet is found at every place', (t) => {
  for (let at = 0; at < 43; at += 1) {
    for (const wrong of ['+', '\u00e9', '\u0141'])
      t.notOk(isLinkToken(`${'A'.repeat(at)}${wrong}${'A'.repeat(42 - at)}`), `${wrong} at ${String(at)}`)
  }
  t.end()
})

t.test('bytes of another length are a programming error', (t) => {
  for (const length of [0, linkTokenRandomBytes, 31, 33]) {
    t.throws(() => linkTokenFrom(new Uint8Array(length)), TypeError, String(length))
  }
  t.end()
})

t.test('the token of no link is well-formed: its 32 bytes are zero', (t) => {
  t.equal(noLinkToken, 'A'.repeat(43))
  t.ok(isLinkToken(noLinkToken))
  t.end()
})
