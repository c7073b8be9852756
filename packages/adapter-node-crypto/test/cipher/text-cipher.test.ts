import fc from 'fast-check'
import t from 'tap'
import { textColumns, type Encrypted, type TextPlace } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import { makeWorld, rotate, withOneByteChanged } from '../support.ts'

t.test('a text comes back exactly, in every column', (t) => {
  const { textCipher, make } = makeWorld(t.testdir())
  const text = fc.string({ unit: 'grapheme', maxLength: 255 })
  fc.assert(
    fc.property(text, fc.constantFrom(...textColumns), (given, column) => {
      const place = { column, accountId: make.uuid(), rowId: make.uuid() }
      t.equal(expectOk(textCipher.decryptText(place, textCipher.encryptText(place, given))), given)
    }),
    { numRuns: 100 },
  )
  t.end()
})

t.test('the same text gives a different ciphertext each time, whose length reveals little', (t) => {
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
t.test('a text that is read at any other place is corrupted', async (t) => {
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
      expectErr(textCipher.decryptText(elsewhere, encrypted)),
      { code: 'data_damaged', what: elsewhere.column, id: elsewhere.rowId },
      field,
    )
  }
  const kid = await rotate(ring)
  t.equal(expectErr(textCipher.decryptText(place, { ...encrypted, kid })).code, 'data_damaged', 'kid')
  t.same(expectErr(textCipher.decryptText(place, { ...encrypted, kid: 9 })), { code: 'key_unknown', kid: 9 })
  t.equal(expectOk(textCipher.decryptText(place, encrypted)), 'mine', 'still, under the older key')
})

t.test('a change of any byte is corruption', (t) => {
  const { textCipher, make } = makeWorld(t.testdir())
  const place: TextPlace = { column: 'account.name', accountId: make.uuid(), rowId: make.uuid() }
  const { kid, ciphertext } = textCipher.encryptText(place, 'email:me@example.org')
  const codes = new Set<string>()
  for (const changed of withOneByteChanged(ciphertext)) {
    const corrupted: Encrypted = { kid, ciphertext: changed }
    codes.add(expectErr(textCipher.decryptText(place, corrupted)).code)
  }
  t.strictSame([...codes], ['data_damaged'])
  t.end()
})

t.test('a ciphertext contains neither plaintext nor id', (t) => {
  const { textCipher, make } = makeWorld(t.testdir())
  const place: TextPlace = { column: 'account.name', accountId: make.uuid(), rowId: make.uuid() }
  const bytes = Buffer.from(textCipher.encryptText(place, 'email:somebody@example.org').ciphertext)
  for (const text of ['somebody', 'example', place.accountId.slice(-12)]) t.notOk(bytes.includes(text), text)
  t.end()
})
