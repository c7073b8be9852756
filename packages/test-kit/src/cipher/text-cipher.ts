import { casesOf } from '../contract/contract.ts'
import assert from 'node:assert/strict'
import { textColumns, type Ciphertext, type TextPlace } from '@sotto/core'
import type { Samples } from '../shared/samples.ts'
import {
  cipherCase,
  isCorrupted,
  oneByteChanged,
  otherLengths,
  rotate,
  unknownKid,
  type CipherCase,
} from './harness.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { same, spelled } from '../contract/compare.ts'

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

/** Cases of the text cipher. */
export const textCipherCases: readonly CipherCase[] = casesOf({
  'text-cipher/text-comes-back': cipherCase({
    rule: 'Any text comes back exactly as it was, in every column.',
    check({ textCipher }, make) {
      for (const column of textColumns) {
        for (const text of texts) {
          const place = somewhere(make, column)
          same(expectOk(textCipher.decryptText(place, textCipher.encryptText(place, text))), text, column)
        }
      }
    },
  }),
  'text-cipher/encrypts-under-the-active-key': cipherCase({
    rule: 'A text is encrypted under the active key.',
    async check(cipher, make) {
      const before = cipher.keyRing.activeKid()
      same(cipher.textCipher.encryptText(somewhere(make), 'text').kid, before)
      const kid = await rotate(cipher)
      same(cipher.textCipher.encryptText(somewhere(make), 'text').kid, kid, 'after another key was activated')
    },
  }),
  'text-cipher/old-keys-decrypt': cipherCase({
    rule: 'A text under a key that is no longer active can be decrypted as long as the ring has the key.',
    async check(cipher, make) {
      const place = somewhere(make)
      const encrypted = cipher.textCipher.encryptText(place, 'text')
      await rotate(cipher)
      same(expectOk(cipher.textCipher.decryptText(place, encrypted)), 'text')
    },
  }),
  'text-cipher/same-text-looks-different': cipherCase({
    rule: 'Two calls with the same text for the same place give different ciphertexts.',
    check({ textCipher }, make) {
      const place = somewhere(make)
      const seen = Array.from({ length: 50 }, () => spelled(textCipher.encryptText(place, 'same').ciphertext))
      same(new Set(seen).size, 50, 'how many different ciphertexts there are')
    },
  }),
  'text-cipher/ciphertext-hides-the-text': cipherCase({
    rule: 'A ciphertext does not contain the text in any common encoding.',
    check({ textCipher }, make) {
      const text = 'must not be visible'
      const ciphertext = Buffer.from(textCipher.encryptText(somewhere(make), text).ciphertext)
      const encodings = {
        utf16le: Buffer.from(text, 'utf16le'),
        base64: btoa(text),
        hex: hexOf(text),
        utf8: text,
      }
      for (const [encoding, encoded] of Object.entries(encodings)) {
        assert.ok(!ciphertext.includes(encoded), `the ciphertext contains the text in ${encoding}`)
      }
    },
  }),
  'text-cipher/length-reveals-little': cipherCase({
    rule: 'Ciphertexts are padded: those of texts of 1 to 64 bytes have at most 8 different lengths.',
    check({ textCipher }, make) {
      const lengths = Array.from(
        { length: 64 },
        (_, at) => textCipher.encryptText(somewhere(make), 'x'.repeat(at + 1)).ciphertext.length,
      )
      const different = new Set(lengths).size
      assert.ok(different <= 8, `there are ${different} different lengths`)
    },
  }),
  'text-cipher/other-place-is-corruption': cipherCase({
    rule: 'A ciphertext that is decrypted in another column, account or row is data_damaged.',
    check({ textCipher }, make) {
      const place = somewhere(make)
      const encrypted = textCipher.encryptText(place, 'text')
      const others: readonly TextPlace[] = [
        { ...place, column: 'access_token.name' },
        { ...place, column: 'account.name' },
        { ...place, accountId: make.uuid() },
        { ...place, rowId: make.uuid() },
        { ...place, accountId: place.rowId, rowId: place.accountId },
      ]
      for (const other of others) {
        isCorrupted(textCipher.decryptText(other, encrypted), other.rowId, JSON.stringify(other))
      }
    },
  }),
  'text-cipher/other-byte-is-corruption': cipherCase({
    rule: 'A ciphertext in which any byte was changed is data_damaged.',
    check({ textCipher }, make) {
      const place = somewhere(make)
      const { kid, ciphertext } = textCipher.encryptText(place, 'text')
      for (const changed of oneByteChanged(ciphertext)) {
        isCorrupted(
          textCipher.decryptText(place, { kid, ciphertext: changed }),
          place.rowId,
          spelled(changed),
        )
      }
    },
  }),
  'text-cipher/other-length-is-corruption': cipherCase({
    rule: 'A ciphertext that was shortened, emptied or lengthened is data_damaged; nothing is thrown.',
    check({ textCipher }, make) {
      const place = somewhere(make)
      const { kid, ciphertext } = textCipher.encryptText(place, 'text')
      for (const changed of [...otherLengths(ciphertext), make.ciphertext(3), make.ciphertext(500)]) {
        isCorrupted(
          textCipher.decryptText(place, { kid, ciphertext: changed }),
          place.rowId,
          spelled(changed),
        )
      }
    },
  }),
  'text-cipher/other-key-is-corruption': cipherCase({
    rule: 'A ciphertext whose row names another key of the ring is data_damaged.',
    async check(cipher, make) {
      const place = somewhere(make)
      const encrypted = cipher.textCipher.encryptText(place, 'text')
      const kid = await rotate(cipher)
      isCorrupted(
        cipher.textCipher.decryptText(place, { ...encrypted, kid }),
        place.rowId,
        'under another key',
      )
    },
  }),
  'text-cipher/unknown-key-is-named': cipherCase({
    rule: 'A ciphertext under a key that the ring lacks is key_unknown, with the number of the key.',
    check({ textCipher }, make) {
      const place = somewhere(make)
      const { ciphertext } = textCipher.encryptText(place, 'text')
      for (const bytes of [ciphertext, make.ciphertext(0)] satisfies Ciphertext[]) {
        const result = textCipher.decryptText(place, { kid: unknownKid, ciphertext: bytes })
        same(expectErr(result), { code: 'key_unknown', kid: unknownKid })
      }
    },
  }),
  'text-cipher/sealed-text-comes-back': cipherCase({
    rule: 'A text that was sealed with a token comes back exactly, whichever key is active; two calls give different ciphertexts, padded like others.',
    async check(cipher, make) {
      const { textCipher } = cipher
      const seal = { accountId: make.uuid(), token: make.linkToken() }
      const sealed = texts.map((text) => textCipher.sealText(seal, text))
      await rotate(cipher)
      for (const [at, text] of texts.entries()) {
        same(textCipher.unsealText(seal, sealed[at] ?? make.ciphertext()), text)
      }
      const lengths = Array.from(
        { length: 64 },
        (_, at) => textCipher.sealText(seal, 'x'.repeat(at + 1)).length,
      )
      assert.ok(new Set(lengths).size <= 8, 'there are too many different lengths')
      assert.notEqual(spelled(textCipher.sealText(seal, 'a')), spelled(textCipher.sealText(seal, 'a')))
    },
  }),
  'text-cipher/sealed-text-needs-its-token': cipherCase({
    rule: 'A sealed text is undefined with another token or account, and when any byte or its length was changed; nothing is thrown.',
    check({ textCipher }, make) {
      const seal = { accountId: make.uuid(), token: make.linkToken() }
      const sealed = textCipher.sealText(seal, 'text')
      for (const other of [
        { ...seal, token: make.linkToken() },
        { ...seal, accountId: make.uuid() },
      ]) {
        same(textCipher.unsealText(other, sealed), undefined, JSON.stringify(other))
      }
      for (const changed of [...oneByteChanged(sealed), ...otherLengths(sealed), make.ciphertext(500)]) {
        same(textCipher.unsealText(seal, changed), undefined, spelled(changed))
      }
    },
  }),
})

/** A new place in the column. */
function somewhere(make: Samples, column: TextPlace['column'] = 'folder.label'): TextPlace {
  return { column, accountId: make.uuid(), rowId: make.uuid() }
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex')
}
