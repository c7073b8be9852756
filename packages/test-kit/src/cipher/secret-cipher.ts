import { casesOf } from '../contract/contract.ts'
import assert from 'node:assert/strict'
import type { PlainSecret } from '@sotto/core'
import { cipherCase, encrypted, plainSecret, rotate, type CipherCase } from './harness.ts'
import { expectOk } from '../contract/expect.ts'
import { same, spelled } from '../contract/compare.ts'

const notes: readonly string[] = [
  'x',
  '\u0000[["a file without a text"]]',
  ' \r\n first\n\nlast \n\n',
  'Grüße, 世界 👋🏽 e\u0301\ufeff\u0000',
  'ü'.repeat(32_768),
  'y'.repeat(1_048_576),
]

/** Cases of heads, and of notes without a password. */
export const secretCipherCases: readonly CipherCase[] = casesOf({
  'secret-cipher/note-comes-back': cipherCase({
    rule: 'Any note up to 1 MiB comes back exactly as it was, for a draft and for a shareable secret.',
    async check(cipher, make) {
      for (const note of notes) {
        for (const linkToken of [undefined, make.linkToken()]) {
          const sample = await encrypted(cipher, plainSecret(make, { note, linkToken }))
          const text = expectOk(await cipher.secretCipher.decryptNote(sample.secret, sample.note, undefined))
          assert.ok(text === note, `a note of ${note.length} UTF-16 units came back different`)
        }
      }
    },
  }),
  'secret-cipher/head-comes-back': cipherCase({
    rule: 'Label and link token come back exactly as they were; the link token of a draft is undefined.',
    async check(cipher, make) {
      for (const label of ['a', 'Grüße, 世界 👋🏽', '😀'.repeat(255)]) {
        for (const linkToken of [undefined, make.linkToken()]) {
          const plain = plainSecret(make, { linkToken })
          const { secret } = await encrypted(cipher, { ...plain, head: { label, linkToken } })
          same(expectOk(cipher.secretCipher.decryptHead(secret)), { label, linkToken })
        }
      }
    },
  }),
  'secret-cipher/proof-digest-comes-back': cipherCase({
    rule: 'The digest of the proof of a sealed secret comes back exactly as it was, under another key too.',
    async check(cipher, make) {
      const plain = plainSecret(make, { linkToken: make.linkToken() })
      const head = { ...plain.head, proofDigest: make.bytes(32) }
      const { secret, note } = await encrypted(cipher, { ...plain, head })
      same(expectOk(cipher.secretCipher.decryptHead(secret)), head)
      await rotate(cipher)
      const { link } = secret
      const rebound = cipher.secretCipher.rebind({ from: secret, wrappedKey: note.wrappedKey, link, head })
      same(expectOk(cipher.secretCipher.decryptHead({ ...secret, ...expectOk(rebound) })), head)
    },
  }),
  'secret-cipher/request-key-comes-back': cipherCase({
    rule: 'The key of the request that a sealed answer answers comes back exactly as it was, under another key too.',
    async check(cipher, make) {
      const plain = plainSecret(make)
      const head = { ...plain.head, requestKey: `BA${make.linkToken()}${make.linkToken().slice(2)}A` }
      const { secret, note } = await encrypted(cipher, { ...plain, head })
      same(expectOk(cipher.secretCipher.decryptHead(secret)), head)
      await rotate(cipher)
      const rebound = cipher.secretCipher.rebind({
        from: secret,
        wrappedKey: note.wrappedKey,
        link: undefined,
        head,
      })
      same(expectOk(cipher.secretCipher.decryptHead({ ...secret, ...expectOk(rebound) })), head)
    },
  }),
  'secret-cipher/encrypts-under-the-active-key': cipherCase({
    rule: 'A secret is encrypted under the active key.',
    async check(cipher, make) {
      const before = cipher.keyRing.activeKid()
      same((await encrypted(cipher, plainSecret(make))).secret.kid, before)
      const kid = await rotate(cipher)
      same((await encrypted(cipher, plainSecret(make))).secret.kid, kid, 'after another key was activated')
    },
  }),
  'secret-cipher/old-keys-decrypt': cipherCase({
    rule: 'A secret under a key that is no longer active can be decrypted as long as the ring has the key.',
    async check(cipher, make) {
      const { plain, secret, note } = await encrypted(cipher, plainSecret(make))
      await rotate(cipher)
      same(expectOk(cipher.secretCipher.decryptHead(secret)), plain.head)
      same(expectOk(await cipher.secretCipher.decryptNote(secret, note, undefined)), plain.note)
    },
  }),
  'secret-cipher/same-secret-looks-different': cipherCase({
    rule: 'Encrypting the same secret twice gives a different head, note and wrapped key.',
    async check(cipher, make) {
      const plain = plainSecret(make)
      const [one, other] = [await encrypted(cipher, plain), await encrypted(cipher, plain)]
      assert.notEqual(
        spelled(one.secret.headCiphertext),
        spelled(other.secret.headCiphertext),
        'the heads are the same',
      )
      assert.notEqual(spelled(one.note.note), spelled(other.note.note), 'the notes are the same')
      assert.notEqual(
        spelled(one.note.wrappedKey),
        spelled(other.note.wrappedKey),
        'the wrapped keys are the same',
      )
    },
  }),
  'secret-cipher/ciphertexts-hide-the-plaintext': cipherCase({
    rule: 'Head, note and wrapped key contain neither the label nor the link token nor the note.',
    async check(cipher, make) {
      const linkToken = make.linkToken()
      const { secret, note } = await encrypted(cipher, plainSecret(make, { note: 'hidden note', linkToken }))
      for (const bytes of [secret.headCiphertext, note.note, note.wrappedKey]) {
        for (const text of ['a label', 'hidden note', linkToken, Buffer.from(linkToken, 'base64url')]) {
          assert.equal(Buffer.from(bytes).includes(text), false, 'whether a ciphertext contains plaintext')
        }
      }
    },
  }),
  'secret-cipher/needless-password-is-ignored': cipherCase({
    rule: 'A password for a secret that has none is ignored.',
    async check(cipher, make) {
      const { plain, secret, note } = await encrypted(cipher, plainSecret(make))
      for (const password of ['', 'needless']) {
        same(expectOk(await cipher.secretCipher.decryptNote(secret, note, password)), plain.note)
      }
    },
  }),
  'secret-cipher/length-reveals-little': cipherCase({
    rule: 'Heads and notes are padded: those of labels and notes of 1 to 64 bytes have at most 8 different lengths.',
    async check(cipher, make) {
      const lengths = { heads: new Set<number>(), notes: new Set<number>() }
      for (let length = 1; length <= 64; length += 1) {
        const plain: PlainSecret = plainSecret(make, { note: 'x'.repeat(length) })
        const head = { label: 'x'.repeat(length), linkToken: undefined }
        const { secret, note } = await encrypted(cipher, { ...plain, head })
        lengths.heads.add(secret.headCiphertext.length)
        lengths.notes.add(note.note.length)
      }
      for (const [what, { size }] of Object.entries(lengths))
        assert.ok(size <= 8, `${what} have ${size} lengths`)
    },
  }),
})
