import assert from 'node:assert/strict'
import type { Ciphertext, TextPlace } from '@sotto/core'
import type { Samples } from '../samples.ts'
import {
  cipherCase,
  isDamaged,
  oneByteChanged,
  otherLengths,
  rotate,
  unknownKid,
  type CipherCase,
} from './cipher-harness.ts'
import { same, spelled, valueOf } from './expect.ts'

const columns = ['account.email', 'folder.label', 'access_token.name'] as const

const texts: readonly string[] = [
  '',
  'a',
  'Grüße, 世界 👋🏽',
  ' \t\r\n leading and trailing \n',
  '\u0000\u001f\ufeff\u2028\uffff',
  'e\u0301 is not \u00e9',
  '😀'.repeat(255),
  'x'.repeat(5_000),
]

export const textCipherCases: readonly CipherCase[] = [
  cipherCase({
    id: 'text-cipher/text-comes-back',
    rule: 'Any text comes back exactly as it was given, in every column.',
    check({ textCipher }, make) {
      for (const column of columns) {
        for (const text of texts) {
          const place = somewhere(make, column)
          same(valueOf(textCipher.decryptText(place, textCipher.encryptText(place, text))), text, column)
        }
      }
    },
  }),
  cipherCase({
    id: 'text-cipher/encrypts-under-the-active-key',
    rule: 'A text is encrypted under the active key.',
    async check(cipher, make) {
      const before = cipher.keyRing.activeKid()
      same(cipher.textCipher.encryptText(somewhere(make), 'text').kid, before)
      const kid = await rotate(cipher)
      same(cipher.textCipher.encryptText(somewhere(make), 'text').kid, kid, 'after another key was activated')
    },
  }),
  cipherCase({
    id: 'text-cipher/text-under-an-old-key-comes-back',
    rule: 'A text under a key that is not active any more comes back as long as the ring has the key.',
    async check(cipher, make) {
      const place = somewhere(make)
      const encrypted = cipher.textCipher.encryptText(place, 'text')
      await rotate(cipher)
      same(valueOf(cipher.textCipher.decryptText(place, encrypted)), 'text')
    },
  }),
  cipherCase({
    id: 'text-cipher/same-text-looks-different',
    rule: 'Two calls with the same text for the same place give different ciphertexts.',
    check({ textCipher }, make) {
      const place = somewhere(make)
      const seen = Array.from({ length: 50 }, () => spelled(textCipher.encryptText(place, 'same').ciphertext))
      same(new Set(seen).size, 50, 'how many different ciphertexts there are')
    },
  }),
  cipherCase({
    id: 'text-cipher/text-is-not-to-be-seen',
    rule: 'A ciphertext does not hold the text.',
    check({ textCipher }, make) {
      const text = 'to be found nowhere'
      const { ciphertext } = textCipher.encryptText(somewhere(make), text)
      for (const encoding of ['utf8', 'utf16le', 'base64', 'hex'] as const) {
        const written = Buffer.from(ciphertext).includes(Buffer.from(Buffer.from(text).toString(encoding)))
        assert.equal(written, false, `the text is in the ciphertext, as ${encoding}`)
      }
      assert.equal(Buffer.from(ciphertext).includes(Buffer.from(text, 'utf16le')), false)
    },
  }),
  cipherCase({
    id: 'text-cipher/length-says-little',
    rule: 'Ciphertexts are padded: texts of 1 to 64 bytes have at most 8 different lengths.',
    check({ textCipher }, make) {
      const lengths = Array.from(
        { length: 64 },
        (_, at) => textCipher.encryptText(somewhere(make), 'x'.repeat(at + 1)).ciphertext.length,
      )
      const different = new Set(lengths).size
      assert.ok(different <= 8, `there are ${different} different lengths`)
    },
  }),
  cipherCase({
    id: 'text-cipher/other-place-is-damage',
    rule: 'A ciphertext that is read in another column, of another account or in another row is damaged.',
    check({ textCipher }, make) {
      const place = somewhere(make)
      const encrypted = textCipher.encryptText(place, 'text')
      const others: readonly TextPlace[] = [
        { ...place, column: 'access_token.name' },
        { ...place, column: 'account.email' },
        { ...place, accountId: make.uuid() },
        { ...place, rowId: make.uuid() },
        { ...place, accountId: place.rowId, rowId: place.accountId },
      ]
      for (const other of others) {
        isDamaged(textCipher.decryptText(other, encrypted), other.rowId, JSON.stringify(other))
      }
    },
  }),
  cipherCase({
    id: 'text-cipher/other-byte-is-damage',
    rule: 'A ciphertext of which any byte was changed is damaged.',
    check({ textCipher }, make) {
      const place = somewhere(make)
      const { kid, ciphertext } = textCipher.encryptText(place, 'text')
      for (const changed of oneByteChanged(ciphertext)) {
        isDamaged(textCipher.decryptText(place, { kid, ciphertext: changed }), place.rowId, spelled(changed))
      }
    },
  }),
  cipherCase({
    id: 'text-cipher/other-length-is-damage',
    rule: 'A ciphertext that was cut, emptied or lengthened is damaged, and nothing is thrown.',
    check({ textCipher }, make) {
      const place = somewhere(make)
      const { kid, ciphertext } = textCipher.encryptText(place, 'text')
      for (const changed of [...otherLengths(ciphertext), make.ciphertext(3), make.ciphertext(500)]) {
        isDamaged(textCipher.decryptText(place, { kid, ciphertext: changed }), place.rowId, spelled(changed))
      }
    },
  }),
  cipherCase({
    id: 'text-cipher/other-key-is-damage',
    rule: 'A ciphertext that is said to hang on another key of the ring is damaged.',
    async check(cipher, make) {
      const place = somewhere(make)
      const encrypted = cipher.textCipher.encryptText(place, 'text')
      const kid = await rotate(cipher)
      isDamaged(cipher.textCipher.decryptText(place, { ...encrypted, kid }), place.rowId, 'under another key')
    },
  }),
  cipherCase({
    id: 'text-cipher/unknown-key-is-named',
    rule: 'A ciphertext under a key that the ring lacks is refused with key_unknown, which names it.',
    check({ textCipher }, make) {
      const place = somewhere(make)
      const { ciphertext } = textCipher.encryptText(place, 'text')
      for (const bytes of [ciphertext, make.ciphertext(0)] satisfies Ciphertext[]) {
        const answer = textCipher.decryptText(place, { kid: unknownKid, ciphertext: bytes })
        same(answer.isErr() && answer.error, { code: 'key_unknown', kid: unknownKid })
      }
    },
  }),
]

function somewhere(make: Samples, column: TextPlace['column'] = 'folder.label'): TextPlace {
  return { column, accountId: make.uuid(), rowId: make.uuid() }
}
