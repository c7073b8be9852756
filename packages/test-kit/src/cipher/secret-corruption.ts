import { casesOf } from '../contract/contract.ts'
import type { StoredSecret } from '@sotto/core'
import { noonMicros, type Samples } from '../shared/samples.ts'
import {
  cipherCase,
  isCorrupted,
  encrypted,
  oneByteChanged,
  otherLengths,
  plainSecret,
  rotate,
  unknownKid,
  type CipherCase,
} from './harness.ts'
import { expectErr } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'

/** Cases of ciphertexts and rows that were changed, moved or cut. */
export const secretCorruptionCases: readonly CipherCase[] = casesOf({
  'secret-cipher/head-is-bound-to-its-row': cipherCase({
    rule: 'A head is data_damaged when the account, folder, id, creation, open limit or password flag of its row was changed, or the lookup, creation or expiry of its link.',
    async check(cipher, make) {
      const { secret } = await encrypted(cipher, plainSecret(make, { linkToken: make.linkToken() }))
      for (const [what, row] of changedColumns(secret, make)) {
        isCorrupted(cipher.secretCipher.decryptHead(row), row.id, `another ${what}`)
      }
      const draft = await encrypted(cipher, plainSecret(make))
      isCorrupted(
        cipher.secretCipher.decryptHead({ ...draft.secret, link: make.link() }),
        draft.secret.id,
        'a link',
      )
    },
  }),
  'secret-cipher/note-is-bound-to-its-row': cipherCase({
    rule: 'A note is data_damaged when the account, id, open limit or password flag of its row was changed, or the lookup or expiry of its link.',
    async check(cipher, make) {
      const { secret, note } = await encrypted(cipher, plainSecret(make, { linkToken: make.linkToken() }))
      const bound = [
        'account',
        'id',
        'lookup',
        'expiry',
        'missing link',
        'open limit',
        'missing open limit',
        'password flag',
      ]
      for (const [what, row] of changedColumns(secret, make).filter(([each]) => bound.includes(each))) {
        isCorrupted(await cipher.secretCipher.decryptNote(row, note, 'a password'), row.id, `another ${what}`)
      }
      const draft = await encrypted(cipher, plainSecret(make))
      const shared = { ...draft.secret, link: make.link() }
      isCorrupted(await cipher.secretCipher.decryptNote(shared, draft.note, undefined), shared.id, 'a link')
    },
  }),
  'secret-cipher/parts-of-another-secret-are-corruption': cipherCase({
    rule: 'The head, note or wrapped key of another secret of the account, or of an earlier encryption of the same secret, is data_damaged.',
    async check(cipher, make) {
      const plain = plainSecret(make)
      const { secret, note } = await encrypted(cipher, plain)
      const again = await encrypted(cipher, plain)
      const sibling = await encrypted(cipher, { ...plain, row: { ...plain.row, id: make.uuid() } })
      const { decryptHead, decryptNote } = cipher.secretCipher
      isCorrupted(
        decryptHead({ ...secret, headCiphertext: sibling.secret.headCiphertext }),
        secret.id,
        "another secret's head",
      )
      for (const other of [again, sibling]) {
        isCorrupted(
          await decryptNote(secret, { ...note, note: other.note.note }, undefined),
          secret.id,
          'another note',
        )
        isCorrupted(
          await decryptNote(secret, { ...note, wrappedKey: other.note.wrappedKey }, undefined),
          secret.id,
          'another wrapped key',
        )
      }
      const moved = await decryptNote(secret, { note: note.wrappedKey, wrappedKey: note.note }, undefined)
      isCorrupted(moved, secret.id, 'note and wrapped key swapped')
    },
  }),
  'secret-cipher/other-byte-is-corruption': cipherCase({
    rule: 'A head, note or wrapped key in which any byte was changed is data_damaged.',
    async check(cipher, make) {
      const { secret, note } = await encrypted(cipher, plainSecret(make, { linkToken: make.linkToken() }))
      const { decryptHead, decryptNote } = cipher.secretCipher
      for (const headCiphertext of oneByteChanged(secret.headCiphertext))
        isCorrupted(decryptHead({ ...secret, headCiphertext }), secret.id, 'a head')
      for (const changed of oneByteChanged(note.note, 256)) {
        isCorrupted(await decryptNote(secret, { ...note, note: changed }, undefined), secret.id, 'a note')
      }
      for (const wrappedKey of oneByteChanged(note.wrappedKey)) {
        isCorrupted(await decryptNote(secret, { ...note, wrappedKey }, undefined), secret.id, 'a wrapped key')
      }
    },
  }),
  'secret-cipher/other-length-is-corruption': cipherCase({
    rule: 'A head, note or wrapped key that was shortened, emptied or lengthened is data_damaged; nothing is thrown.',
    async check(cipher, make) {
      const { secret, note } = await encrypted(cipher, plainSecret(make))
      const { decryptHead, decryptNote } = cipher.secretCipher
      for (const headCiphertext of otherLengths(secret.headCiphertext))
        isCorrupted(decryptHead({ ...secret, headCiphertext }), secret.id, 'a head')
      for (const changed of otherLengths(note.note)) {
        isCorrupted(await decryptNote(secret, { ...note, note: changed }, undefined), secret.id, 'a note')
      }
      for (const wrappedKey of otherLengths(note.wrappedKey)) {
        isCorrupted(await decryptNote(secret, { ...note, wrappedKey }, undefined), secret.id, 'a wrapped key')
      }
    },
  }),
  'secret-cipher/other-key-is-corruption': cipherCase({
    rule: 'A head or note whose row names another key of the ring is data_damaged.',
    async check(cipher, make) {
      const { secret, note } = await encrypted(cipher, plainSecret(make))
      const moved = { ...secret, kid: await rotate(cipher) }
      isCorrupted(cipher.secretCipher.decryptHead(moved), secret.id, 'a head')
      isCorrupted(await cipher.secretCipher.decryptNote(moved, note, undefined), secret.id, 'a note')
    },
  }),
  'secret-cipher/unknown-key-is-named': cipherCase({
    rule: 'A head or note under a key that the ring lacks is key_unknown, with the number of the key.',
    async check({ secretCipher }, make) {
      const { secret, note } = await encrypted({ secretCipher }, plainSecret(make))
      const moved = { ...secret, kid: unknownKid }
      const error = { code: 'key_unknown', kid: unknownKid }
      same(expectErr(secretCipher.decryptHead(moved)), error, 'the head')
      same(expectErr(await secretCipher.decryptNote(moved, note, undefined)), error, 'the note')
    },
  }),
})

/** The row with one bound column changed, for each bound column. */
function changedColumns(
  secret: StoredSecret,
  make: Samples,
): readonly (readonly [what: string, row: StoredSecret])[] {
  const link = secret.link ?? make.link()
  return [
    ['account', { ...secret, accountId: make.uuid() }],
    ['folder', { ...secret, folderId: make.uuid() }],
    ['id', { ...secret, id: make.uuid() }],
    ['creation', { ...secret, createdAtMicros: noonMicros }],
    ['lookup', { ...secret, link: { ...link, lookup: make.bytes(32) } }],
    ['link creation', { ...secret, link: { ...link, createdAtMicros: link.createdAtMicros + 1 } }],
    ['expiry', { ...secret, link: { ...link, expiresAtMicros: link.expiresAtMicros + 1 } }],
    ['missing link', { ...secret, link: undefined }],
    ['open limit', { ...secret, openLimit: 4 }],
    ['missing open limit', { ...secret, openLimit: undefined }],
    ['password flag', { ...secret, hasPassword: !secret.hasPassword }],
  ]
}
