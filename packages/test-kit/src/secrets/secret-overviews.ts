import { casesOf } from '../contract/contract.ts'
import {
  noAttempts,
  secretStatus,
  wrongToDisable,
  type Cursor,
  type LinkChange,
  type SecretActivity,
  type SecretStatus,
  type StoredFolder,
  type StoredShareableSecret,
} from '@sotto/core'
import { ok } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { readAll } from '../stores/paging.ts'
import { addFolder, addSecrets } from '../stores/rows.ts'
import { freshActivity } from './secret-activity.ts'

const statuses: readonly SecretStatus[] = ['waiting', 'opened', 'finished']

/** Cases of `overviews` and `counts`. */
export const secretOverviewCases: readonly StorageCase[] = casesOf({
  'secret-store/overviews-show-secret-and-activity': storageCase({
    rule: 'overviews gives the secrets that page gives, in its order, each with its activity.',
    needs: ['together'],
    async check(store, make) {
      const folder = await addFolder(store, make)
      const added = await addStates(store, make, folder)
      await addSecrets(store, make, [make.draft(folder), make.secret(folder, 0)])
      const filter = { accountId: folder.accountId, nowMicros: noonMicros }
      const secrets = expectOk(await store.secrets.page(filter, undefined, 100))
      same(secrets.length, added.length)
      const overviews = expectOk(await store.secrets.overviews(filter, undefined, 100))
      same(
        overviews,
        secrets.map((secret) => ({ secret, activity: activityIn(added, secret) })),
      )
      const paged = await readAll(
        (after: Cursor | undefined, limit) => store.secrets.overviews(filter, after, limit),
        ({ secret: { id, link } }) => ({ id, createdAtMicros: link.createdAtMicros }),
        7,
      )
      same(paged, overviews, 'read in pages of 7')
    },
  }),
  'secret-store/status-is-that-of-the-rule': storageCase({
    rule: 'page and overviews select, and counts counts, the secrets by the status that `secretStatus` gives, in every state.',
    needs: ['together'],
    async check(store, make) {
      const folder = await addFolder(store, make)
      const added = await addStates(store, make, folder)
      const filter = { accountId: folder.accountId, nowMicros: noonMicros }
      for (const status of statuses) {
        const expected = added.filter(({ secret, activity }) => secretStatus(secret, activity) === status)
        const found = expectOk(await store.secrets.overviews({ ...filter, status }, undefined, 100))
        const ids = (of: typeof found) => of.map(({ secret: { id } }) => ({ id })).toSorted(byId)
        same(ids(found), ids(expected), status)
        const page = expectOk(await store.secrets.page({ ...filter, status }, undefined, 100))
        same(page.map(({ id }) => ({ id })).toSorted(byId), ids(expected), `${status}, without activity`)
        same(expected.length > 0, true, 'whether there is such a state')
        same(expectOk(await store.secrets.counts(filter))[status], expected.length, `how many are ${status}`)
      }
    },
  }),
  'secret-store/overviews-and-counts-are-of-one-owner': storageCase({
    rule: 'overviews and counts know neither expired secrets nor those of other accounts, and with a folder only what is in it; counts counts drafts, too.',
    async check(store, make) {
      const [folder, elsewhere] = [await addFolder(store, make), await addFolder(store, make)]
      const second = await addFolder(store, make, folder.accountId)
      const [first, other] = [make.secret(folder), make.secret(second)]
      const drafts = [make.draft(folder), make.draft(folder), make.draft(second)]
      await addSecrets(store, make, [first, other, ...drafts, make.secret(folder, 0), make.secret(elsewhere)])
      const filter = { accountId: folder.accountId, nowMicros: noonMicros }
      for (const [folderId, found, draftsCount] of [
        [undefined, [other, first], 3],
        [folder.id, [first], 2],
        [elsewhere.id, [], 0],
        [make.uuid(), [], 0],
      ] as const) {
        for (const status of [undefined, 'waiting'] as const) {
          const overviews = expectOk(
            await store.secrets.overviews({ ...filter, folderId, status }, undefined, 10),
          )
          sameIds(
            overviews.map(({ secret }) => secret),
            found.map(({ id }) => id),
          )
        }
        const counts = { waiting: found.length, opened: 0, finished: 0, drafts: draftsCount, news: 0 }
        same(expectOk(await store.secrets.counts({ ...filter, folderId })), counts)
      }
    },
  }),
})

interface Added {
  readonly secret: StoredShareableSecret
  readonly activity: SecretActivity
}

/** Adds a secret for each state that a link can be in, and for some that it should not get into. */
async function addStates(
  store: StorageUnderTest,
  make: Samples,
  folder: StoredFolder,
): Promise<readonly Added[]> {
  const added: Added[] = []
  for (const openLimit of [undefined, 1, 3]) {
    for (const opens of [0, 1, 2, 3]) {
      for (const wrongTotal of [0, 5, wrongToDisable - 1, wrongToDisable]) {
        for (const destroyNote of [false, true]) {
          const secret = make.secret(folder, noonMicros, { openLimit })
          await addSecrets(store, make, [secret])
          const lockedUntilMicros = wrongTotal === 5 ? noonMicros + 60_000_000 : undefined
          const attempts = { ...noAttempts, wrongTotal, lockedUntilMicros }
          const opened = opens === 0 ? {} : { openedAtMicros: noonMicros + opens }
          const change: LinkChange = { opens, attempts, destroyNote, ...opened }
          expectOk(await store.links.update(secret.link.lookup, undefined, () => ok(change)))
          const openedAtMicros = opens === 0 ? [] : [noonMicros + opens]
          added.push({
            secret,
            activity: { opens, attempts, hasNote: !destroyNote, openedAtMicros, news: 0 },
          })
        }
      }
    }
  }
  return added
}

function activityIn(added: readonly Added[], { id }: StoredShareableSecret): SecretActivity {
  return added.find(({ secret }) => secret.id === id)?.activity ?? freshActivity
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1
}
