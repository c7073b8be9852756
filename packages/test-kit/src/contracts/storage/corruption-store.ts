import type { CorruptionStore, StoredWrap, Uuid } from '@sotto/core'
import { casesOf, contractOf } from '../../contract.ts'
import { expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same } from '../compare.ts'
import { reopenCase, storageCase, type StorageCase, type StorageUnderTest, together } from './harness.ts'
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

const secretCases: readonly StorageCase[] = casesOf({
  'corruption-store/secret-is-erased': storageCase({
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
  'corruption-store/secret-without-note-is-erased': storageCase({
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
  'corruption-store/changed-secret-stays': storageCase({
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
})

const textCases: readonly StorageCase[] = together({
  'corruption-store/text-is-erased': storageCase({
    rule: 'eraseText erases the access token, the password, the display name or the session, and answers Ok(true); the rows of other accounts stay.',
    async check(store, make) {
      const [erased, other] = [await addTexts(store, make), await addTexts(store, make)]
      for (const text of erased.texts)
        same(expectOk(await store.corruption.eraseText(...text)), true, text[0])
      same(await rowsOf(store, erased), {
        token: [],
        password: undefined,
        displayName: undefined,
        session: [],
      })
      same(expectOk(await store.accessTokens.findUsable(erased.digest, noonMicros)), undefined)
      same(await rowsOf(store, other), other.rows, 'another account')
    },
  }),
  'corruption-store/changed-text-stays': storageCase({
    rule: 'eraseText answers Ok(false) and changes nothing unless the row holds the text that was read, byte for byte.',
    async check(store, make) {
      const added = await addTexts(store, make)
      for (const [column, id, text] of added.texts) {
        const otherBytes = { ...text, ciphertext: make.ciphertext(text.ciphertext.length) }
        same(expectOk(await store.corruption.eraseText(column, id, otherBytes)), false, 'other bytes')
        same(expectOk(await store.corruption.eraseText(column, make.uuid(), text)), false, 'another id')
      }
      same(await rowsOf(store, added), added.rows)
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'corruption-store/erasures-are-durable': reopenCase({
    rule: 'Secrets and texts that were erased are so after reopening.',
    async before(store, make) {
      const { secret, note } = await addLink(store, make)
      const added = await addTexts(store, make)
      expectOk(await store.corruption.eraseSecret({ secret, wrap: note.wrap }, note.note))
      for (const text of added.texts) expectOk(await store.corruption.eraseText(...text))
      return { secret, added }
    },
    async after(store, { secret, added }) {
      same(await secretOf(store, secret.accountId, secret.id), undefined)
      same(await rowsOf(store, added), {
        token: [],
        password: undefined,
        displayName: undefined,
        session: [],
      })
    },
  }),
})

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
    'sessions',
    'invitations',
  ]),
  ...togetherCases,
  ...secretCases,
  ...textCases,
])

type Text = Parameters<CorruptionStore['eraseText']>

/** Adds an account with a row of each text that can be given up. */
async function addTexts(store: StorageUnderTest, make: Samples) {
  const { id: accountId } = await addAccount(store, make)
  const [token, digest] = [make.accessToken(accountId), make.tokenDigest()]
  expectOk(await store.accessTokens.insert(token, digest), 'adding an access token')
  const { password, session: unnamed } = await addPassword(store, make, accountId)
  const displayName = make.displayName()
  same(expectOk(await store.accounts.setDisplayName(accountId, displayName)), true, 'a display name')
  const session = { ...unnamed, name: make.encrypted() }
  same(expectOk(await store.sessions.rename(accountId, session.id, session.name)), true, 'a session')
  const texts: readonly Text[] = [
    ['access_token.name', token.id, token.name],
    ['account.password', password.id, password.hash],
    ['account.display_name', displayName.id, displayName.name],
    ['session.name', session.id, session.name],
  ]
  return { accountId, digest, texts, rows: { token: [token], password, displayName, session: [session] } }
}

async function rowsOf(
  { accessTokens, passwords, accounts, sessions }: StorageUnderTest,
  { accountId }: { readonly accountId: Uuid },
) {
  return {
    token: expectOk(await accessTokens.page(accountId, undefined, 10)),
    password: expectOk(await passwords.find(accountId)),
    displayName: expectOk(await accounts.find(accountId))?.displayName,
    session: expectOk(await sessions.page(accountId, undefined, 10)),
  }
}
