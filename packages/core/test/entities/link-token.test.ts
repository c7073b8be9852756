import t from 'tap'
import fc from 'fast-check'
import { isLinkToken, linkTokenFrom, linkTokenRandomBytes } from '../../src/entities/link-token.ts'

const bytes = fc.uint8Array({ minLength: linkTokenRandomBytes, maxLength: linkTokenRandomBytes })

t.test('a link token is the base64url of its 32 bytes, without padding', (t) => {
  fc.assert(
    fc.property(bytes, (random) => linkTokenFrom(random) === Buffer.from(random).toString('base64url')),
  )
  t.equal(linkTokenFrom(new Uint8Array(32).fill(255)), '__________________________________________8')
  t.end()
})

t.test('each token that is made is one', (t) => {
  fc.assert(fc.property(bytes, (random) => isLinkToken(linkTokenFrom(random))))
  t.pass('property holds')
  t.end()
})

t.test('a token has one spelling only: the unused bits of its last character are zero', (t) => {
  const token = linkTokenFrom(new Uint8Array(32))
  t.ok(isLinkToken(token))
  t.notOk(isLinkToken(`${token.slice(0, -1)}B`), 'the same bytes to a lenient decoder')
  t.end()
})

t.test('what is longer, shorter, padded or of another alphabet is no token', (t) => {
  const token = 'A'.repeat(43)
  for (const wrong of ['', token.slice(1), `${token}A`, `${token}=`, `${token}\n`, token.replace('A', '+')]) {
    t.notOk(isLinkToken(wrong), JSON.stringify(wrong))
  }
  t.throws(() => linkTokenFrom(new Uint8Array(31)), TypeError)
  t.end()
})
