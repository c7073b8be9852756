import type { StoredSecret } from '@sotto/core'
import { noonMicros, type Samples } from '../samples.ts'
import {
  cipherCase,
  isDamaged,
  keep,
  oneByteChanged,
  otherLengths,
  plainSecret,
  rotate,
  unknownKid,
  type CipherCase,
} from './cipher-harness.ts'
import { same } from './expect.ts'

/** Cases of what was changed, moved or cut. */
export const secretDamageCases: readonly CipherCase[] = [
  cipherCase({
    id: 'secret-cipher/head-is-bound-to-its-row',
    rule: 'A head is damaged when account, folder, id, creation, lookup, creation or expiry of the link, open limit or password flag was changed.',
    async check(cipher, make) {
      const { secret } = await keep(cipher, plainSecret(make, { linkToken: make.linkToken() }))
      for (const [what, row] of changedColumns(secret, make)) {
        isDamaged(cipher.secretCipher.decryptHead(row), row.id, `another ${what}`)
      }
      const draft = await keep(cipher, plainSecret(make))
      isDamaged(
        cipher.secretCipher.decryptHead({ ...draft.secret, link: make.link() }),
        draft.secret.id,
        'a link',
      )
    },
  }),
  cipherCase({
    id: 'secret-cipher/note-is-bound-to-its-row',
    rule: 'A note is damaged when account, id, lookup, expiry, open limit or password flag was changed.',
    async check(cipher, make) {
      const { secret, note } = await keep(cipher, plainSecret(make, { linkToken: make.linkToken() }))
      const bound = ['account', 'id', 'lookup', 'expiry', 'missing link', 'open limit', 'password flag']
      for (const [what, row] of changedColumns(secret, make).filter(([each]) => bound.includes(each))) {
        isDamaged(await cipher.secretCipher.decryptNote(row, note, 'a password'), row.id, `another ${what}`)
      }
      const draft = await keep(cipher, plainSecret(make))
      const shared = { ...draft.secret, link: make.link() }
      isDamaged(await cipher.secretCipher.decryptNote(shared, draft.note, undefined), shared.id, 'a link')
    },
  }),
  cipherCase({
    id: 'secret-cipher/parts-of-another-secret-are-damage',
    rule: 'Head, note or wrap of another secret, of the same account or an earlier version, are damaged.',
    async check(cipher, make) {
      const plain = plainSecret(make)
      const { secret, note } = await keep(cipher, plain)
      const again = await keep(cipher, plain)
      const sibling = await keep(cipher, { ...plain, row: { ...plain.row, id: make.uuid() } })
      const { decryptHead, decryptNote } = cipher.secretCipher
      isDamaged(decryptHead({ ...secret, head: sibling.secret.head }), secret.id, "another secret's head")
      for (const other of [again, sibling]) {
        isDamaged(
          await decryptNote(secret, { ...note, note: other.note.note }, undefined),
          secret.id,
          'another note',
        )
        isDamaged(
          await decryptNote(secret, { ...note, wrap: other.note.wrap }, undefined),
          secret.id,
          'another wrap',
        )
      }
      const moved = await decryptNote(secret, { note: note.wrap, wrap: note.note }, undefined)
      isDamaged(moved, secret.id, 'note and wrap in each other’s place')
    },
  }),
  cipherCase({
    id: 'secret-cipher/other-byte-is-damage',
    rule: 'A head, note or wrap of which any byte was changed is damaged.',
    async check(cipher, make) {
      const { secret, note } = await keep(cipher, plainSecret(make, { linkToken: make.linkToken() }))
      const { decryptHead, decryptNote } = cipher.secretCipher
      for (const head of oneByteChanged(secret.head))
        isDamaged(decryptHead({ ...secret, head }), secret.id, 'a head')
      for (const changed of oneByteChanged(note.note, 256)) {
        isDamaged(await decryptNote(secret, { ...note, note: changed }, undefined), secret.id, 'a note')
      }
      for (const wrap of oneByteChanged(note.wrap)) {
        isDamaged(await decryptNote(secret, { ...note, wrap }, undefined), secret.id, 'a wrap')
      }
    },
  }),
  cipherCase({
    id: 'secret-cipher/other-length-is-damage',
    rule: 'A head, note or wrap that was cut, emptied or lengthened is damaged, and nothing is thrown.',
    async check(cipher, make) {
      const { secret, note } = await keep(cipher, plainSecret(make))
      const { decryptHead, decryptNote } = cipher.secretCipher
      for (const head of otherLengths(secret.head))
        isDamaged(decryptHead({ ...secret, head }), secret.id, 'a head')
      for (const changed of otherLengths(note.note)) {
        isDamaged(await decryptNote(secret, { ...note, note: changed }, undefined), secret.id, 'a note')
      }
      for (const wrap of otherLengths(note.wrap)) {
        isDamaged(await decryptNote(secret, { ...note, wrap }, undefined), secret.id, 'a wrap')
      }
    },
  }),
  cipherCase({
    id: 'secret-cipher/other-key-is-damage',
    rule: 'A head or note that is said to hang on another key of the ring is damaged.',
    async check(cipher, make) {
      const { secret, note } = await keep(cipher, plainSecret(make))
      const moved = { ...secret, kid: await rotate(cipher) }
      isDamaged(cipher.secretCipher.decryptHead(moved), secret.id, 'a head')
      isDamaged(await cipher.secretCipher.decryptNote(moved, note, undefined), secret.id, 'a note')
    },
  }),
  cipherCase({
    id: 'secret-cipher/unknown-key-is-named',
    rule: 'A head or note under a key that the ring lacks is refused with key_unknown, which names it.',
    async check({ secretCipher, ...cipher }, make) {
      const { secret, note } = await keep({ secretCipher, ...cipher }, plainSecret(make))
      const moved = { ...secret, kid: unknownKid }
      const refusal = { code: 'key_unknown', kid: unknownKid }
      const [head, text] = [
        secretCipher.decryptHead(moved),
        await secretCipher.decryptNote(moved, note, undefined),
      ]
      same(head.isErr() && head.error, refusal, 'the head')
      same(text.isErr() && text.error, refusal, 'the note')
    },
  }),
]

/** The row with one bound column changed, for each of them. */
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
    ['open limit', { ...secret, openLimit: 0 }],
    ['password flag', { ...secret, hasPassword: !secret.hasPassword }],
  ]
}
