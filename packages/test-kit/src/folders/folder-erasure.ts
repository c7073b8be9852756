import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { storageCase, type StorageCase } from '../stores/harness.ts'
import { addFolder, addLink, addSecrets, recordWithNote, secretOf } from '../stores/rows.ts'

/** Cases of `erase`. */
export const folderErasureCases: readonly StorageCase[] = casesOf({
  'folder-store/erase-takes-an-empty-folder': storageCase({
    rule: 'erase erases an empty folder and no other, and answers Ok(true); the second time it answers Ok(false).',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const other = await addFolder(store, make, folder.accountId)
      for (const isThere of [true, false]) {
        same(expectOk(await store.folders.erase(folder.accountId, folder.id, noonMicros)), isThere)
      }
      sameIds(expectOk(await store.folders.page(folder.accountId, noonMicros, undefined, 10)), [other.id])
    },
  }),
  'folder-store/erase-of-none-is-false': storageCase({
    rule: "erase answers Ok(false) for an unknown folder and for another account's, and erases nothing.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      for (const id of [theirs.id, make.uuid()]) {
        same(expectOk(await store.folders.erase(mine.accountId, id, noonMicros)), false)
      }
      for (const { accountId, id } of [mine, theirs]) {
        same(expectOk(await store.folders.owns(accountId, id)), true)
      }
    },
  }),
  'folder-store/folder-that-is-not-empty-stays': storageCase({
    rule: 'erase answers folder_not_empty and changes nothing while the folder holds a draft, or a shareable secret that has not expired, with or without a note.',
    needs: ['together'],
    async check(store, make) {
      const first = await addFolder(store, make)
      const second = await addFolder(store, make, first.accountId)
      const expired = make.secret(first, 0)
      const draft = make.draft(first, { createdAtMicros: 0 })
      const live = make.secret(second)
      await addSecrets(store, make, [expired, draft, live])
      const justBefore = live.link.expiresAtMicros - 1
      expectErr(await store.folders.erase(first.accountId, first.id, noonMicros), 'folder_not_empty')
      expectErr(await store.folders.erase(second.accountId, second.id, justBefore), 'folder_not_empty')
      for (const { accountId, id } of [first, second]) {
        same(expectOk(await store.folders.owns(accountId, id)), true, 'the folder')
      }
      for (const row of [expired, draft, live]) {
        same(await secretOf(store, row.accountId, row.id), row, 'a row of the folder')
      }
    },
  }),
  'folder-store/erase-takes-the-expired': storageCase({
    rule: 'With a folder the secrets in it that have expired are erased, with their notes and links, and no others.',
    needs: ['together'],
    async check(store, make) {
      const { folder, secret } = await addLink(store, make)
      const { accountId } = folder
      const other = await addLink(store, make, await addFolder(store, make, accountId))
      const { expiresAtMicros } = secret.link
      same(expectOk(await store.folders.erase(accountId, folder.id, expiresAtMicros)), true)
      same(expectOk(await store.folders.owns(accountId, folder.id)), false)
      same(await secretOf(store, accountId, secret.id), undefined)
      same(await recordWithNote(store, secret.link.lookup), undefined)
      same(await secretOf(store, accountId, other.secret.id), other.secret)
    },
  }),
  'folder-store/erase-or-insert-wins': storageCase({
    rule: 'Of the erasure of an empty folder and the insert of a draft into it at the same time exactly one succeeds.',
    needs: ['together'],
    async check(store, make) {
      for (let round = 0; round < 8; round += 1) {
        const folder = await addFolder(store, make)
        const { accountId, id } = folder
        const erase = () => store.folders.erase(accountId, id, noonMicros)
        const insert = () => store.secrets.insert(make.draft(folder), make.note())
        const early = round % 2 === 0 ? erase() : undefined
        const inserted = insert()
        const [erased, written] = await Promise.all([early ?? erase(), inserted])
        if (erased.isOk()) expectErr(written, 'folder_not_found')
        else {
          same(erased.error, { code: 'folder_not_empty' })
          expectOk(written)
        }
        const drafts = expectOk(await store.drafts.page({ accountId }, undefined, 10))
        same(drafts.length, erased.isOk() ? 0 : 1, 'the drafts')
      }
    },
  }),
})
