import {
  textColumns,
  type Ciphertext,
  type Encrypted,
  type StoredAccount,
  type StoredDisplayName,
  type StoredPassword,
  type StoredText,
  type StoredWebhook,
  type TextColumn,
  type Uuid,
} from '@sotto/core'
import { noonMicros, type Samples } from '../../samples.ts'
import { expectErr, expectOk } from '../../expect.ts'
import { same } from '../compare.ts'
import { readAll, shuffled } from './paging.ts'
import { addPassword } from './rows.ts'
import {
  kids,
  reopenCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from './harness.ts'

/** Cases of `texts` and `replaceText`. */
export const rewrapTextCases: readonly StorageCase[] = together({
  'rewrap-store/texts-under-other-keys': storageCase({
    rule: 'texts gives the texts of a column whose key is not the given one, each with its place.',
    async check(store, make) {
      const old = await addTexts(store, make, kids.writable)
      const young = await addTexts(store, make, kids.spare)
      for (const column of textColumns) {
        const texts = async (kid: number) => expectOk(await store.rewraps.texts(column, kid, undefined, 10))
        same(await texts(kids.spare), [old.texts[column]], `${column} under another key`)
        same(await texts(kids.writable), [young.texts[column]], `${column} under yet another key`)
        same(await texts(kids.unknown), [old.texts[column], young.texts[column]], `${column} under any key`)
      }
    },
  }),
  'rewrap-store/texts-are-in-order': storageCase({
    rule: "Texts are listed by their row's id; pages neither repeat nor miss one.",
    async check(store, make) {
      const { account } = await addTexts(store, make, kids.spare)
      const ids = Array.from({ length: 5 }, () => make.uuid())
      for (const id of shuffled(ids)) await insertTexts(store, make, account.id, id)
      for (const column of textColumns) {
        for (const limit of [1, 2, 5, 6])
          same(await idsOfTexts(store, column, limit), ids, `${column}, in pages of ${limit}`)
      }
    },
  }),
  'rewrap-store/text-is-replaced': storageCase({
    rule: 'replaceText replaces the text and answers Ok(true); nothing else of any row changes.',
    async check(store, make) {
      const added = await addTexts(store, make, kids.writable)
      const { account, folder, token, password, webhook, session, texts, digest } = added
      const other = await addTexts(store, make, kids.writable)
      const to = {
        account: under(make, kids.spare),
        folder: under(make, kids.spare),
        token: under(make, kids.spare),
        password: under(make, kids.spare),
        webhook: under(make, kids.spare),
        displayName: under(make, kids.spare),
        session: under(make, kids.spare),
      }
      const index = make.nameIndex()
      same(expectOk(await store.rewraps.replaceText(texts['account.name'], to.account, index)), true)
      same(expectOk(await store.rewraps.replaceText(texts['folder.label'], to.folder, undefined)), true)
      same(expectOk(await store.rewraps.replaceText(texts['access_token.name'], to.token, undefined)), true)
      same(expectOk(await store.rewraps.replaceText(texts['account.password'], to.password, undefined)), true)
      same(expectOk(await store.rewraps.replaceText(texts['webhook.endpoint'], to.webhook, undefined)), true)
      const { 'account.display_name': displayName, 'session.name': sessionName } = texts
      same(expectOk(await store.rewraps.replaceText(displayName, to.displayName, undefined)), true)
      same(expectOk(await store.rewraps.replaceText(sessionName, to.session, undefined)), true)
      same(expectOk(await store.accounts.page(undefined, 10)), [
        { ...account, name: to.account, displayName: { id: displayName.place.rowId, name: to.displayName } },
        other.account,
      ])
      same(expectOk(await store.sessions.page(account.id, undefined, 10)), [{ ...session, name: to.session }])
      same(expectOk(await store.sessions.page(other.account.id, undefined, 10)), [other.session])
      same(expectOk(await store.folders.page(account.id, noonMicros, undefined, 10)), [
        { ...folder, label: to.folder, draftsCount: 0, secretsCount: 0 },
      ])
      same(expectOk(await store.accessTokens.page(account.id, undefined, 10)), [{ ...token, name: to.token }])
      same(expectOk(await store.accessTokens.findUsable(digest, noonMicros))?.id, token.id)
      same(expectOk(await store.passwords.find(account.id)), { ...password, hash: to.password })
      same(expectOk(await store.passwords.find(other.account.id)), other.password)
      same(expectOk(await store.webhooks.list(account.id)), [{ ...webhook, endpoint: to.webhook }])
      same(expectOk(await store.webhooks.list(other.account.id)), [other.webhook])
      same(expectOk(await store.rewraps.texts('folder.label', kids.spare, undefined, 10)), [
        other.texts['folder.label'],
      ])
    },
  }),
  'rewrap-store/account-is-found-by-its-new-index': storageCase({
    rule: 'An account whose name was replaced is found by the new index and not by the old one, and its name stays taken.',
    async check(store, make) {
      const { account, index, texts } = await addTexts(store, make, kids.writable)
      const name = under(make, kids.spare)
      const newIndex = make.nameIndex()
      expectOk(await store.rewraps.replaceText(texts['account.name'], name, newIndex))
      same(expectOk(await store.accounts.findByName([newIndex])), { ...account, name })
      same(expectOk(await store.accounts.findByName([index])), undefined)
      expectErr(await store.accounts.insert(make.account(), [newIndex]), 'account_exists')
    },
  }),
  'rewrap-store/changed-text-stays': storageCase({
    rule: 'replaceText answers Ok(false) and changes nothing unless the row holds the text that was read, byte for byte.',
    async check(store, make) {
      const { account, index, texts } = await addTexts(store, make, kids.writable)
      for (const column of textColumns) {
        const { place, encrypted } = texts[column]
        const gone = { ...place, rowId: make.uuid() }
        const from: readonly StoredText[] = [
          { place, encrypted: { ...encrypted, ciphertext: make.ciphertext(encrypted.ciphertext.length) } },
          { place, encrypted: { ...encrypted, ciphertext: encrypted.ciphertext.slice(0, -1) as Ciphertext } },
          { place: gone, encrypted },
        ]
        for (const each of from) {
          const newIndex = column === 'account.name' ? make.nameIndex() : undefined
          same(
            expectOk(await store.rewraps.replaceText(each, under(make, kids.spare), newIndex)),
            false,
            column,
          )
          if (newIndex) same(expectOk(await store.accounts.findByName([newIndex])), undefined)
        }
        same(expectOk(await store.rewraps.texts(column, kids.spare, undefined, 10)), [texts[column]], column)
      }
      same(expectOk(await store.accounts.findByName([index])), account)
    },
  }),
  'rewrap-store/text-under-a-retired-key-is-refused': storageCase({
    rule: 'replaceText answers key_retired under a retired or an unknown key, and changes nothing.',
    async check(store, make) {
      const { account, index, texts } = await addTexts(store, make, kids.writable)
      for (const kid of [kids.retired, kids.unknown]) {
        for (const column of textColumns) {
          const newIndex = column === 'account.name' ? make.nameIndex() : undefined
          expectErr(await store.rewraps.replaceText(texts[column], under(make, kid), newIndex), 'key_retired')
          same(
            expectOk(await store.rewraps.texts(column, kids.spare, undefined, 10)),
            [texts[column]],
            column,
          )
        }
      }
      same(expectOk(await store.accounts.findByName([index])), account)
    },
  }),
  'rewrap-store/one-of-parallel-replacements-wins': storageCase({
    rule: 'Of several replacements of one text at the same time exactly one succeeds, and its text is stored.',
    async check(store, make) {
      const { texts } = await addTexts(store, make, kids.writable)
      const rivals = Array.from({ length: 10 }, () => under(make, kids.spare))
      const results = await Promise.all(
        rivals.map((to) => store.rewraps.replaceText(texts['folder.label'], to, undefined)),
      )
      const replaced = results.map((result) => expectOk(result))
      const winners = rivals.filter((_, at) => replaced[at])
      same(winners.length, 1, 'how many succeeded')
      const stored = expectOk(await store.rewraps.texts('folder.label', kids.writable, undefined, 10))
      same(
        stored.map(({ encrypted }) => encrypted),
        winners,
      )
    },
  }),
  'rewrap-store/texts-are-replaced-durably': reopenCase({
    rule: 'Texts that were replaced are so after reopening.',
    async before(store, make) {
      const { account, texts } = await addTexts(store, make, kids.writable)
      const [name, newIndex] = [under(make, kids.spare), make.nameIndex()]
      expectOk(await store.rewraps.replaceText(texts['account.name'], name, newIndex))
      return { account: { ...account, name }, newIndex }
    },
    async after(store, { account, newIndex }) {
      same(expectOk(await store.accounts.findByName([newIndex])), account)
    },
  }),
})

function under(make: Samples, kid: number): Encrypted {
  return { kid, ciphertext: make.ciphertext() }
}

/** Adds an account with a folder, a token, a password and a webhook, all under one key. */
async function addTexts(store: StorageUnderTest, make: Samples, kid: number) {
  const displayName = { id: make.uuid(), name: under(make, kid) }
  const account = make.account({ name: under(make, kid), displayName })
  const index = make.nameIndex()
  expectOk(await store.accounts.insert(account, [index]), 'adding an account')
  same(expectOk(await store.accounts.setDisplayName(account.id, displayName)), true, 'a display name')
  const folder = make.folder(account.id, { label: under(make, kid) })
  expectOk(await store.folders.insert(folder), 'adding a folder')
  const token = make.accessToken(account.id, { name: under(make, kid) })
  const digest = make.tokenDigest()
  expectOk(await store.accessTokens.insert(token, digest), 'adding a token')
  const added = await addPassword(store, make, account.id, { hash: under(make, kid) })
  const { password } = added
  const webhook = make.webhook(account.id, { endpoint: under(make, kid) })
  expectOk(await store.webhooks.insert(webhook, 5), 'adding a webhook')
  const session = { ...added.session, name: under(make, kid) }
  same(expectOk(await store.sessions.rename(account.id, session.id, session.name)), true, 'naming a session')
  const texts = textsOf({ account, displayName, folder, token, password, webhook, session })
  return { account, index, folder, token, digest, password, webhook, session, texts }
}

interface WithTexts {
  readonly account: StoredAccount
  readonly displayName: StoredDisplayName
  readonly folder: { readonly id: Uuid; readonly label: Encrypted }
  readonly token: { readonly id: Uuid; readonly name: Encrypted }
  readonly password: StoredPassword
  readonly webhook: StoredWebhook
  readonly session: { readonly id: Uuid; readonly name: Encrypted }
}

function textsOf({
  account,
  displayName,
  folder,
  token,
  password,
  webhook,
  session,
}: WithTexts): Readonly<Record<TextColumn, StoredText>> {
  const text = (column: TextColumn, rowId: Uuid, encrypted: Encrypted): StoredText => ({
    place: { column, accountId: account.id, rowId },
    encrypted,
  })
  return {
    'account.name': text('account.name', account.id, account.name),
    'folder.label': text('folder.label', folder.id, folder.label),
    'access_token.name': text('access_token.name', token.id, token.name),
    'account.password': text('account.password', password.id, password.hash),
    'webhook.endpoint': text('webhook.endpoint', webhook.id, webhook.endpoint),
    'account.display_name': text('account.display_name', displayName.id, displayName.name),
    'session.name': text('session.name', session.id, session.name),
  }
}

/** Adds an account with a password, a display name and a session, and a folder, a token and a webhook to another account, all with the same id. */
async function insertTexts(store: StorageUnderTest, make: Samples, accountId: Uuid, id: Uuid): Promise<void> {
  expectOk(await store.accounts.insert(make.account({ id }), [make.nameIndex()]))
  const { password } = await addPassword(store, make, id, { id })
  expectOk(await store.accounts.setDisplayName(id, { id, name: make.encrypted() }))
  const session = make.session(id, { id })
  same(expectOk(await store.sessions.insert(session, make.tokenDigest(), password.id)), true)
  same(expectOk(await store.sessions.rename(id, id, make.encrypted())), true)
  expectOk(await store.folders.insert(make.folder(accountId, { id })))
  expectOk(await store.accessTokens.insert(make.accessToken(accountId, { id }), make.tokenDigest()))
  expectOk(await store.webhooks.insert(make.webhook(accountId, { id }), 10))
}

/** The ids of the rows whose text is not under the spare key, read in pages. */
async function idsOfTexts(
  { rewraps }: StorageUnderTest,
  column: TextColumn,
  limit: number,
): Promise<readonly Uuid[]> {
  const idOf = ({ place }: StoredText) => place.rowId
  const texts = await readAll((after, size) => rewraps.texts(column, kids.spare, after, size), idOf, limit)
  return texts.map(idOf)
}
