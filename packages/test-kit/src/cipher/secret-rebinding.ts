import { casesOf } from '../contract/contract.ts'
import type { Ciphertext, LinkToken, StoredLink, StoredSecret } from '@sotto/core'
import type { Samples } from '../shared/samples.ts'
import {
  cipherCase,
  isCorrupted,
  encrypted,
  oneByteChanged,
  plainSecret,
  rotate,
  unknownKid,
  type CipherCase,
  type CipherUnderTest,
  type EncryptedSample,
} from './harness.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'

const password = 'a password'

/** Cases of `rebind`: to share a draft, and to put a secret under another key. */
export const secretRebindingCases: readonly CipherCase[] = casesOf({
  'secret-cipher/shared-draft-comes-back': cipherCase({
    rule: 'A draft that is bound to a link keeps its label and note, and its head has the link token.',
    async check(cipher, make) {
      const draft = await encrypted(cipher, plainSecret(make))
      const { sample, linkToken } = share(cipher, make, draft)
      same(expectOk(cipher.secretCipher.decryptHead(sample.secret)), { label: 'a label', linkToken })
      same(
        expectOk(await cipher.secretCipher.decryptNote(sample.secret, sample.note, undefined)),
        draft.plain.note,
      )
    },
  }),
  'secret-cipher/rebinding-needs-no-password': cipherCase({
    rule: 'rebind needs no password; afterwards the note still needs the same password.',
    async check(cipher, make) {
      const draft = await encrypted(cipher, plainSecret(make, { password }))
      const { secret, note } = share(cipher, make, draft).sample
      same(expectOk(await cipher.secretCipher.decryptNote(secret, note, password)), draft.plain.note)
      expectErr(await cipher.secretCipher.decryptNote(secret, note, 'wrong'), 'password_wrong')
      expectErr(await cipher.secretCipher.decryptNote(secret, note, undefined), 'password_required')
    },
  }),
  'secret-cipher/rebinding-binds-to-the-new-row': cipherCase({
    rule: 'The new head and wrapped key can be decrypted only in the row with its link, the old ones only in the row without it.',
    async check(cipher, make) {
      const draft = await encrypted(cipher, plainSecret(make))
      const shared = share(cipher, make, draft).sample
      const { decryptHead, decryptNote } = cipher.secretCipher
      const mixed: readonly (readonly [StoredSecret, EncryptedSample])[] = [
        [{ ...shared.secret, link: undefined }, shared],
        [{ ...shared.secret, link: make.link() }, shared],
        [{ ...draft.secret, link: shared.secret.link }, draft],
      ]
      for (const [row, { note }] of mixed) {
        isCorrupted(decryptHead(row), row.id, 'a head of the other row')
        isCorrupted(await decryptNote(row, note, undefined), row.id, 'a wrapped key of the other row')
      }
    },
  }),
  'secret-cipher/rebinding-binds-to-the-new-columns': cipherCase({
    rule: 'After rebind with another folder, open limit and label, head and note can be decrypted in the row with them, and only there.',
    async check(cipher, make) {
      const draft = await encrypted(cipher, plainSecret(make, { password }))
      const columns = { folderId: make.uuid(), openLimit: 7 }
      const head = { label: 'another label', linkToken: undefined }
      const { secretCipher } = cipher
      const bound = expectOk(
        secretCipher.rebind({
          from: draft.secret,
          wrappedKey: draft.note.wrappedKey,
          link: undefined,
          columns,
          head,
        }),
      )
      const edited = { ...draft.secret, ...columns, kid: bound.kid, headCiphertext: bound.headCiphertext }
      const note = { note: draft.note.note, wrappedKey: bound.wrappedKey ?? draft.note.wrappedKey }
      same(expectOk(secretCipher.decryptHead(edited)), head)
      same(expectOk(await secretCipher.decryptNote(edited, note, password)), draft.plain.note)
      for (const before of [{ folderId: draft.secret.folderId }, { openLimit: draft.secret.openLimit }]) {
        isCorrupted(
          secretCipher.decryptHead({ ...edited, ...before }),
          edited.id,
          'the head of the row before',
        )
      }
      const limitBefore = { ...edited, openLimit: draft.secret.openLimit }
      const opened = await secretCipher.decryptNote(limitBefore, note, password)
      isCorrupted(opened, edited.id, 'the wrapped key of the row before')
    },
  }),
  'secret-cipher/rebinding-takes-the-active-key': cipherCase({
    rule: 'rebind puts head and wrapped key under the active key; note, password and link stay as they are.',
    async check(cipher, make) {
      const old = await encrypted(cipher, plainSecret(make, { password, linkToken: make.linkToken() }))
      const kid = await rotate(cipher)
      const { secret, note } = rebound(cipher, old, old.secret.link, old.plain.head.linkToken)
      same(secret.kid, kid)
      expectOk(await cipher.keyRing.removeKey(old.secret.kid), 'removing the old key')
      same(expectOk(cipher.secretCipher.decryptHead(secret)), old.plain.head)
      same(expectOk(await cipher.secretCipher.decryptNote(secret, note, password)), old.plain.note)
    },
  }),
  'secret-cipher/rebinding-keeps-lengths': cipherCase({
    rule: 'Head and wrapped key are as long after rebind as before, so that a store may overwrite them in place.',
    async check(cipher, make) {
      for (const given of [{}, { password }]) {
        const draft = await encrypted(cipher, plainSecret(make, given))
        const { sample: shared, linkToken } = share(cipher, make, draft)
        await rotate(cipher)
        const rotated = rebound(cipher, shared, shared.secret.link, linkToken)
        for (const { secret, note } of [shared, rotated]) {
          same(secret.headCiphertext.length, draft.secret.headCiphertext.length, 'the length of the head')
          same(note.wrappedKey.length, draft.note.wrappedKey.length, 'the length of the wrapped key')
        }
      }
    },
  }),
  'secret-cipher/rebinding-without-wrap-makes-the-head': cipherCase({
    rule: 'Without a wrapped key, because the note is destroyed, rebind makes only a head.',
    async check(cipher, make) {
      const { plain, secret } = await encrypted(cipher, plainSecret(make, { linkToken: make.linkToken() }))
      await rotate(cipher)
      const { kid, headCiphertext, wrappedKey } = expectOk(
        cipher.secretCipher.rebind({
          from: secret,
          wrappedKey: undefined,
          link: secret.link,
          head: plain.head,
        }),
      )
      same(wrappedKey, undefined)
      same(expectOk(cipher.secretCipher.decryptHead({ ...secret, kid, headCiphertext })), plain.head)
    },
  }),
  'secret-cipher/rebinding-refuses-corruption': cipherCase({
    rule: 'rebind answers data_damaged when the wrapped key, or a column that the wrapped key is bound to, was changed: it never repairs corruption.',
    async check(cipher, make) {
      const linkToken = make.linkToken()
      const { plain, secret, note } = await encrypted(cipher, plainSecret(make, { password, linkToken }))
      const rebind = (from: StoredSecret, wrappedKey: Ciphertext) =>
        cipher.secretCipher.rebind({ from, wrappedKey, link: secret.link, head: plain.head })
      for (const wrappedKey of oneByteChanged(note.wrappedKey, 16)) {
        isCorrupted(rebind(secret, wrappedKey), secret.id, 'a changed wrapped key')
      }
      const otherRows: Readonly<Record<string, Partial<StoredSecret>>> = {
        'another account': { accountId: make.uuid() },
        'another open limit': { openLimit: 2 },
        'no open limit': { openLimit: undefined },
        'another password flag': { hasPassword: false },
        'another link': { link: make.link() },
        'no link': { link: undefined },
      }
      for (const [when, columns] of Object.entries(otherRows)) {
        isCorrupted(rebind({ ...secret, ...columns }, note.wrappedKey), secret.id, when)
      }
    },
  }),
  'secret-cipher/rebinding-names-an-unknown-key': cipherCase({
    rule: 'rebind of a wrapped key under a key that the ring lacks answers key_unknown, which names the key.',
    async check(cipher, make) {
      const { plain, secret, note } = await encrypted(cipher, plainSecret(make))
      const from = { ...secret, kid: unknownKid }
      const result = cipher.secretCipher.rebind({
        from,
        wrappedKey: note.wrappedKey,
        link: make.link(),
        head: plain.head,
      })
      same(expectErr(result), { code: 'key_unknown', kid: unknownKid })
    },
  }),
})

/** Binds a draft to a new link. */
function share(
  cipher: CipherUnderTest,
  make: Samples,
  draft: EncryptedSample,
): { readonly sample: EncryptedSample; readonly linkToken: LinkToken } {
  const linkToken = make.linkToken()
  return { sample: rebound(cipher, draft, make.link(), linkToken), linkToken }
}

/** The secret after `rebind`, with its old note. */
function rebound(
  { secretCipher }: CipherUnderTest,
  { plain, secret, note }: EncryptedSample,
  link: StoredLink | undefined,
  linkToken: LinkToken | undefined,
): EncryptedSample {
  const { kid, headCiphertext, wrappedKey } = expectOk(
    secretCipher.rebind({
      from: secret,
      wrappedKey: note.wrappedKey,
      link,
      head: { ...plain.head, linkToken },
    }),
  )
  return {
    plain,
    secret: { ...secret, link, kid, headCiphertext },
    note: { note: note.note, wrappedKey: wrappedKey ?? note.wrappedKey },
  }
}
