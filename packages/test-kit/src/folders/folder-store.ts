import { nilUuid, type StoredFolder, type StoredFolderWithCounts } from '@sotto/core'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { folderChangeCases } from './folder-changes.ts'
import { folderCountCases } from './folder-counts.ts'
import { folderErasureCases } from './folder-erasure.ts'
import { durableCase, storageCase, type StorageCase } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { ascending, isPagedInOrder, tiedPositions } from '../stores/paging.ts'
import { addAccount, addFolder } from '../stores/rows.ts'

const ownCases: readonly StorageCase[] = casesOf({
  'folder-store/insert-is-found-again': storageCase({
    rule: 'A folder is listed exactly as it was inserted, with counts of zero.',
    async check(store, make) {
      const account = await addAccount(store, make)
      const folder = make.folder(account.id)
      expectOk(await store.folders.insert(folder))
      same(expectOk(await store.folders.page(account.id, noonMicros, undefined, 10)), [empty(folder)])
    },
  }),
  'folder-store/account-must-exist': storageCase({
    rule: 'insert answers account_not_found for an unknown account, and writes nothing.',
    needs: ['together'],
    async check(store, make) {
      await addAccount(store, make)
      const folder = make.folder(make.uuid())
      expectErr(await store.folders.insert(folder), 'account_not_found')
      same(expectOk(await store.folders.owns(folder.accountId, folder.id)), false)
      same(expectOk(await store.folders.page(folder.accountId, noonMicros, undefined, 10)), [])
    },
  }),
  'folder-store/id-belongs-to-one-folder': storageCase({
    rule: 'insert with an id that is taken answers a storage error; nothing is replaced.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const sameId = make.folder(folder.accountId, { id: folder.id })
      expectErr(await store.folders.insert(sameId), 'storage_failed', 'storage_unavailable')
      same(expectOk(await store.folders.page(folder.accountId, noonMicros, undefined, 10)), [empty(folder)])
    },
  }),
  'folder-store/owns-checks-the-account': storageCase({
    rule: "owns is true for a folder of the account, and false for another account's folder and for an unknown one.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      same(expectOk(await store.folders.owns(mine.accountId, mine.id)), true, 'its own folder')
      same(expectOk(await store.folders.owns(mine.accountId, theirs.id)), false, "another account's folder")
      same(expectOk(await store.folders.owns(mine.accountId, make.uuid())), false, 'an unknown folder')
      same(expectOk(await store.folders.owns(mine.accountId, nilUuid)), false, 'the nil UUID')
      same(expectOk(await store.folders.owns(make.uuid(), mine.id)), false, 'an unknown account')
    },
  }),
  'folder-store/page-is-in-order': storageCase({
    rule: 'Folders are listed by creation and id, ascending; pages neither repeat nor miss one, even among equal times.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const rows = tiedPositions(make.uuid, noonMicros).map((position) => make.folder(id, position))
      for (const row of rows) expectOk(await store.folders.insert(row))
      await isPagedInOrder(
        (after, limit) => store.folders.page(id, noonMicros, after, limit),
        (folder) => folder,
        rows.toSorted(ascending).map(empty),
      )
    },
  }),
  'folder-store/page-shows-own-folders-only': storageCase({
    rule: "The list holds the account's own folders and no other account's.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      sameIds(expectOk(await store.folders.page(mine.accountId, noonMicros, undefined, 10)), [mine.id])
      sameIds(expectOk(await store.folders.page(theirs.accountId, noonMicros, undefined, 10)), [theirs.id])
      sameIds(expectOk(await store.folders.page(make.uuid(), noonMicros, undefined, 10)), [])
    },
  }),
  'folder-store/writes-are-durable': durableCase({
    rule: 'Folders that were inserted are found after reopening.',
    async act(store, make) {
      const { accountId } = await addFolder(store, make)
      return ({ folders }) => [folders.page(accountId, noonMicros, undefined, 10)]
    },
  }),
})

/** The contract of the folder store. */
export const folderStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('folder-store', 'folders', ['accounts', 'keys', 'secrets', 'drafts', 'links']),
  ...ownCases,
  ...folderCountCases,
  ...folderChangeCases,
  ...folderErasureCases,
])

function empty(folder: StoredFolder): StoredFolderWithCounts {
  return { ...folder, draftsCount: 0, secretsCount: 0 }
}
