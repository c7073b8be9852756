import type { StoredAccessToken, StoredPassword, StoredWrap } from '@sotto/core'
import { contractOf } from '../../contract.ts'
import { expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same } from '../compare.ts'
import { reopenCase, storageCase, type StorageCase, type StorageUnderTest } from './harness.ts'
import { neededStoresCase } from './needed-stores.ts'
import {
  addAccount,
  addDraft,
  addLink,
  addPassword,
  destroyNote,
  linkRecordOf,
  noteBehind,
  recordWithNote,
  secretOf,
} from './rows.ts'

const secretCases: readonly StorageCase[] = [
  storageCase({
    id: 'corruption-store/secret-is-erased',
    rule: 'eraseSecret erases a secret or draft with its note and link, whether its note is given or not, and answers Ok(true); other secrets stay.',
    needs: ['together'],
    async check(store, make) {
      const other = await addLink(store, make)
      for (const isNoteGiven of [true, false]) {
        const { secret, note, folder } = await addLink(store, make, other.folder)
        const { draft, note: draftNote } = await addDraft(store, make, folder)
        const givenOf = (given: typeof note) => (isNoteGiven ? given.note : undefined)
        same(expectOk(await store.corruption.eraseSecret({ secret, wrap: note.wrap }, givenOf(note))), true)
        const wrapOfDraft = { secret: draft, wrap: draftNote.wrap }
        same(expectOk(await store.corruption.eraseSecret(wrapOfDraft, givenOf(draftNote))), true)
        same(await linkRecordOf(store, secret.link.lookup), undefined)
        for (const { accountId, id } of [secret, draft]) same(await secretOf(store, accountId, id), undefined)
      }
      same(await noteBehind(store, other.secret.link.lookup), other.note, 'the note of the other one')
    },
  }),
  storageCase({
    id: 'corruption-store/secret-without-note-is-erased',
    rule: 'eraseSecret erases a secret whose note is destroyed when it was read without a wrap, and answers Ok(false) when it was read with one.',
    needs: ['together'],
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      await destroyNote(store, secret)
      same(expectOk(await store.corruption.eraseSecret({ secret, wrap: note.wrap }, note.note)), false)
      same(await secretOf(store, secret.accountId, secret.id), secret)
      same(expectOk(await store.corruption.eraseSecret({ secret, wrap: undefined }, undefined)), true)
      same(await secretOf(store, secret.accountId, secret.id), undefined)
    },
  }),
  storageCase({
    id: 'corruption-store/changed-secret-stays',
    rule: 'eraseSecret answers Ok(false) and changes nothing unless the row holds the head, the wrap and the given note that were read, byte for byte.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      const before = await recordWithNote(store, secret.link.lookup)
      const read: readonly (readonly [StoredWrap, typeof note.note | undefined])[] = [
        [{ secret: { ...secret, head: make.ciphertext(secret.head.length) }, wrap: note.wrap }, note.note],
        [{ secret, wrap: make.ciphertext(note.wrap.length) }, note.note],
        [{ secret, wrap: undefined }, undefined],
        [{ secret, wrap: note.wrap }, make.ciphertext(note.note.length)],
        [{ secret: { ...secret, id: make.uuid() }, wrap: note.wrap }, note.note],
      ]
      for (const each of read) {
        same(expectOk(await store.corruption.eraseSecret(...each)), false)
        same(await recordWithNote(store, secret.link.lookup), before)
      }
    },
  }),
]

