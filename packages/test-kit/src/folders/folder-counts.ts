import type { Cursor, StoredFolder, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { createSeededRandom } from '../shared/seeded-random.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { storageCase, type StorageCase, type StorageUnderTest, together } from '../stores/harness.ts'
import { readAll } from '../stores/paging.ts'
import { addFolder, addSecrets, reportsNothing } from '../stores/rows.ts'

const hourMicros = 3_600_000_000
const steps = 80

/** Cases of the counts that come with a page of folders. */
export const folderCountCases: readonly StorageCase[] = together({
  'folder-store/counts-per-folder': storageCase({
    rule: 'The counts of a folder are those of its own drafts and shareable secrets.',
    async check(store, make) {
      const first = await addFolder(store, make)
      const second = await addFolder(store, make, first.accountId)
      const elsewhere = await addFolder(store, make)
      await addSecrets(store, make, [make.draft(first), make.draft(first), make.secret(first)])
      await addSecrets(store, make, [make.draft(second), make.secret(second), make.secret(second)])
      await addSecrets(store, make, [make.secret(elsewhere), make.draft(elsewhere)])
      same(expectOk(await store.folders.page(first.accountId, noonMicros, undefined, 10)), [
        { ...first, draftsCount: 2, secretsCount: 1 },
        { ...second, draftsCount: 1, secretsCount: 2 },
      ])
    },
  }),
  'folder-store/counts-secrets-until-they-expire': storageCase({
    rule: 'A shareable secret counts until the microsecond before its own expiry, whatever its lifetime; a draft always counts.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const short = make.secret(folder, noonMicros + 5, { link: make.link(noonMicros + 5, hourMicros) })
      const long = make.secret(folder, noonMicros, { link: make.link(noonMicros, 9_000 * hourMicros) })
      await addSecrets(store, make, [short, long, make.draft(folder)])
      const at = async (nowMicros: number) => {
        const [row] = expectOk(await store.folders.page(folder.accountId, nowMicros, undefined, 10))
        return [row?.draftsCount, row?.secretsCount]
      }
      const { expiresAtMicros } = short.link
      same(await at(expiresAtMicros - 1), [1, 2], 'one microsecond before the first expiry')
      same(await at(expiresAtMicros), [1, 1], 'at the first expiry')
      same(await at(long.link.expiresAtMicros - 1), [1, 1], 'one microsecond before the second expiry')
      same(await at(long.link.expiresAtMicros), [1, 0], 'at the second expiry')
      same(await at(expiresAtMicros - 1), [1, 2], 'at an earlier time again')
    },
  }),
  'folder-store/counts-secrets-without-note': storageCase({
    rule: 'A shareable secret whose note is destroyed still counts.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const secret = make.secret(folder)
      await addSecrets(store, make, [secret])
      expectOk(
        await store.links.update(secret.link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })),
      )
      same(expectOk(await store.folders.page(folder.accountId, noonMicros, undefined, 10)), [
        { ...folder, draftsCount: 0, secretsCount: 1 },
      ])
    },
  }),
  'folder-store/counts-equal-the-lists': storageCase({
    rule: 'At any time the counts of a folder equal the numbers of its entries in the lists of drafts and of secrets.',
    async check(store, make) {
      const first = await addFolder(store, make)
      const folders = [first, await addFolder(store, make, first.accountId)]
      const random = createSeededRandom(7)
      const choose = (below: number): number => (random.bytes(1)[0] ?? 0) % below
      let nowMicros = noonMicros
      for (let step = 0; step < steps; step += 1) {
        const folder = folders[choose(folders.length)] ?? first
        await anyChange(store, make, { folder, nowMicros, choose })
        if (choose(4) === 0) nowMicros += 72 * hourMicros
        await countsEqualLists(store, first.accountId, nowMicros, `after step ${step}`)
      }
    },
  }),
})

/** Adds, shares, opens, deletes or erases something in a folder. */
async function anyChange(
  store: StorageUnderTest,
  make: Samples,
  { folder, nowMicros, choose }: { folder: StoredFolder; nowMicros: number; choose(below: number): number },
): Promise<void> {
  const { accountId } = folder
  const drafts = expectOk(await store.drafts.page({ accountId }, undefined, 50))
  const secrets = expectOk(await store.secrets.page({ accountId, nowMicros }, undefined, 50))
  const draft = drafts[choose(drafts.length || 1)]
  const secret = secrets[choose(secrets.length || 1)]
  const change = choose(8)
  if (change <= 1) expectOk(await store.secrets.insert(make.draft(folder), make.note()))
  else if (change <= 3) {
    const link = make.link(nowMicros, hourMicros * (1 + 300 * choose(4)))
    expectOk(await store.secrets.insert(make.secret(folder, nowMicros, { link }), make.note()))
  } else if (change === 4 && draft) {
    const keys = { kid: draft.kid, headCiphertext: make.ciphertext(), wrappedKey: make.ciphertext() }
    expectOk(
      await store.drafts.share(
        { ...draft, expectedHeadCiphertext: draft.headCiphertext },
        make.link(nowMicros),
        keys,
      ),
    )
  } else if (change === 5 && draft) expectOk(await store.drafts.erase(accountId, draft.id))
  else if (change === 6 && secret) {
    expectOk(
      await store.links.update(secret.link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })),
    )
  } else expectOk(await store.secrets.eraseExpired(nowMicros, 3, reportsNothing))
}

async function countsEqualLists(
  store: StorageUnderTest,
  accountId: Uuid,
  nowMicros: number,
  when: string,
): Promise<void> {
  const folders = expectOk(await store.folders.page(accountId, nowMicros, undefined, 10))
  const secrets = await readAll(
    (after: Cursor | undefined, limit) => store.secrets.page({ accountId, nowMicros }, after, limit),
    ({ id, link }) => ({ id, createdAtMicros: link.createdAtMicros }),
    50,
  )
  const drafts = await readAll(
    (after: Cursor | undefined, limit) => store.drafts.page({ accountId }, after, limit),
    (draft) => draft,
    50,
  )
  for (const { id, draftsCount, secretsCount } of folders) {
    const listed = {
      draftsCount: drafts.filter(({ folderId }) => folderId === id).length,
      secretsCount: secrets.filter(({ folderId }) => folderId === id).length,
    }
    same({ draftsCount, secretsCount }, listed, `counts (actual) and lists (expected) ${when}`)
  }
}
