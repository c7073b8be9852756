import type { Samples } from '../samples.ts'
import {
  cipherCase,
  isDamaged,
  keep,
  oneByteChanged,
  plainSecret,
  type CipherCase,
  type CipherUnderTest,
  type KeptSecret,
} from './cipher-harness.ts'
import { failsWith, okOf, same, valueOf } from './expect.ts'

const password = 'Correct horse, battery stäple 🐎'

/** Cases of notes with a password. Each question that hashes one may take a while, so there are few of them. */
export const secretPasswordCases: readonly CipherCase[] = [
  cipherCase({
    id: 'secret-cipher/right-password-opens',
    rule: 'With its password a note comes back exactly; the head needs none.',
    async check(cipher, make) {
      const { plain, secret, note } = await withPassword(cipher, make)
      same(await okOf(cipher.secretCipher.decryptNote(secret, note, password)), plain.note)
      same(valueOf(cipher.secretCipher.decryptHead(secret)), plain.head)
    },
  }),
  cipherCase({
    id: 'secret-cipher/long-password-counts-to-its-end',
    rule: 'A password of 1,024 bytes opens, and one that differs in the last of them does not.',
    async check(cipher, make) {
      const start = 'p'.repeat(1_023)
      const plain = plainSecret(make, { password: `${start}a`, linkToken: make.linkToken() })
      const { secret, note } = await keep(cipher, plain)
      same(await okOf(cipher.secretCipher.decryptNote(secret, note, `${start}a`)), plain.note)
      await failsWith(cipher.secretCipher.decryptNote(secret, note, `${start}b`), 'password_wrong')
    },
  }),
  cipherCase({
    id: 'secret-cipher/missing-password-is-asked-for',
    rule: 'Without its password a note is refused with password_required.',
    async check(cipher, make) {
      const { secret, note } = await withPassword(cipher, make)
      await failsWith(cipher.secretCipher.decryptNote(secret, note, undefined), 'password_required')
    },
  }),
  cipherCase({
    id: 'secret-cipher/wrong-password-is-told-from-damage',
    rule: 'A wrong password is refused with password_wrong, the empty one included, and the right one opens afterwards.',
    async check(cipher, make) {
      const { plain, secret, note } = await withPassword(cipher, make)
      for (const wrong of ['', password.toLowerCase(), `${password} `]) {
        await failsWith(cipher.secretCipher.decryptNote(secret, note, wrong), 'password_wrong')
      }
      same(await okOf(cipher.secretCipher.decryptNote(secret, note, password)), plain.note)
    },
  }),
  cipherCase({
    id: 'secret-cipher/damage-is-told-from-a-wrong-password',
    rule: 'With the right password a changed wrap or note, or one of another secret with the same password, is damage.',
    async check(cipher, make) {
      const { plain, secret, note } = await withPassword(cipher, make)
      const { decryptNote } = cipher.secretCipher
      for (const wrap of oneByteChanged(note.wrap)) {
        isDamaged(await decryptNote(secret, { ...note, wrap }, password), secret.id, 'a changed wrap')
      }
      for (const changed of oneByteChanged(note.note, 3)) {
        isDamaged(
          await decryptNote(secret, { ...note, note: changed }, password),
          secret.id,
          'a changed note',
        )
      }
      const sibling = await keep(cipher, { ...plain, row: { ...plain.row, id: make.uuid() } })
      const moved = await decryptNote(secret, { ...note, wrap: sibling.note.wrap }, password)
      isDamaged(moved, secret.id, "another secret's wrap")
    },
  }),
  cipherCase({
    id: 'secret-cipher/password-flag-is-bound',
    rule: 'A note whose password flag was taken away in its row is damaged, with the password or without.',
    async check(cipher, make) {
      const { secret, note } = await withPassword(cipher, make)
      const row = { ...secret, hasPassword: false }
      for (const given of [undefined, password]) {
        isDamaged(await cipher.secretCipher.decryptNote(row, note, given), secret.id, 'without the flag')
      }
    },
  }),
  cipherCase({
    id: 'secret-cipher/no-password-is-never-busy',
    rule: 'Secrets without a password are never refused with cipher_busy, however many passwords are being hashed.',
    async check(cipher, make) {
      const hashing = Array.from({ length: 4 }, () =>
        cipher.secretCipher.encryptSecret(plainSecret(make, { password })),
      )
      const plain = Array.from({ length: 20 }, () => plainSecret(make))
      const kept = await Promise.all(plain.map((each) => keep(cipher, each)))
      for (const { plain: each, secret, note } of kept) {
        same(await okOf(cipher.secretCipher.decryptNote(secret, note, undefined)), each.note)
      }
      for (const answer of await Promise.all(hashing)) {
        same(answer.isErr() ? answer.error : undefined, answer.isErr() ? { code: 'cipher_busy' } : undefined)
      }
    },
  }),
]

async function withPassword(cipher: CipherUnderTest, make: Samples): Promise<KeptSecret> {
  return keep(cipher, plainSecret(make, { password, linkToken: make.linkToken() }))
}
