import { nilUuid, type StoredFolder, type StoredNote, type StoredSecret } from '@sotto/core'
import { noonMicros, type Samples } from '../samples.ts'
import { okOf, same, sameIds } from './expect.ts'
import { ascending, isPagedInOrder, tiedPositions } from './paging.ts'
import { noteBehind } from './secret-store.ts'
import {
  addFolder,
  addSecrets,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
} from './storage-harness.ts'

/** Cases of `find`, `slice` and `erase`. */
export const draftStoreCases: readonly StorageCase[] = [
  storageCase({
    id: 'draft-store/find-gives-draft-and-note',
    rule: 'find gives the draft and its note exactly as they were added.',
    async check(store, make) {
      const first = await addDraft(store, make)
      const second = await addDraft(store, make, first.folder)
      for (const { draft, note } of [first, second]) {
        same(await okOf(store.drafts.find(draft.accountId, draft.id)), { secret: draft, note })
      }
    },
  }),
  storageCase({
    id: 'draft-store/find-of-none-is-undefined',
    rule: "find answers undefined for an id that is unknown, shared already, or another account's.",
    async check(store, make) {
      const [{ draft, folder }, elsewhere] = [await addDraft(store, make), await addDraft(store, make)]
      const shared = make.secret(folder)
      await addSecrets(store, make, [shared])
      for (const id of [shared.id, elsewhere.draft.id, make.uuid(), nilUuid]) {
        same(await okOf(store.drafts.find(draft.accountId, id)), undefined)
      }
    },
  }),
  storageCase({
    id: 'draft-store/slice-is-in-order',
    rule: 'Drafts are listed by creation and id ascending, in slices that neither repeat nor miss one, ties included.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const rows = tiedPositions(make.uuid, noonMicros).map((position) => make.draft(folder, position))
      await addSecrets(store, make, rows)
      await isPagedInOrder(
        (after, limit) => store.drafts.slice(folder.accountId, after, limit),
        (draft) => draft,
        rows.toSorted(ascending),
      )
    },
  }),
  storageCase({
    id: 'draft-store/slice-shows-own-drafts-only',
    rule: "The list of drafts holds those of all the account's folders exactly as they are, no shareable secret, none of another account.",
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const second = make.draft(await addFolder(store, make, folder.accountId))
      await addDraft(store, make)
      await addSecrets(store, make, [second, make.secret(folder)])
      same(await okOf(store.drafts.slice(folder.accountId, undefined, 10)), [draft, second])
      sameIds(await okOf(store.drafts.slice(make.uuid(), undefined, 10)), [])
    },
  }),
  storageCase({
    id: 'draft-store/erase-takes-draft-and-note',
    rule: 'erase takes the draft with its note and answers Ok(true); other drafts stay.',
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const other = await addDraft(store, make, folder)
      same(await okOf(store.drafts.erase(draft.accountId, draft.id)), true)
      same(await okOf(store.drafts.find(draft.accountId, draft.id)), undefined)
      same(await okOf(store.secrets.find(draft.accountId, draft.id)), undefined)
      same(await okOf(store.drafts.slice(draft.accountId, undefined, 10)), [other.draft])
      same(await okOf(store.drafts.find(other.draft.accountId, other.draft.id)), {
        secret: other.draft,
        note: other.note,
      })
    },
  }),
  storageCase({
    id: 'draft-store/erase-of-none-is-false',
    rule: "erase answers Ok(false) for an id that is unknown, erased, shared, or another account's, and changes nothing.",
    async check(store, make) {
      const [{ draft, folder }, elsewhere] = [await addDraft(store, make), await addDraft(store, make)]
      const shared = make.secret(folder)
      const note = make.note()
      await okOf(store.secrets.insert(shared, note))
      await okOf(store.drafts.erase(draft.accountId, draft.id))
      for (const id of [draft.id, shared.id, elsewhere.draft.id, make.uuid()]) {
        same(await okOf(store.drafts.erase(draft.accountId, id)), false)
      }
      same(await noteBehind(store, shared.link.lookup), note, 'the note of the shared one')
      same(await okOf(store.secrets.find(elsewhere.draft.accountId, elsewhere.draft.id)), elsewhere.draft)
    },
  }),
]

export interface AddedDraft {
  readonly folder: StoredFolder
  readonly draft: StoredSecret
  readonly note: StoredNote
}

/** Adds a draft with a note, in a folder of its own unless told which. */
export async function addDraft(
  store: StorageUnderTest,
  make: Samples,
  given?: StoredFolder,
): Promise<AddedDraft> {
  const folder = given ?? (await addFolder(store, make))
  const draft = make.draft(folder)
  const note = make.note()
  await okOf(store.secrets.insert(draft, note), 'adding a draft')
  return { folder, draft, note }
}
