import { nilUuid, noAttempts, type Cursor, type SecretFilter } from '@sotto/core'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { draftAttemptCases } from './draft-attempts.ts'
import { draftReplacingCases } from './draft-replacing.ts'
import { draftSharingCases } from './draft-sharing.ts'
import {
  durableCase,
  kids,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { ascending, isPagedInOrder, tiedPositions } from '../stores/paging.ts'
import { addDraft, addFolder, addSecrets, noteBehind, recordWithNote, secretOf } from '../stores/rows.ts'

const aloneCases: readonly StorageCase[] = casesOf({
  'draft-store/find-of-none-is-undefined': storageCase({
    rule: "find answers undefined for an id that is unknown, shared already, or another account's.",
    async check(store, make) {
      const [{ draft, folder }, elsewhere] = [await addDraft(store, make), await addDraft(store, make)]
      const shared = make.secret(folder)
      await addSecrets(store, make, [shared])
      for (const id of [shared.id, elsewhere.draft.id, make.uuid(), nilUuid]) {
        same(expectOk(await store.drafts.find(draft.accountId, id)), undefined)
      }
    },
  }),
  'draft-store/page-of-no-folder-of-the-account': storageCase({
    rule: "The list of another account's folder, or of an unknown one, is empty.",
    async check(store, make) {
      const [mine, theirs] = [await addDraft(store, make), await addDraft(store, make)]
      const { accountId } = mine.folder
      for (const folderId of [theirs.folder.id, make.uuid()]) {
        same(expectOk(await pagesOf(store, { accountId, folderId })(undefined, 10)), [])
      }
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'draft-store/find-gives-draft-and-note': storageCase({
    rule: 'find gives a draft and its note exactly as they were inserted, without attempts.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const columns = { openLimit: 1_000_000, notify: true, hasPassword: true }
      for (const secret of [make.draft(folder), make.draft(folder, columns)]) {
        const note = make.note()
        expectOk(await store.secrets.insert(secret, note))
        const found = expectOk(await store.drafts.find(folder.accountId, secret.id))
        same(found, { secret, note, attempts: noAttempts })
      }
    },
  }),
  'draft-store/page-is-in-order': storageCase({
    rule: 'Drafts are listed by creation and id, ascending; pages neither repeat nor miss one, even among equal times.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const rows = tiedPositions(make.uuid, noonMicros).map((position) => make.draft(folder, position))
      await addSecrets(store, make, rows)
      await isPagedInOrder(
        pagesOf(store, { accountId: folder.accountId }),
        (draft) => draft,
        rows.toSorted(ascending),
      )
    },
  }),
  'draft-store/page-shows-own-drafts-only': storageCase({
    rule: "Without a folder the list holds the drafts of all the account's folders, no shareable secret and no other account's draft.",
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const second = make.draft(await addFolder(store, make, folder.accountId))
      await addDraft(store, make)
      await addSecrets(store, make, [second, make.secret(folder)])
      const page = pagesOf(store, { accountId: folder.accountId })
      same(expectOk(await page(undefined, 10)), [draft, second])
      same(expectOk(await pagesOf(store, { accountId: make.uuid() })(undefined, 10)), [])
    },
  }),
  'draft-store/page-of-one-folder': storageCase({
    rule: 'With a folder the list holds exactly the drafts of that folder, in the same order and on full pages.',
    async check(store, make) {
      const first = await addFolder(store, make)
      const second = await addFolder(store, make, first.accountId)
      const rows = [first, second, second, first, second, first, first].map((folder, at) =>
        make.draft(folder, { createdAtMicros: noonMicros + Math.floor(at / 3) }),
      )
      await addSecrets(store, make, [...rows, make.secret(first), make.secret(second)])
      for (const { accountId, id } of [first, second]) {
        const own = rows.filter(({ folderId }) => folderId === id)
        await isPagedInOrder(pagesOf(store, { accountId, folderId: id }), (draft) => draft, own)
      }
    },
  }),
  'draft-store/erase-removes-draft-and-note': storageCase({
    rule: 'erase removes the draft with its note and answers Ok(true); other drafts stay.',
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const other = await addDraft(store, make, folder)
      same(expectOk(await store.drafts.erase(draft.accountId, draft.id)), true)
      same(expectOk(await store.drafts.find(draft.accountId, draft.id)), undefined)
      same(await secretOf(store, draft.accountId, draft.id), undefined)
      const page = pagesOf(store, { accountId: draft.accountId })
      same(expectOk(await page(undefined, 10)), [other.draft])
      const left = expectOk(await store.drafts.find(other.draft.accountId, other.draft.id))
      same(left, { secret: other.draft, note: other.note, attempts: noAttempts })
    },
  }),
  'draft-store/erase-of-none-is-false': storageCase({
    rule: "erase answers Ok(false) for an id that is unknown, erased, shared, or another account's, and changes nothing.",
    async check(store, make) {
      const [{ draft, folder }, elsewhere] = [await addDraft(store, make), await addDraft(store, make)]
      const shared = make.secret(folder)
      const note = make.note()
      expectOk(await store.secrets.insert(shared, note))
      expectOk(await store.drafts.erase(draft.accountId, draft.id))
      for (const id of [draft.id, shared.id, elsewhere.draft.id, make.uuid()]) {
        same(expectOk(await store.drafts.erase(draft.accountId, id)), false)
      }
      same(await noteBehind(store, shared.link.lookup), note, 'the note of the shared one')
      same(await secretOf(store, elsewhere.draft.accountId, elsewhere.draft.id), elsewhere.draft)
    },
  }),
})

/** Cases of `find`, `page` and `erase`. */
const draftCases: readonly StorageCase[] = [...aloneCases, ...togetherCases]

const togetherCases2: readonly StorageCase[] = together({
  'draft-store/writes-are-durable': durableCase({
    rule: 'Drafts that were shared or erased are so after reopening.',
    async act(store, make) {
      const [shared, erased] = [await addDraft(store, make), await addDraft(store, make)]
      const { accountId, id, headCiphertext } = shared.draft
      const link = make.link()
      const keys = { kid: kids.writable, headCiphertext: make.ciphertext(), wrappedKey: make.ciphertext() }
      expectOk(
        await store.drafts.share({ accountId, id, expectedHeadCiphertext: headCiphertext }, link, keys),
      )
      expectOk(await store.drafts.erase(erased.draft.accountId, erased.draft.id))
      return (each) => [
        recordWithNote(each, link.lookup),
        secretOf(each, erased.draft.accountId, erased.draft.id),
      ]
    },
  }),
})

/** The contract of the draft store. */
export const draftStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('draft-store', 'drafts', ['accounts', 'keys', 'folders', 'secrets', 'links']),
  ...togetherCases2,
  ...draftCases,
  ...draftAttemptCases,
  ...draftSharingCases,
  ...draftReplacingCases,
])

function pagesOf({ drafts }: StorageUnderTest, filter: SecretFilter) {
  return (after: Cursor | undefined, limit: number) => drafts.page(filter, after, limit)
}
