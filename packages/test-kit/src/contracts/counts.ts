import { secretLifetimeMicros, type StoredFolder } from '@sotto/core'
import { ok } from 'neverthrow'
import { createSeededRandom } from '../fakes/seeded-random.ts'
import { noonMicros, type Samples } from '../samples.ts'
import { okOf, same } from './expect.ts'
import { readAll } from './paging.ts'
import { addFolder, storageCase, type StorageCase, type StorageUnderTest } from './storage-harness.ts'

const steps = 80

export const countsCases: readonly StorageCase[] = [
  storageCase({
    id: 'folder-store/counts-equal-the-lists',
    rule: "At any moment a folder's counts are the numbers of its entries in the list of secrets and the list of drafts.",
    async check(store, make) {
      const first = await addFolder(store, make)
      const folders = [first, await addFolder(store, make, first.accountId)]
      const random = createSeededRandom(7)
      const choose = (below: number): number => (random.bytes(1)[0] ?? 0) % below
      let nowMicros = noonMicros
      for (let step = 0; step < steps; step += 1) {
        const folder = folders[choose(folders.length)] ?? first
        await anyChange(store, make, { folder, nowMicros, choose })
        if (choose(4) === 0) nowMicros += Math.floor(secretLifetimeMicros / 10)
        await countsEqualLists(store, first.accountId, nowMicros, `after step ${step}`)
      }
    },
  }),
]

/** Makes, shares, opens, deletes or erases something in a folder. */
async function anyChange(
  store: StorageUnderTest,
  make: Samples,
  { folder, nowMicros, choose }: { folder: StoredFolder; nowMicros: number; choose(below: number): number },
): Promise<void> {
  const { accountId } = folder
  const drafts = await okOf(store.drafts.slice(accountId, undefined, 50))
  const secrets = await okOf(store.secrets.slice(accountId, nowMicros, undefined, 50))
  const draft = drafts[choose(drafts.length || 1)]
  const secret = secrets[choose(secrets.length || 1)]
  const change = choose(8)
  if (change <= 1) await okOf(store.secrets.insert(make.draft(folder), make.note()))
  else if (change <= 3) await okOf(store.secrets.insert(make.secret(folder, nowMicros), make.note()))
  else if (change === 4 && draft) {
    const keys = { kid: draft.kid, head: make.ciphertext(), wrap: make.ciphertext() }
    await okOf(store.drafts.share({ ...draft, expectedHead: draft.head }, make.link(nowMicros), keys))
  } else if (change === 5 && draft) await okOf(store.drafts.erase(accountId, draft.id))
  else if (change === 6 && secret) {
    await okOf(store.links.update(secret.link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
  } else await okOf(store.secrets.eraseExpired(nowMicros, 3))
}

async function countsEqualLists(
  store: StorageUnderTest,
  accountId: string,
  nowMicros: number,
  when: string,
): Promise<void> {
  const folders = await okOf(store.folders.slice(accountId, nowMicros, undefined, 10))
  const secrets = await readAll(
    (after, limit) => store.secrets.slice(accountId, nowMicros, after, limit),
    ({ id, link }) => ({ id, createdAtMicros: link.createdAtMicros }),
    50,
  )
  const drafts = await readAll(
    (after, limit) => store.drafts.slice(accountId, after, limit),
    (draft) => draft,
    50,
  )
  for (const { id, draftsCount, secretsCount } of folders) {
    const listed = {
      draftsCount: drafts.filter(({ folderId }) => folderId === id).length,
      secretsCount: secrets.filter(({ folderId }) => folderId === id).length,
    }
    same({ draftsCount, secretsCount }, listed, `counts (first) and lists (second) ${when}`)
  }
}
