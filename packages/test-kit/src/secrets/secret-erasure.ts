import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { secretReportCases } from './secret-reports.ts'
import { storageCase, type StorageCase } from '../stores/harness.ts'
import { erasesInTwos } from '../stores/paging.ts'
import {
  addFolder,
  addSecrets,
  noteBehind,
  linkRecordOf,
  recordWithNote,
  secretOf,
  reportsNothing,
} from '../stores/rows.ts'

const hourMicros = 3_600_000_000

const ownCases: readonly StorageCase[] = casesOf({
  'secret-store/erase-takes-the-expired-of-all-accounts': storageCase({
    rule: 'eraseExpired erases the shareable secrets of all accounts that expired at the given time or before, and nothing else.',
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      // Lifetimes differ, so that the order of creation is not that of the expiry.
      const expiring = (folder: typeof mine, expiresAtMicros: number, lifetime: number) =>
        make.secret(folder, 0, { link: make.link(expiresAtMicros - lifetime, lifetime) })
      const expired = [
        expiring(mine, noonMicros, hourMicros),
        expiring(theirs, noonMicros - 1, 800 * hourMicros),
        expiring(mine, 9_000 * hourMicros, 9_000 * hourMicros),
      ]
      const others = [
        expiring(mine, noonMicros + 1, 9_000 * hourMicros),
        expiring(theirs, noonMicros + 1, hourMicros),
      ]
      await addSecrets(store, make, [...others, ...expired])
      same(
        expectOk(await store.secrets.eraseExpired(noonMicros, 10, reportsNothing)),
        3,
        'how many were erased',
      )
      for (const { accountId, id } of expired) {
        same(await secretOf(store, accountId, id), undefined, 'an expired one')
      }
      for (const row of others) {
        same(await secretOf(store, row.accountId, row.id), row, 'one that has not expired')
      }
      same(expectOk(await store.secrets.eraseExpired(noonMicros, 10, reportsNothing)), 0, 'the second time')
    },
  }),
  'secret-store/erase-leaves-drafts': storageCase({
    rule: 'eraseExpired erases no draft, however old it is.',
    needs: ['together'],
    async check(store, make) {
      const folder = await addFolder(store, make)
      const draft = make.draft(folder, { createdAtMicros: 0 })
      await addSecrets(store, make, [draft])
      same(
        expectOk(await store.secrets.eraseExpired(noonMicros, 10, reportsNothing)),
        0,
        'how many were erased',
      )
      same(await secretOf(store, draft.accountId, draft.id), draft)
    },
  }),
  'secret-store/erase-stops-at-the-limit': storageCase({
    rule: 'eraseExpired erases at most the given number of secrets; fewer mean that none remains.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      await addSecrets(
        store,
        make,
        [0, 1, 2, 3, 4].map((at) => make.secret(folder, at)),
      )
      const filter = { accountId: folder.accountId, nowMicros: 0 }
      await erasesInTwos(
        5,
        (limit) => store.secrets.eraseExpired(noonMicros, limit, reportsNothing),
        async () => expectOk(await store.secrets.page(filter, undefined, 10)).length,
      )
    },
  }),
  'secret-store/erase-takes-note-and-link': storageCase({
    rule: 'With an expired secret its note and its link are erased; the notes of other secrets stay.',
    needs: ['together'],
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [expired, live] = [make.secret(folder, 0), make.secret(folder)]
      const note = make.note()
      expectOk(await store.secrets.insert(live, note))
      expectOk(await store.secrets.insert(expired, make.note()))
      expectOk(await store.secrets.eraseExpired(noonMicros, 10, reportsNothing))
      same(await linkRecordOf(store, expired.link.lookup), undefined)
      same(await recordWithNote(store, expired.link.lookup), undefined)
      same(await noteBehind(store, live.link.lookup), note)
    },
  }),
})

/** Cases of `eraseExpired`. */
export const secretErasureCases: readonly StorageCase[] = [...ownCases, ...secretReportCases]
