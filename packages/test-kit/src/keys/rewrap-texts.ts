import { addFile } from '../files/file-rows.ts'
import {
  textColumns,
  type Ciphertext,
  type Encrypted,
  type StoredText,
  type TextColumn,
  type Uuid,
} from '@sotto/core'
import { expectErr, expectOk } from '../contract/expect.ts'
import type { Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { addFullAccount, rowsOf } from '../accounts/account-rows.ts'
import {
  durableCase,
  kids,
  storageCase,
  together,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { readAll, shuffled } from '../stores/paging.ts'
import { onlyWinner } from '../stores/races.ts'
import { addRequest } from '../requests/request-rows.ts'
import { addPassword, under } from '../stores/rows.ts'

/** Cases of `texts` and `replaceText`. */
export const rewrapTextCases: readonly StorageCase[] = together({
  'rewrap-store/texts-under-other-keys': storageCase({
    rule: 'texts gives the texts of a column whose key is not the given one, each with its place.',
    async check(store, make) {
      const { textIn: old } = await addFullAccount(store, make, kids.writable)
      const { textIn: young } = await addFullAccount(store, make, kids.spare)
      for (const column of textColumns) {
        const texts = async (kid: number) => expectOk(await store.rewraps.texts(column, kid, undefined, 10))
        same(await texts(kids.spare), [old(column)], `${column} under another key`)
        same(await texts(kids.writable), [young(column)], `${column} under yet another key`)
        same(await texts(kids.unknown), [old(column), young(column)], `${column} under any key`)
      }
    },
  }),
  'rewrap-store/texts-are-in-order': storageCase({
    rule: "Texts are listed by their row's id; pages neither repeat nor miss one.",
    async check(store, make) {
      const { id: accountId } = await addFullAccount(store, make, kids.spare)
      const ids = Array.from({ length: 5 }, () => make.uuid())
      for (const id of shuffled(ids)) await insertTexts(store, make, accountId, id)
      for (const column of textColumns) {
        for (const limit of [1, 2, 5, 6])
          same(await idsOfTexts(store, column, limit), ids, `${column}, in pages of ${limit}`)
      }
    },
  }),
  'rewrap-store/text-is-replaced': storageCase({
    rule: 'replaceText replaces the text and answers Ok(true); nothing else of any row changes.',
    async check(store, make) {
      const [mine, theirs] = [await addFullAccount(store, make), await addFullAccount(store, make)]
      const [before, others] = [await rowsOf(store, mine), await rowsOf(store, theirs)]
      const entries = textColumns.map((column) => [column, under(make, kids.spare)] as const)
      for (const [column, to] of entries) {
        same(expectOk(await replace(store, make, mine.textIn(column), to)), true, column)
      }
      const texts = Object.fromEntries(entries) as Readonly<Record<TextColumn, Encrypted>>
      same(await rowsOf(store, mine), withTexts(before, texts))
      same(await rowsOf(store, theirs), others, 'another account')
    },
  }),
  'rewrap-store/account-is-found-by-its-new-index': storageCase({
    rule: 'An account whose name was replaced is found by the new index and not by the old one, and its name stays taken.',
    async check(store, make) {
      const { account, index, textIn } = await addFullAccount(store, make)
      const [name, newIndex] = [under(make, kids.spare), make.nameIndex()]
      expectOk(await store.rewraps.replaceText(textIn('account.name'), name, newIndex))
      same(expectOk(await store.accounts.findByName([newIndex])), { ...account, name })
      same(expectOk(await store.accounts.findByName([index])), undefined)
      expectErr(await store.accounts.insert(make.account(), [newIndex]), 'account_exists')
    },
  }),
  'rewrap-store/identity-is-found-by-its-new-index': storageCase({
    rule: 'An identity whose name was replaced is found by the new index and not by the old one, and stays taken.',
    async check(store, make) {
      const { id, identity, identityIndex, textIn } = await addFullAccount(store, make)
      const [name, newIndex] = [under(make, kids.spare), make.nameIndex()]
      expectOk(await store.rewraps.replaceText(textIn('identity.name'), name, newIndex))
      same(expectOk(await store.identities.find([newIndex])), {
        ...{ ...identity, name, accountDisabled: false, accountHeld: false },
      })
      same(expectOk(await store.identities.find([identityIndex])), undefined)
      expectErr(await store.identities.insert(make.identity(id), [newIndex], 5), 'identity_taken')
    },
  }),
  'rewrap-store/changed-text-stays': storageCase({
    rule: 'replaceText answers Ok(false) and changes nothing unless the row holds the text that was read, byte for byte.',
    async check(store, make) {
      const full = await addFullAccount(store, make)
      const before = await rowsOf(store, full)
      for (const column of textColumns) {
        const { place, encrypted } = full.textIn(column)
        const { kid, ciphertext } = encrypted
        const from: readonly StoredText[] = [
          { place, encrypted: { kid, ciphertext: make.ciphertext(ciphertext.length) } },
          { place, encrypted: { kid, ciphertext: ciphertext.slice(0, -1) as Ciphertext } },
          { place: { ...place, rowId: make.uuid() }, encrypted },
        ]
        for (const each of from)
          same(expectOk(await replace(store, make, each, under(make, kids.spare))), false, column)
      }
      same(await rowsOf(store, full), before)
      same(expectOk(await store.accounts.findByName([full.index])), full.account, 'by its index')
    },
  }),
  'rewrap-store/one-of-parallel-replacements-wins': storageCase({
    rule: 'Of several replacements of one text at the same time exactly one succeeds, and its text is stored.',
    async check(store, make) {
      const { textIn } = await addFullAccount(store, make)
      const winner = await onlyWinner({
        stores: [store, store],
        makeRival: () => under(make, kids.spare),
        run: ({ rewraps }, to) => rewraps.replaceText(textIn('folder.label'), to, undefined),
      })
      const stored = expectOk(await store.rewraps.texts('folder.label', kids.writable, undefined, 10))
      same(
        stored.map(({ encrypted }) => encrypted),
        [winner],
      )
    },
  }),
  'rewrap-store/texts-are-replaced-durably': durableCase({
    rule: 'Texts that were replaced are so after reopening.',
    async act(store, make) {
      const { textIn } = await addFullAccount(store, make)
      const newIndex = make.nameIndex()
      const name = under(make, kids.spare)
      expectOk(await store.rewraps.replaceText(textIn('account.name'), name, newIndex))
      return ({ accounts }) => [accounts.findByName([newIndex])]
    },
  }),
})

/** Replaces a text, and with the name of an account its index. */
function replace({ rewraps }: StorageUnderTest, make: Samples, from: StoredText, to: Encrypted) {
  return rewraps.replaceText(from, to, from.place.column === 'account.name' ? make.nameIndex() : undefined)
}

/** The rows with these texts. */
function withTexts(rows: Awaited<ReturnType<typeof rowsOf>>, texts: Readonly<Record<TextColumn, Encrypted>>) {
  const { account, session, password, request } = rows
  const name = { name: texts['session.name'] }
  const displayName = account?.displayName && { ...account.displayName, name: texts['account.display_name'] }
  return {
    ...rows,
    account: account && { ...account, name: texts['account.name'], displayName },
    displayName: displayName?.name,
    link: rows.link && { ...rows.link, from: displayName },
    folders: rows.folders.map((folder) => ({ ...folder, label: texts['folder.label'] })),
    tokens: rows.tokens.map((token) => ({ ...token, name: texts['access_token.name'] })),
    sessions: rows.sessions.map((each) => ({ ...each, ...name })),
    session: session && { ...session, ...name },
    password: password && { ...password, hash: texts['account.password'] },
    webhooks: rows.webhooks.map((webhook) => ({ ...webhook, endpoint: texts['webhook.endpoint'] })),
    request: request && {
      ...request,
      request: { ...request.request, content: texts['request.content'] },
      from: displayName,
    },
    identities: rows.identities.map((each) => ({ ...each, name: texts['identity.name'] })),
    identity: rows.identity && { ...rows.identity, name: texts['identity.name'] },
    passkeys: rows.passkeys.map((each) => ({ ...each, name: texts['passkey.name'] })),
    passkey: rows.passkey && { ...rows.passkey, name: texts['passkey.name'] },
  }
}

/**
 * Adds an account with a password, a display name and a session, and a folder with a request, a token, a webhook, an identity and a passkey to
 * another account, all with the same id.
 */
async function insertTexts(store: StorageUnderTest, make: Samples, accountId: Uuid, id: Uuid): Promise<void> {
  expectOk(await store.accounts.insert(make.account({ id }), [make.nameIndex()]))
  const { password } = await addPassword(store, make, id, { id })
  expectOk(await store.accounts.setDisplayName(id, { id, name: make.encrypted() }))
  const session = make.session(id, { id })
  same(expectOk(await store.sessions.insert(session, make.tokenDigest(), password.id)), true)
  same(expectOk(await store.sessions.rename(id, id, make.encrypted())), true)
  const folder = make.folder(accountId, { id })
  expectOk(await store.folders.insert(folder))
  await addRequest(store, make, { id }, folder)
  expectOk(await store.accessTokens.insert(make.accessToken(accountId, { id }), make.tokenDigest()))
  expectOk(await store.webhooks.insert(make.webhook(accountId, { id }), 10))
  expectOk(await store.identities.insert(make.identity(accountId, { id }), [make.nameIndex()], 10))
  expectOk(await store.passkeys.insert(make.passkey(accountId, { id }), make.tokenDigest(), 10))
  await addFile(store, make, { accountId, folderId: id }, { id })
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
