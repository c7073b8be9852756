import { casesOf } from '../contract/contract.ts'
import type { Cursor, StoredFolder, StoredShareableSecret } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { ascending, isPagedInOrder, tiedPositions } from '../stores/paging.ts'
import { addFolder, addSecrets } from '../stores/rows.ts'

const hourMicros = 3_600_000_000

/** Cases of `page`. */
export const secretPageCases: readonly StorageCase[] = casesOf({
  'secret-store/page-is-in-order': storageCase({
    rule: "Secrets are listed by their link's creation and id, both descending; pages neither repeat nor miss one.",
    async check(store, make) {
      const folder = await addFolder(store, make)
      const rows = tiedPositions(make.uuid, noonMicros).map(({ createdAtMicros, id }, at) =>
        make.secret(folder, createdAtMicros, { id, createdAtMicros: noonMicros - at }),
      )
      await addSecrets(store, make, rows)
      await isPagedInOrder(
        pagesOf(store, { accountId: folder.accountId }),
        cursorOf,
        rows.toSorted(descending),
      )
    },
  }),
  'secret-store/page-order-ignores-the-expiry': storageCase({
    rule: "The list is ordered by the links' creation, also when the links expire in a different order.",
    async check(store, make) {
      const folder = await addFolder(store, make)
      const lifetimes = [30, 1, 90, 7, 60].map((hours) => hours * hourMicros)
      const rows = lifetimes.map((lifetime, at) =>
        make.secret(folder, noonMicros + at, { link: make.link(noonMicros + at, lifetime) }),
      )
      await addSecrets(store, make, rows)
      await isPagedInOrder(pagesOf(store, { accountId: folder.accountId }), cursorOf, rows.toReversed())
    },
  }),
  'secret-store/page-ends-at-the-expiry': storageCase({
    rule: 'A secret is listed until the microsecond before its own expiry, whatever its lifetime, and not from then on.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const long = make.secret(folder, noonMicros, { link: make.link(noonMicros, 9_000 * hourMicros) })
      const short = make.secret(folder, noonMicros + 1, { link: make.link(noonMicros + 1, hourMicros) })
      await addSecrets(store, make, [short, long])
      const at = async (nowMicros: number) =>
        expectOk(await store.secrets.page({ accountId: folder.accountId, nowMicros }, undefined, 10))
      const { expiresAtMicros } = short.link
      sameIds(await at(expiresAtMicros - 1), [short.id, long.id], 'one microsecond before the first expiry')
      sameIds(await at(expiresAtMicros), [long.id], 'at the first expiry')
      sameIds(await at(long.link.expiresAtMicros - 1), [long.id], 'one microsecond before the second expiry')
      sameIds(await at(long.link.expiresAtMicros), [], 'at the second expiry')
      sameIds(await at(expiresAtMicros - 1), [short.id, long.id], 'at an earlier time again')
    },
  }),
  'secret-store/page-limit-counts-listed-secrets': storageCase({
    rule: "The limit counts listed secrets: drafts, expired secrets and other accounts' secrets take no place on a page.",
    async check(store, make) {
      const [folder, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      const listed = [make.secret(folder, noonMicros + 10), make.secret(folder, noonMicros)]
      const others = [make.draft(folder), make.secret(theirs, noonMicros + 5), make.draft(folder)]
      const expired = make.secret(folder, noonMicros + 7, { link: make.link(noonMicros - 1, 1) })
      await addSecrets(store, make, [...others, expired, ...listed])
      const page = pagesOf(store, { accountId: folder.accountId })
      for (const limit of [2, 10]) same(expectOk(await page(undefined, limit)), listed, `limit ${limit}`)
    },
  }),
  'secret-store/page-shows-all-folders': storageCase({
    rule: "Without a folder the list holds the secrets of all the account's folders.",
    async check(store, make) {
      const { first, rows } = await addToTwoFolders(store, make)
      same(expectOk(await pagesOf(store, { accountId: first.accountId })(undefined, 20)), rows)
    },
  }),
  'secret-store/page-of-one-folder': storageCase({
    rule: 'With a folder the list holds exactly the secrets of that folder, in the same order and on full pages.',
    async check(store, make) {
      const { first, second, rows } = await addToTwoFolders(store, make)
      for (const { accountId, id } of [first, second]) {
        const own = rows.filter(({ folderId }) => folderId === id)
        await isPagedInOrder(pagesOf(store, { accountId, folderId: id }), cursorOf, own)
      }
    },
  }),
  'secret-store/page-of-no-folder-of-the-account': storageCase({
    rule: "The list of another account's folder, or of an unknown one, is empty.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      await addSecrets(store, make, [make.secret(mine), make.secret(theirs)])
      for (const folderId of [theirs.id, make.uuid()]) {
        same(expectOk(await pagesOf(store, { accountId: mine.accountId, folderId })(undefined, 10)), [])
      }
    },
  }),
  'secret-store/page-shows-own-secrets-only': storageCase({
    rule: "An account's list holds no secret of another account.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      await addSecrets(store, make, [make.secret(theirs)])
      for (const accountId of [mine.accountId, make.uuid()]) {
        same(expectOk(await pagesOf(store, { accountId })(undefined, 10)), [])
      }
    },
  }),
})

/** Adds shareable secrets to two folders of one account in turn. Ok with the rows in the order of the list. */
async function addToTwoFolders(
  store: StorageUnderTest,
  make: Samples,
): Promise<{ first: StoredFolder; second: StoredFolder; rows: readonly StoredShareableSecret[] }> {
  const first = await addFolder(store, make)
  const second = await addFolder(store, make, first.accountId)
  const rows = [first, second, second, first, second, first, first].map((folder, at) =>
    make.secret(folder, noonMicros + Math.floor(at / 3)),
  )
  await addSecrets(store, make, rows)
  return { first, second, rows: rows.toSorted(descending) }
}

/** Reads pages of the list at `noonMicros`. */
function pagesOf({ secrets }: StorageUnderTest, filter: { accountId: string; folderId?: string }) {
  return (after: Cursor | undefined, limit: number) =>
    secrets.page({ ...filter, nowMicros: noonMicros }, after, limit)
}

function cursorOf({ id, link }: StoredShareableSecret): Cursor {
  return { id, createdAtMicros: link.createdAtMicros }
}

function descending(one: StoredShareableSecret, other: StoredShareableSecret): number {
  return ascending(cursorOf(other), cursorOf(one))
}
