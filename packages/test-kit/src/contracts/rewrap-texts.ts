import type { Ciphertext, Encrypted, StoredAccount, StoredText, TextPlace, Uuid } from '@sotto/core'
import { noonMicros, type Samples } from '../samples.ts'
import { failsWith, okOf, same } from './expect.ts'
import { shuffled } from './paging.ts'
import { kids, reopenCase, storageCase, type StorageCase, type StorageUnderTest } from './storage-harness.ts'

const columns = ['account.email', 'folder.label', 'access_token.name'] as const

/** Cases of `texts` and `replaceText`. */
export const rewrapTextCases: readonly StorageCase[] = [
  storageCase({
    id: 'rewrap-store/texts-under-other-keys',
    rule: 'texts gives the texts of the column whose key is not the given one, each exactly with its place.',
    async check(store, make) {
      const old = await addTexts(store, make, kids.writable)
      const young = await addTexts(store, make, kids.spare)
      for (const column of columns) {
        const texts = (kid: number) => okOf(store.rewraps.texts(column, kid, undefined, 10))
        same(await texts(kids.spare), [old.texts[column]], `${column} under another key`)
        same(await texts(kids.writable), [young.texts[column]], `${column} under yet another key`)
        same(await texts(kids.unknown), [old.texts[column], young.texts[column]], `${column} under any key`)
      }
    },
  }),
  storageCase({
    id: 'rewrap-store/texts-are-in-order',
    rule: "Texts are handed out by their row's id, in slices that neither repeat nor miss one.",
    async check(store, make) {
      const { account } = await addTexts(store, make, kids.spare)
      const ids = Array.from({ length: 5 }, () => make.uuid())
      for (const id of shuffled(ids)) await insertTexts(store, make, account.id, id)
      for (const column of columns) {
        for (const limit of [1, 2, 5, 6])
          same(await idsBySlices(store, column, limit), ids, `${column}, ${limit} at once`)
      }
    },
  }),
  storageCase({
    id: 'rewrap-store/text-is-replaced',
    rule: 'replaceText puts the new text in the place of the old one and answers Ok(true); nothing else of any row changes.',
    async check(store, make) {
      const { account, folder, token, texts, hash } = await addTexts(store, make, kids.writable)
      const other = await addTexts(store, make, kids.writable)
      const to = {
        account: under(make, kids.spare),
        folder: under(make, kids.spare),
        token: under(make, kids.spare),
      }
      const index = make.emailIndex()
      same(await okOf(store.rewraps.replaceText(texts['account.email'], to.account, index)), true)
      same(await okOf(store.rewraps.replaceText(texts['folder.label'], to.folder, undefined)), true)
      same(await okOf(store.rewraps.replaceText(texts['access_token.name'], to.token, undefined)), true)
      same(await okOf(store.accounts.slice(undefined, 10)), [
        { ...account, email: to.account },
        other.account,
      ])
      same(await okOf(store.folders.slice(account.id, noonMicros, undefined, 10)), [
        { ...folder, label: to.folder, draftsCount: 0, secretsCount: 0 },
      ])
      same(await okOf(store.accessTokens.slice(account.id, undefined, 10)), [{ ...token, name: to.token }])
      same((await okOf(store.accessTokens.findByHash(hash)))?.id, token.id)
      same(await okOf(store.rewraps.texts('folder.label', kids.spare, undefined, 10)), [
        other.texts['folder.label'],
      ])
    },
  }),
  storageCase({
    id: 'rewrap-store/account-is-found-by-its-new-index',
    rule: 'An account whose email was replaced is found by the new index, not by the old one, and its email stays taken.',
    async check(store, make) {
      const { account, index, texts } = await addTexts(store, make, kids.writable)
      const email = under(make, kids.spare)
      const newIndex = make.emailIndex()
      await okOf(store.rewraps.replaceText(texts['account.email'], email, newIndex))
      same(await okOf(store.accounts.findByEmail([newIndex])), { ...account, email })
      same(await okOf(store.accounts.findByEmail([index])), undefined)
      await failsWith(store.accounts.insert(make.account(), [newIndex]), 'account_exists')
    },
  }),
  storageCase({
    id: 'rewrap-store/changed-text-stays',
    rule: 'A text that is not byte for byte the one that was read stays as it is, and replaceText answers Ok(false).',
    async check(store, make) {
      const { account, index, texts } = await addTexts(store, make, kids.writable)
      for (const column of columns) {
        const { place, encrypted } = texts[column]
        const gone = { ...place, rowId: make.uuid() }
        const from: readonly StoredText[] = [
          { place, encrypted: { ...encrypted, ciphertext: make.ciphertext(encrypted.ciphertext.length) } },
          { place, encrypted: { ...encrypted, ciphertext: encrypted.ciphertext.slice(0, -1) as Ciphertext } },
          { place: gone, encrypted },
        ]
        for (const each of from) {
          const newIndex = column === 'account.email' ? make.emailIndex() : undefined
          same(await okOf(store.rewraps.replaceText(each, under(make, kids.spare), newIndex)), false, column)
          if (newIndex) same(await okOf(store.accounts.findByEmail([newIndex])), undefined)
        }
        same(await okOf(store.rewraps.texts(column, kids.spare, undefined, 10)), [texts[column]], column)
      }
      same(await okOf(store.accounts.findByEmail([index])), account)
    },
  }),
  storageCase({
    id: 'rewrap-store/text-under-a-retired-key-is-refused',
    rule: 'replaceText under a retired or an unknown key is refused with key_retired, and nothing changes.',
    async check(store, make) {
      const { account, index, texts } = await addTexts(store, make, kids.writable)
      for (const kid of [kids.retired, kids.unknown]) {
        for (const column of columns) {
          const newIndex = column === 'account.email' ? make.emailIndex() : undefined
          await failsWith(store.rewraps.replaceText(texts[column], under(make, kid), newIndex), 'key_retired')
          same(await okOf(store.rewraps.texts(column, kids.spare, undefined, 10)), [texts[column]], column)
        }
      }
      same(await okOf(store.accounts.findByEmail([index])), account)
    },
  }),
  storageCase({
    id: 'rewrap-store/one-of-parallel-replacements-wins',
    rule: 'Of several replacements of one text at once exactly one succeeds and is kept.',
    async check(store, make) {
      const { texts } = await addTexts(store, make, kids.writable)
      const rivals = Array.from({ length: 10 }, () => under(make, kids.spare))
      const answers = await Promise.all(
        rivals.map((to) => okOf(store.rewraps.replaceText(texts['folder.label'], to, undefined))),
      )
      const winners = rivals.filter((_, at) => answers[at])
      same(winners.length, 1, 'how many succeeded')
      const kept = await okOf(store.rewraps.texts('folder.label', kids.writable, undefined, 10))
      same(
        kept.map(({ encrypted }) => encrypted),
        winners,
      )
    },
  }),
  reopenCase({
    id: 'rewrap-store/texts-are-replaced-durably',
    rule: 'Texts that were replaced are so after the storage was opened anew.',
    async before(store, make) {
      const { account, texts } = await addTexts(store, make, kids.writable)
      const [email, newIndex] = [under(make, kids.spare), make.emailIndex()]
      await okOf(store.rewraps.replaceText(texts['account.email'], email, newIndex))
      return { account: { ...account, email }, newIndex }
    },
    async after(store, { account, newIndex }) {
      same(await okOf(store.accounts.findByEmail([newIndex])), account)
    },
  }),
]

