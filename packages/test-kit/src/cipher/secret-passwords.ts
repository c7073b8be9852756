import { casesOf } from '../contract/contract.ts'
import type { Samples } from '../shared/samples.ts'
import {
  cipherCase,
  isCorrupted,
  encrypted,
  oneByteChanged,
  plainSecret,
  type CipherCase,
  type CipherUnderTest,
  type EncryptedSample,
} from './harness.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'

const password = 'Correct horse, battery stäple 🐎'

/** Cases of notes with a password. Every password that is hashed may take a while, so there are few. */
export const secretPasswordCases: readonly CipherCase[] = casesOf({
  'secret-cipher/right-password-opens': cipherCase({
    rule: 'With its password a note comes back exactly; its head needs no password.',
    async check(cipher, make) {
      const { plain, secret, note } = await withPassword(cipher, make)
      same(expectOk(await cipher.secretCipher.decryptNote(secret, note, password)), plain.note)
      same(expectOk(cipher.secretCipher.decryptHead(secret)), plain.head)
    },
  }),
  'secret-cipher/long-password-is-used-in-full': cipherCase({
    rule: 'A password of 1,024 bytes decrypts the note, and one that differs in its last byte does not.',
    async check(cipher, make) {
      const start = 'p'.repeat(1_023)
      const plain = plainSecret(make, { password: `${start}a`, linkToken: make.linkToken() })
      const { secret, note } = await encrypted(cipher, plain)
      same(expectOk(await cipher.secretCipher.decryptNote(secret, note, `${start}a`)), plain.note)
      expectErr(await cipher.secretCipher.decryptNote(secret, note, `${start}b`), 'password_wrong')
    },
  }),
  'secret-cipher/missing-password-is-required': cipherCase({
    rule: 'Without its password a note is password_required.',
    async check(cipher, make) {
      const { secret, note } = await withPassword(cipher, make)
      expectErr(await cipher.secretCipher.decryptNote(secret, note, undefined), 'password_required')
    },
  }),
  'secret-cipher/wrong-password-is-not-corruption': cipherCase({
    rule: 'A wrong password, also an empty one, is password_wrong; the right one works afterwards.',
    async check(cipher, make) {
      const { plain, secret, note } = await withPassword(cipher, make)
      for (const wrong of ['', password.toLowerCase(), `${password} `]) {
        expectErr(await cipher.secretCipher.decryptNote(secret, note, wrong), 'password_wrong')
      }
      same(expectOk(await cipher.secretCipher.decryptNote(secret, note, password)), plain.note)
    },
  }),
  'secret-cipher/corruption-is-not-a-wrong-password': cipherCase({
    rule: 'With the right password a changed wrapped key or note, or one of another secret with that password, is data_damaged.',
    async check(cipher, make) {
      const { plain, secret, note } = await withPassword(cipher, make)
      const { decryptNote } = cipher.secretCipher
      for (const wrappedKey of oneByteChanged(note.wrappedKey)) {
        isCorrupted(
          await decryptNote(secret, { ...note, wrappedKey }, password),
          secret.id,
          'a changed wrapped key',
        )
      }
      for (const changed of oneByteChanged(note.note, 3)) {
        isCorrupted(
          await decryptNote(secret, { ...note, note: changed }, password),
          secret.id,
          'a changed note',
        )
      }
      const sibling = await encrypted(cipher, { ...plain, row: { ...plain.row, id: make.uuid() } })
      const moved = await decryptNote(secret, { ...note, wrappedKey: sibling.note.wrappedKey }, password)
      isCorrupted(moved, secret.id, "another secret's wrapped key")
    },
  }),
  'secret-cipher/corruption-needs-no-password': cipherCase({
    rule: 'A changed wrapped key or note of a secret with a password is data_damaged without the password and with a wrong one, also after rebinding.',
    async check(cipher, make) {
      const { plain, secret, note } = await withPassword(cipher, make)
      const { decryptNote, rebind } = cipher.secretCipher
      const { link } = secret
      const rebound = expectOk(rebind({ from: secret, wrappedKey: note.wrappedKey, link, head: plain.head }))
      const stored = {
        secret: { ...secret, ...rebound },
        note: { ...note, wrappedKey: rebound.wrappedKey ?? note.wrappedKey },
      }
      for (const row of [{ secret, note }, stored]) {
        const changed = [
          ...oneByteChanged(row.note.wrappedKey, 7).map((wrappedKey) => ({ ...row.note, wrappedKey })),
          ...oneByteChanged(row.note.note, 64).map((each) => ({ ...row.note, note: each })),
        ]
        for (const each of changed)
          isCorrupted(await decryptNote(row.secret, each, undefined), secret.id, 'without the password')
        const [first] = oneByteChanged(row.note.note)
        const corrupted = { ...row.note, note: first ?? row.note.note }
        isCorrupted(await decryptNote(row.secret, corrupted, 'wrong'), secret.id, 'with a wrong password')
        expectErr(await decryptNote(row.secret, row.note, undefined), 'password_required')
      }
    },
  }),
  'secret-cipher/password-flag-is-bound': cipherCase({
    rule: 'A note whose row no longer has the password flag is data_damaged, with the password and without.',
    async check(cipher, make) {
      const { secret, note } = await withPassword(cipher, make)
      const row = { ...secret, hasPassword: false }
      for (const given of [undefined, password]) {
        isCorrupted(await cipher.secretCipher.decryptNote(row, note, given), secret.id, 'without the flag')
      }
    },
  }),
  'secret-cipher/no-password-is-never-busy': cipherCase({
    rule: 'A secret without a password is never hasher_busy, however many passwords are being hashed.',
    async check(cipher, make) {
      const hashing = Array.from({ length: 4 }, () =>
        cipher.secretCipher.encryptSecret(plainSecret(make, { password })),
      )
      const plain = Array.from({ length: 20 }, () => plainSecret(make))
      const samples = await Promise.all(plain.map((each) => encrypted(cipher, each)))
      for (const { plain: each, secret, note } of samples) {
        same(expectOk(await cipher.secretCipher.decryptNote(secret, note, undefined)), each.note)
      }
      for (const result of await Promise.all(hashing)) {
        if (result.isErr()) same(result.error, { code: 'hasher_busy' })
      }
    },
  }),
})

async function withPassword(cipher: CipherUnderTest, make: Samples): Promise<EncryptedSample> {
  return encrypted(cipher, plainSecret(make, { password, linkToken: make.linkToken() }))
}
