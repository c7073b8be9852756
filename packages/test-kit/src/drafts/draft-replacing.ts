import { noAttempts, type Ciphertext, type StoredNote, type StoredSecret } from '@sotto/core'
import { expectErr, expectOk } from '../contract/expect.ts'
import type { Samples } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import {
  durableCase,
  besideCase,
  kids,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { onlyWinner } from '../stores/races.ts'
import { addDraft, addFolder, addLink, secretOf, type AddedDraft } from '../stores/rows.ts'

/** Cases of `replace`. */
export const draftReplacingCases: readonly StorageCase[] = together({
  'draft-store/replace-changes-the-whole-draft': storageCase({
    rule: 'replace sets every column, the head and the note of the draft, and answers Ok(true); other drafts stay.',
    async check(store, make) {
      const added = await addDraft(store, make)
      const other = await addDraft(store, make, added.folder)
      const folder = await addFolder(store, make, added.folder.accountId)
      const draft = newer(make, added, {
        folderId: folder.id,
        openLimit: 3,
        notify: true,
        hasPassword: true,
        kid: kids.spare,
        headCiphertext: make.ciphertext(added.draft.headCiphertext.length + 64),
      })
      const note = make.note(1_000)
      same(expectOk(await store.drafts.replace(added.draft.headCiphertext, draft, note)), true)
      const found = expectOk(await store.drafts.find(draft.accountId, draft.id))
      same(found, { secret: draft, note, attempts: noAttempts }, 'the draft')
      const unchanged = expectOk(await store.drafts.find(draft.accountId, other.draft.id))
      same(unchanged, { secret: other.draft, note: other.note, attempts: noAttempts }, 'another draft')
      const { accountId } = draft
      const listed = await store.drafts.page({ accountId, folderId: folder.id }, undefined, 10)
      sameIds(expectOk(listed), [draft.id], 'in the list of its new folder')
    },
  }),
  'draft-store/replaced-draft-counts-in-its-new-folder': storageCase({
    rule: 'A draft that was replaced counts in the folder of its new row, and not in the one before.',
    async check(store, make) {
      const added = await addDraft(store, make)
      const { accountId } = added.folder
      const folder = await addFolder(store, make, accountId)
      const draft = newer(make, added, { folderId: folder.id })
      expectOk(await store.drafts.replace(added.draft.headCiphertext, draft, make.note()))
      const folders = expectOk(await store.folders.page(accountId, 0, undefined, 10))
      same(
        folders.map(({ draftsCount }) => draftsCount),
        [0, 1],
      )
    },
  }),
  'draft-store/replace-of-another-head-is-false': storageCase({
    rule: 'replace answers Ok(false) and changes nothing unless the head equals the expected one byte for byte.',
    async check(store, make) {
      const added = await addDraft(store, make)
      const { headCiphertext } = added.draft
      const lastByte = Uint8Array.from(headCiphertext, (byte, at) =>
        at === headCiphertext.length - 1 ? byte ^ 1 : byte,
      )
      for (const other of [lastByte, headCiphertext.slice(0, -1), Uint8Array.from([...headCiphertext, 0])]) {
        const replaced = store.drafts.replace(other as Ciphertext, newer(make, added), make.note())
        same(expectOk(await replaced), false)
        await isAsItWas(store, added)
      }
    },
  }),
  'draft-store/replace-of-none-is-an-error': storageCase({
    rule: "replace answers draft_not_found for an id that is unknown, shared already, or another account's, and changes nothing.",
    async check(store, make) {
      const [added, elsewhere] = [await addDraft(store, make), await addDraft(store, make)]
      const shared = await addLink(store, make, added.folder)
      const { accountId, folderId } = added.draft
      for (const row of [
        make.draft(added.folder),
        shared.secret,
        { ...elsewhere.draft, accountId, folderId },
      ]) {
        const draft = { ...row, link: undefined, notify: true }
        expectErr(await store.drafts.replace(row.headCiphertext, draft, make.note()), 'draft_not_found')
      }
      same(await secretOf(store, accountId, shared.secret.id), shared.secret)
      await isAsItWas(store, elsewhere)
    },
  }),
  'draft-store/replace-needs-a-folder-of-the-account': storageCase({
    rule: 'replace answers folder_not_found when the folder of the new row is unknown or belongs to another account, and changes nothing.',
    async check(store, make) {
      const added = await addDraft(store, make)
      const elsewhere = await addFolder(store, make)
      for (const folderId of [make.uuid(), elsewhere.id]) {
        const draft = newer(make, added, { folderId })
        expectErr(
          await store.drafts.replace(added.draft.headCiphertext, draft, make.note()),
          'folder_not_found',
        )
        await isAsItWas(store, added)
      }
    },
  }),
  'draft-store/one-of-parallel-replacements-wins': storageCase({
    rule: 'Of several replacements of one draft at the same time exactly one succeeds; the others answer Ok(false).',
    check: (store, make) => oneReplacementWins(store, store, make),
  }),
  'draft-store/one-of-replacements-from-two-storages-wins': besideCase({
    rule: 'Of several replacements of one draft by two storages on the same data exactly one succeeds.',
    check: oneReplacementWins,
  }),
  'draft-store/replace-or-share-wins': storageCase({
    rule: 'Of a replacement and a share at the same time exactly one succeeds, and its row is stored.',
    async check(store, make) {
      for (let round = 0; round < 8; round += 1) {
        const added = await addDraft(store, make)
        const { accountId, id, headCiphertext } = added.draft
        const [draft, link] = [newer(make, added), make.link()]
        const keys = { kid: kids.writable, headCiphertext: make.ciphertext(), wrappedKey: make.ciphertext() }
        const replace = () => store.drafts.replace(headCiphertext, draft, make.note())
        const early = round % 2 === 0 ? replace() : undefined
        const share = store.drafts.share(
          { accountId, id, expectedHeadCiphertext: headCiphertext },
          link,
          keys,
        )
        const [replaced, shared] = await Promise.all([early ?? replace(), share])
        const won = [replaced, shared].map((result) => result.isOk() && result.value)
        const stored = await secretOf(store, accountId, id)
        if (won[0]) same({ won, stored }, { won: [true, false], stored: draft }, 'the replaced draft')
        else {
          const row = { ...added.draft, link, kid: keys.kid, headCiphertext: keys.headCiphertext }
          same({ won, stored }, { won: [false, true], stored: row }, 'the shared draft')
        }
      }
    },
  }),
  'draft-store/replacements-are-durable': durableCase({
    rule: 'A draft that was replaced is so after reopening.',
    async act(store, make) {
      const added = await addDraft(store, make)
      const { accountId, id, headCiphertext } = added.draft
      expectOk(await store.drafts.replace(headCiphertext, newer(make, added), make.note()))
      return ({ drafts }) => [drafts.find(accountId, id)]
    },
  }),
})

type DraftRow = StoredSecret & { readonly link: undefined }

/** The draft with another head, and with these columns. */
function newer(make: Samples, { draft }: AddedDraft, columns: Partial<StoredSecret> = {}): DraftRow {
  return { ...draft, headCiphertext: make.ciphertext(), ...columns, link: undefined }
}

async function isAsItWas(
  { drafts }: StorageUnderTest,
  { draft, note }: { readonly draft: StoredSecret; readonly note: StoredNote },
): Promise<void> {
  same(
    expectOk(await drafts.find(draft.accountId, draft.id)),
    { secret: draft, note, attempts: noAttempts },
    'the draft',
  )
}

async function oneReplacementWins(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  const added = await addDraft(store, make)
  const { accountId, id, headCiphertext } = added.draft
  const winner = await onlyWinner({
    stores: [store, beside],
    makeRival: () => ({ secret: newer(make, added), note: make.note() }),
    run: ({ drafts }, { secret, note }) => drafts.replace(headCiphertext, secret, note),
  })
  same(
    expectOk(await store.drafts.find(accountId, id)),
    { ...winner, attempts: noAttempts },
    'the draft that is stored',
  )
}
