import { nilUuid, secretLifetimeMicros } from '@sotto/core'
import { ok } from 'neverthrow'
import { noonMicros } from '../samples.ts'
import { failsWith, okOf, same, sameIds } from './expect.ts'
import { ascending, isPagedInOrder, tiedPositions } from './paging.ts'
import { addAccount, addFolder, addSecrets, storageCase, kids, type StorageCase } from './storage-harness.ts'

const counts = (draftsCount: number, secretsCount: number) => ({ draftsCount, secretsCount })

export const folderStoreCases: readonly StorageCase[] = [
  storageCase({
    id: 'folder-store/insert-is-found-again',
    rule: 'A folder is listed exactly as it was added, with nothing in it.',
    async check(store, make) {
      const account = await addAccount(store, make)
      const folder = make.folder(account.id)
      await okOf(store.folders.insert(folder))
      same(await okOf(store.folders.slice(account.id, noonMicros, undefined, 10)), [
        { ...folder, ...counts(0, 0) },
      ])
    },
  }),
  storageCase({
    id: 'folder-store/account-has-to-exist',
    rule: 'A folder of an account that does not exist is refused with account_not_found, and nothing is written.',
    async check(store, make) {
      await addAccount(store, make)
      const folder = make.folder(make.uuid())
      await failsWith(store.folders.insert(folder), 'account_not_found')
      same(await okOf(store.folders.owns(folder.accountId, folder.id)), false)
      same(await okOf(store.folders.slice(folder.accountId, noonMicros, undefined, 10)), [])
    },
  }),
  storageCase({
    id: 'folder-store/retired-key-is-refused',
    rule: 'A folder whose label is under a retired or an unknown key is refused with key_retired, and nothing is written.',
    async check(store, make) {
      const account = await addAccount(store, make)
      for (const kid of [kids.retired, kids.unknown]) {
        const folder = make.folder(account.id, { label: { kid, ciphertext: make.ciphertext() } })
        await failsWith(store.folders.insert(folder), 'key_retired')
        same(await okOf(store.folders.owns(account.id, folder.id)), false)
      }
    },
  }),
  storageCase({
    id: 'folder-store/owns-tells-whose-it-is',
    rule: 'owns is true for a folder of the account, and false for a folder of another one, or none at all.',
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      same(await okOf(store.folders.owns(mine.accountId, mine.id)), true, 'an own folder')
      same(await okOf(store.folders.owns(mine.accountId, theirs.id)), false, "another account's folder")
      same(await okOf(store.folders.owns(mine.accountId, make.uuid())), false, 'an unknown folder')
      same(await okOf(store.folders.owns(mine.accountId, nilUuid)), false, 'the nil UUID')
      same(await okOf(store.folders.owns(make.uuid(), mine.id)), false, 'an unknown account')
    },
  }),
  storageCase({
    id: 'folder-store/slice-is-in-order',
    rule: 'Folders are listed by creation and id ascending, in slices that neither repeat nor miss one, ties included.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const rows = tiedPositions(make.uuid, noonMicros).map((position) => make.folder(id, position))
      for (const row of rows) await okOf(store.folders.insert(row))
      await isPagedInOrder(
        (after, limit) => store.folders.slice(id, noonMicros, after, limit),
        (folder) => folder,
        rows.toSorted(ascending).map((row) => ({ ...row, ...counts(0, 0) })),
      )
    },
  }),
  storageCase({
    id: 'folder-store/slice-shows-own-folders-only',
    rule: "An account's list holds its own folders, and none of another account's.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      sameIds(await okOf(store.folders.slice(mine.accountId, noonMicros, undefined, 10)), [mine.id])
      sameIds(await okOf(store.folders.slice(theirs.accountId, noonMicros, undefined, 10)), [theirs.id])
      sameIds(await okOf(store.folders.slice(make.uuid(), noonMicros, undefined, 10)), [])
    },
  }),
  storageCase({
    id: 'folder-store/counts-each-folder-by-itself',
    rule: 'Each folder counts its own drafts and its own shareable secrets.',
    async check(store, make) {
      const first = await addFolder(store, make)
      const second = await addFolder(store, make, first.accountId)
      const elsewhere = await addFolder(store, make)
      await addSecrets(store, make, [make.draft(first), make.draft(first), make.secret(first)])
      await addSecrets(store, make, [make.draft(second), make.secret(second), make.secret(second)])
      await addSecrets(store, make, [make.secret(elsewhere), make.draft(elsewhere)])
      same(await okOf(store.folders.slice(first.accountId, noonMicros, undefined, 10)), [
        { ...first, ...counts(2, 1) },
        { ...second, ...counts(1, 2) },
      ])
    },
  }),
  storageCase({
    id: 'folder-store/counts-secrets-until-they-expire',
    rule: 'A shareable secret counts until the microsecond before its expiry; a draft counts at any time.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      await addSecrets(store, make, [make.secret(folder, noonMicros), make.draft(folder)])
      const expiry = noonMicros + secretLifetimeMicros
      const at = async (nowMicros: number) => {
        const [row] = await okOf(store.folders.slice(folder.accountId, nowMicros, undefined, 10))
        return row && counts(row.draftsCount, row.secretsCount)
      }
      same(await at(expiry - 1), counts(1, 1), 'one microsecond before the expiry')
      same(await at(expiry), counts(1, 0), 'at the expiry')
      same(await at(expiry + 1), counts(1, 0), 'after the expiry')
      same(await at(expiry - 1), counts(1, 1), 'asked for an earlier moment again')
    },
  }),
  storageCase({
    id: 'folder-store/counts-secrets-without-note',
    rule: 'A shareable secret whose note is destroyed still counts.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const secret = make.secret(folder)
      await addSecrets(store, make, [secret])
      await okOf(store.links.update(secret.link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
      same(await okOf(store.folders.slice(folder.accountId, noonMicros, undefined, 10)), [
        { ...folder, ...counts(0, 1) },
      ])
    },
  }),
]
