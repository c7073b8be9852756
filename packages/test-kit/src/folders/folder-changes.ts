import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { durableCase, storageCase, type StorageCase } from '../stores/harness.ts'
import { addFolder, addSecrets } from '../stores/rows.ts'

/** Cases of `find` and `relabel`. */
export const folderChangeCases: readonly StorageCase[] = casesOf({
  'folder-store/find-gives-the-folder-with-its-counts': storageCase({
    rule: 'find gives the folder exactly as it was inserted, with its own counts at the given time.',
    needs: ['together'],
    async check(store, make) {
      const folder = await addFolder(store, make)
      const other = await addFolder(store, make, folder.accountId)
      const secret = make.secret(folder)
      await addSecrets(store, make, [secret, make.draft(folder), make.draft(folder), make.draft(other)])
      const { accountId, id } = folder
      const { expiresAtMicros } = secret.link
      for (const [nowMicros, secretsCount] of [
        [expiresAtMicros - 1, 1],
        [expiresAtMicros, 0],
      ] as const) {
        const found = expectOk(await store.folders.find(accountId, id, nowMicros))
        same(found, { ...folder, draftsCount: 2, secretsCount })
      }
    },
  }),
  'folder-store/find-checks-the-account': storageCase({
    rule: "find answers undefined for an unknown folder and for another account's.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      const find = async (accountId: string, id: string) =>
        expectOk(await store.folders.find(accountId, id, noonMicros))
      same(await find(mine.accountId, mine.id), { ...mine, draftsCount: 0, secretsCount: 0 })
      same(await find(mine.accountId, theirs.id), undefined, "another account's folder")
      same(await find(mine.accountId, make.uuid()), undefined, 'an unknown folder')
    },
  }),
  'folder-store/relabel-replaces-the-label': storageCase({
    rule: 'relabel replaces the label and answers Ok(true); nothing else of any folder changes.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const other = await addFolder(store, make, folder.accountId)
      const label = make.encrypted()
      same(expectOk(await store.folders.relabel(folder.accountId, folder.id, label)), true)
      const counts = { draftsCount: 0, secretsCount: 0 }
      same(expectOk(await store.folders.page(folder.accountId, noonMicros, undefined, 10)), [
        { ...folder, label, ...counts },
        { ...other, ...counts },
      ])
    },
  }),
  'folder-store/relabel-of-none-is-false': storageCase({
    rule: "relabel answers Ok(false) for an unknown folder and for another account's, and changes nothing.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      for (const id of [theirs.id, make.uuid()]) {
        same(expectOk(await store.folders.relabel(mine.accountId, id, make.encrypted())), false)
      }
      for (const folder of [mine, theirs]) {
        const found = expectOk(await store.folders.find(folder.accountId, folder.id, noonMicros))
        same(found, { ...folder, draftsCount: 0, secretsCount: 0 })
      }
    },
  }),
  'folder-store/changes-are-durable': durableCase({
    rule: 'Folders that were relabelled or erased are so after reopening.',
    async act(store, make) {
      const { accountId, id } = await addFolder(store, make)
      const erased = await addFolder(store, make, accountId)
      expectOk(await store.folders.relabel(accountId, id, make.encrypted()))
      expectOk(await store.folders.erase(accountId, erased.id, noonMicros))
      return ({ folders }) => [folders.page(accountId, noonMicros, undefined, 10)]
    },
  }),
})
