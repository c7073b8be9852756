import t from 'tap'
import fc from 'fast-check'
import { base64From, standardAlphabet, urlAlphabet } from '../../src/shared/base64.ts'

t.test('bytes are spelled as every other encoder spells them, without padding', (t) => {
  const bytes = fc.uint8Array({ maxLength: 40 })
  fc.assert(
    fc.property(bytes, (some) => base64From(some, urlAlphabet) === Buffer.from(some).toString('base64url')),
  )
  const unpadded = (some: Uint8Array) => Buffer.from(some).toString('base64').replaceAll('=', '')
  fc.assert(fc.property(bytes, (some) => base64From(some, standardAlphabet) === unpadded(some)))
  t.equal(base64From(Uint8Array.of(251, 255, 0), standardAlphabet), '+/8A')
  t.equal(base64From(Uint8Array.of(251, 255, 0), urlAlphabet), '-_8A')
  t.end()
})