function under(make: Samples, kid: number): Encrypted {
  return { kid, ciphertext: make.ciphertext() }
}

/** Adds an account with a folder and a token, all under one key. */
async function addTexts(store: StorageUnderTest, make: Samples, kid: number) {
  const account = make.account({ email: under(make, kid) })
  const index = make.emailIndex()
  await okOf(store.accounts.insert(account, [index]), 'adding an account')
  const folder = make.folder(account.id, { label: under(make, kid) })
  await okOf(store.folders.insert(folder), 'adding a folder')
  const token = make.accessToken(account.id, { name: under(make, kid) })
  const hash = make.tokenHash()
  await okOf(store.accessTokens.insert(token, hash), 'adding a token')
  return { account, index, folder, token, hash, texts: textsOf(account, folder, token) }
}

function textsOf(
  account: StoredAccount,
  folder: { readonly id: Uuid; readonly label: Encrypted },
  token: { readonly id: Uuid; readonly name: Encrypted },
): Readonly<Record<TextPlace['column'], StoredText>> {
  const text = (column: TextPlace['column'], rowId: Uuid, encrypted: Encrypted): StoredText => ({
    place: { column, accountId: account.id, rowId },
    encrypted,
  })
  return {
    'account.email': text('account.email', account.id, account.email),
    'folder.label': text('folder.label', folder.id, folder.label),
    'access_token.name': text('access_token.name', token.id, token.name),
  }
}

/** Adds an account, and a folder and a token to another one, all with the same id. */
async function insertTexts(store: StorageUnderTest, make: Samples, accountId: Uuid, id: Uuid): Promise<void> {
  await okOf(store.accounts.insert(make.account({ id }), [make.emailIndex()]))
  await okOf(store.folders.insert(make.folder(accountId, { id })))
  await okOf(store.accessTokens.insert(make.accessToken(accountId, { id }), make.tokenHash()))
}

/** The ids of the texts that are not under the spare key, read in slices. */
async function idsBySlices(
  { rewraps }: StorageUnderTest,
  column: TextPlace['column'],
  limit: number,
): Promise<readonly Uuid[]> {
  const ids: Uuid[] = []
  for (;;) {
    const slice = await okOf(rewraps.texts(column, kids.spare, ids.at(-1), limit))
    ids.push(...slice.map(({ place }) => place.rowId))
    if (slice.length !== limit || ids.length > 100) return ids
  }
}