const tokenCases: readonly StorageCase[] = [
  storageCase({
    id: 'corruption-store/access-token-is-erased',
    rule: 'eraseAccessToken erases the token, which is no longer found, and answers Ok(true); other tokens stay.',
    needs: ['together'],
    async check(store, make) {
      const [erased, other] = [await addToken(store, make), await addToken(store, make)]
      const { id, name } = erased.token
      same(expectOk(await store.corruption.eraseAccessToken(id, name)), true)
      same(expectOk(await store.accessTokens.findUsable(erased.digest, noonMicros)), undefined)
      same(await tokensOf(store, erased.token), [])
      same(await tokensOf(store, other.token), [other.token])
    },
  }),
  storageCase({
    id: 'corruption-store/changed-access-token-stays',
    rule: 'eraseAccessToken answers Ok(false) and changes nothing unless the row holds the name that was read, byte for byte.',
    async check(store, make) {
      const { token } = await addToken(store, make)
      const { id, name } = token
      const otherBytes = { ...name, ciphertext: make.ciphertext(name.ciphertext.length) }
      same(expectOk(await store.corruption.eraseAccessToken(id, otherBytes)), false, 'other bytes')
      same(expectOk(await store.corruption.eraseAccessToken(make.uuid(), name)), false, 'another id')
      same(await tokensOf(store, token), [token])
    },
  }),
]

const passwordCases: readonly StorageCase[] = [
  storageCase({
    id: 'corruption-store/password-is-erased',
    rule: 'erasePassword erases the password, so that its account has none, and answers Ok(true); other passwords stay.',
    needs: ['together'],
    async check(store, make) {
      const [erased, other] = [await addOwnPassword(store, make), await addOwnPassword(store, make)]
      same(expectOk(await store.corruption.erasePassword(erased.id, erased.hash)), true)
      same(expectOk(await store.passwords.find(erased.accountId)), undefined)
      same(expectOk(await store.passwords.find(other.accountId)), other)
    },
  }),
  storageCase({
    id: 'corruption-store/changed-password-stays',
    rule: 'erasePassword answers Ok(false) and changes nothing unless the row holds the hash that was read, byte for byte.',
    needs: ['together'],
    async check(store, make) {
      const password = await addOwnPassword(store, make)
      const { id, hash } = password
      const otherBytes = { ...hash, ciphertext: make.ciphertext(hash.ciphertext.length) }
      same(expectOk(await store.corruption.erasePassword(id, otherBytes)), false, 'other bytes')
      same(expectOk(await store.corruption.erasePassword(make.uuid(), hash)), false, 'another id')
      same(expectOk(await store.passwords.find(password.accountId)), password)
    },
  }),
]

/** The contract of the corruption store. */
export const corruptionStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('corruption-store', 'corruption', [
    'accounts',
    'keys',
    'folders',
    'secrets',
    'drafts',
    'links',
    'accessTokens',
    'passwords',
    'invitations',
  ]),
  ...secretCases,
  ...tokenCases,
  ...passwordCases,
  reopenCase({
    id: 'corruption-store/erasures-are-durable',
    rule: 'Secrets and tokens that were erased are so after reopening.',
    needs: ['together'],
    async before(store, make) {
      const { secret, note } = await addLink(store, make)
      const { token } = await addToken(store, make)
      expectOk(await store.corruption.eraseSecret({ secret, wrap: note.wrap }, note.note))
      expectOk(await store.corruption.eraseAccessToken(token.id, token.name))
      return { secret, token }
    },
    async after(store, { secret, token }) {
      same(await secretOf(store, secret.accountId, secret.id), undefined)
      same(await tokensOf(store, token), [])
    },
  }),
])

async function addOwnPassword(store: StorageUnderTest, make: Samples): Promise<StoredPassword> {
  return (await addPassword(store, make, (await addAccount(store, make)).id)).password
}

async function addToken(store: StorageUnderTest, make: Samples) {
  const token = make.accessToken((await addAccount(store, make)).id)
  const digest = make.tokenDigest()
  expectOk(await store.accessTokens.insert(token, digest), 'adding an access token')
  return { token, digest }
}

async function tokensOf(
  { accessTokens }: StorageUnderTest,
  { accountId }: StoredAccessToken,
): Promise<readonly StoredAccessToken[]> {
  return expectOk(await accessTokens.page(accountId, undefined, 10))
}
