import type { LinkToken, StoredLink, StoredSecret } from '@sotto/core'
import type { Samples } from '../samples.ts'
import {
  cipherCase,
  isDamaged,
  keep,
  oneByteChanged,
  plainSecret,
  rotate,
  unknownKid,
  type CipherCase,
  type CipherUnderTest,
  type KeptSecret,
} from './cipher-harness.ts'
import { failsWith, okOf, same, valueOf } from './expect.ts'

const password = 'a password'

/** Cases of `rebind`: sharing a draft, and putting a secret under another key. */
export const secretRebindingCases: readonly CipherCase[] = [
  cipherCase({
    id: 'secret-cipher/shared-draft-comes-back',
    rule: 'A draft that is bound to a link keeps its label and its note, and its head has the link token.',
    async check(cipher, make) {
      const draft = await keep(cipher, plainSecret(make))
      const { kept, linkToken } = share(cipher, make, draft)
      same(valueOf(cipher.secretCipher.decryptHead(kept.secret)), { label: 'a label', linkToken })
      same(await okOf(cipher.secretCipher.decryptNote(kept.secret, kept.note, undefined)), draft.plain.note)
    },
  }),
  cipherCase({
    id: 'secret-cipher/rebinding-needs-no-password',
    rule: 'A draft with a password is bound to a link without it, and afterwards opens with that password alone.',
    async check(cipher, make) {
      const draft = await keep(cipher, plainSecret(make, { password }))
      const { secret, note } = share(cipher, make, draft).kept
      same(await okOf(cipher.secretCipher.decryptNote(secret, note, password)), draft.plain.note)
      await failsWith(cipher.secretCipher.decryptNote(secret, note, 'wrong'), 'password_wrong')
      await failsWith(cipher.secretCipher.decryptNote(secret, note, undefined), 'password_required')
    },
  }),
  cipherCase({
    id: 'secret-cipher/rebinding-binds-to-the-new-row',
    rule: 'The new head and wrap fit the row with its link alone, the old ones the row without it.',
    async check(cipher, make) {
      const draft = await keep(cipher, plainSecret(make))
      const shared = share(cipher, make, draft).kept
      const { decryptHead, decryptNote } = cipher.secretCipher
      const mixed: readonly (readonly [StoredSecret, KeptSecret])[] = [
        [{ ...shared.secret, link: undefined }, shared],
        [{ ...shared.secret, link: make.link() }, shared],
        [{ ...draft.secret, link: shared.secret.link }, draft],
      ]
      for (const [row, { note }] of mixed) {
        isDamaged(decryptHead(row), row.id, 'a head of the other row')
        isDamaged(await decryptNote(row, note, undefined), row.id, 'a wrap of the other row')
      }
    },
  }),
  cipherCase({
    id: 'secret-cipher/rebinding-takes-the-active-key',
    rule: 'rebind puts head and wrap under the active key; note, password and link stay as they are.',
    async check(cipher, make) {
      const old = await keep(cipher, plainSecret(make, { password, linkToken: make.linkToken() }))
      const kid = await rotate(cipher)
      const { secret, note } = rebound(cipher, old, old.secret.link, old.plain.head.linkToken)
      same(secret.kid, kid)
      await okOf(cipher.keyRing.removeKey(old.secret.kid), 'removing the old key')
      same(valueOf(cipher.secretCipher.decryptHead(secret)), old.plain.head)
      same(await okOf(cipher.secretCipher.decryptNote(secret, note, password)), old.plain.note)
    },
  }),
  cipherCase({
    id: 'secret-cipher/rebinding-keeps-lengths',
    rule: 'Head and wrap are as long after rebind as before, so that a store may overwrite them in place.',
    async check(cipher, make) {
      for (const given of [{}, { password }]) {
        const draft = await keep(cipher, plainSecret(make, given))
        const { kept: shared, linkToken } = share(cipher, make, draft)
        await rotate(cipher)
        const rotated = rebound(cipher, shared, shared.secret.link, linkToken)
        for (const { secret, note } of [shared, rotated]) {
          same(secret.head.length, draft.secret.head.length, 'the length of the head')
          same(note.wrap.length, draft.note.wrap.length, 'the length of the wrap')
        }
      }
    },
  }),
  cipherCase({
    id: 'secret-cipher/rebinding-without-wrap-makes-the-head',
    rule: 'Without a wrap, the note being destroyed, rebind makes the head alone.',
    async check(cipher, make) {
      const { plain, secret } = await keep(cipher, plainSecret(make, { linkToken: make.linkToken() }))
      await rotate(cipher)
      const to = { link: secret.link, linkToken: plain.head.linkToken }
      const { kid, head, wrap } = valueOf(cipher.secretCipher.rebind(secret, undefined, to))
      same(wrap, undefined)
      same(valueOf(cipher.secretCipher.decryptHead({ ...secret, kid, head })), plain.head)
    },
  }),
  cipherCase({
    id: 'secret-cipher/rebinding-refuses-damage',
    rule: 'rebind of a head, wrap or row that was changed is refused with data_damaged: damage is never made whole.',
    async check(cipher, make) {
      const { secret, note } = await keep(
        cipher,
        plainSecret(make, { password, linkToken: make.linkToken() }),
      )
      const to = { link: secret.link, linkToken: make.linkToken() }
      const { rebind } = cipher.secretCipher
      for (const head of oneByteChanged(secret.head, 16)) {
        isDamaged(rebind({ ...secret, head }, note.wrap, to), secret.id, 'a changed head')
      }
      for (const wrap of oneByteChanged(note.wrap, 16)) {
        isDamaged(rebind(secret, wrap, to), secret.id, 'a changed wrap')
      }
      isDamaged(rebind({ ...secret, openLimit: 0 }, note.wrap, to), secret.id, 'another open limit')
      isDamaged(rebind({ ...secret, hasPassword: false }, note.wrap, to), secret.id, 'another password flag')
      isDamaged(rebind({ ...secret, link: make.link() }, note.wrap, to), secret.id, 'another link')
    },
  }),
  cipherCase({
    id: 'secret-cipher/rebinding-names-an-unknown-key',
    rule: 'rebind of a secret under a key that the ring lacks is refused with key_unknown, which names it.',
    async check({ secretCipher, ...cipher }, make) {
      const { secret, note } = await keep({ secretCipher, ...cipher }, plainSecret(make))
      const to = { link: make.link(), linkToken: make.linkToken() }
      for (const wrap of [note.wrap, undefined]) {
        const answer = secretCipher.rebind({ ...secret, kid: unknownKid }, wrap, to)
        same(answer.isErr() && answer.error, { code: 'key_unknown', kid: unknownKid })
      }
    },
  }),
]

/** Binds a draft to a fresh link. */
function share(
  cipher: CipherUnderTest,
  make: Samples,
  draft: KeptSecret,
): { readonly kept: KeptSecret; readonly linkToken: LinkToken } {
  const linkToken = make.linkToken()
  return { kept: rebound(cipher, draft, make.link(), linkToken), linkToken }
}

/** The secret after `rebind`: its note is the old one, to the byte. */
function rebound(
  { secretCipher }: CipherUnderTest,
  { plain, secret, note }: KeptSecret,
  link: StoredLink | undefined,
  linkToken: LinkToken | undefined,
): KeptSecret {
  const { kid, head, wrap } = valueOf(secretCipher.rebind(secret, note.wrap, { link, linkToken }))
  return { plain, secret: { ...secret, link, kid, head }, note: { note: note.note, wrap: wrap ?? note.wrap } }
}
