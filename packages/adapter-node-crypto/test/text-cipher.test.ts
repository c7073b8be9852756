import fc from 'fast-check'
import t from 'tap'
import type { Encrypted, TextPlace } from '@sotto/core'
import { failure, makeWorld, rotate, value, withOneByteChanged } from './support.ts'

const columns: readonly TextPlace['column'][] = ['account.email', 'folder.label', 'access_token.name']

t.test('a text is given back exactly, in whichever column it stands', (t) => {
  const { textCipher, make } = makeWorld(t.testdir())
  const text = fc.string({ unit: 'grapheme', maxLength: 255 })
  fc.assert(
    fc.property(text, fc.constantFrom(...columns), (given, column) => {
      const place = { column, accountId: make.uuid(), rowId: make.uuid() }
      t.equal(value(textCipher.decryptText(place, textCipher.encryptText(place, given))), given)
    }),
    { numRuns: 100 },
  )
  t.end()
})

t.test('the same text gives another ciphertext each time, of a length that says little', (t) => {
  const { textCipher, make } = makeWorld(t.testdir())
  const place = { column: 'folder.label', accountId: make.uuid(), rowId: make.uuid() } as const
  const encrypt = (text: string) => textCipher.encryptText(place, text).ciphertext
  t.notSame(encrypt('a'), encrypt('a'))
  for (const [one, other] of [
    ['', 'x'.repeat(64)],
    ['x'.repeat(65), 'ü'.repeat(64)],
    ['x'.repeat(129), '🗝'.repeat(64)],
    ['x'.repeat(513), '🗝'.repeat(255)],
  ] as const) {
    t.equal(encrypt(one).length, encrypt(other).length)
    t.ok(encrypt(one).length <= encrypt(`${other}x`).length)
  }
  t.end()
})

// Fails when a field is left out of the associated data, or when all accounts share a key.
t.test('a text that is read in any other place is damaged', async (t) => {
  const { textCipher, make, ring } = makeWorld(t.testdir())
  const place: TextPlace = { column: 'folder.label', accountId: make.uuid(), rowId: make.uuid() }
  const encrypted = textCipher.encryptText(place, 'mine')
  for (const [field, other] of [
    ['column', 'access_token.name'],
    ['accountId', make.uuid()],
    ['rowId', make.uuid()],
    ['accountId', 'x'.repeat(5_000)],
    ['rowId', `${place.rowId}\u0130`],
  ] as const) {
    const elsewhere = { ...place, [field]: other }
    t.same(
      failure(textCipher.decryptText(elsewhere, encrypted)),
      { code: 'data_damaged', what: elsewhere.column, id: elsewhere.rowId },
      field,
    )
  }
  const kid = await rotate(ring)
  t.equal(failure(textCipher.decryptText(place, { ...encrypted, kid })).code, 'data_damaged', 'kid')
  t.same(failure(textCipher.decryptText(place, { ...encrypted, kid: 9 })), { code: 'key_unknown', kid: 9 })
  t.equal(value(textCipher.decryptText(place, encrypted)), 'mine', 'under the older key still')
})

t.test('any byte that is another is damage', (t) => {
  const { textCipher, make } = makeWorld(t.testdir())
  const place: TextPlace = { column: 'account.email', accountId: make.uuid(), rowId: make.uuid() }
  const { kid, ciphertext } = textCipher.encryptText(place, 'me@example.org')
  const codes = new Set<string>()
  for (const changed of withOneByteChanged(ciphertext)) {
    const damaged: Encrypted = { kid, ciphertext: changed }
    codes.add(failure(textCipher.decryptText(place, damaged)).code)
  }
  t.strictSame([...codes], ['data_damaged'])
  t.end()
})

t.test('no plaintext and no id is within a ciphertext', (t) => {
  const { textCipher, make } = makeWorld(t.testdir())
  const place: TextPlace = { column: 'account.email', accountId: make.uuid(), rowId: make.uuid() }
  const bytes = Buffer.from(textCipher.encryptText(place, 'somebody@example.org').ciphertext)
  for (const text of ['somebody', 'example', place.accountId.slice(-12)]) t.notOk(bytes.includes(text), text)
  t.end()
})
