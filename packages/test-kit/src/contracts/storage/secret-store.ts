import { casesOf, contractOf } from '../../contract.ts'
import { expectOk } from '../../expect.ts'
import { noonMicros } from '../../samples.ts'
import { same } from '../compare.ts'
import { reopenCase, type StorageCase } from './harness.ts'
import { neededStoresCase } from './needed-stores.ts'
import { addFolder, addLink, addSecrets, longAgoMicros, noteBehind, reportsNothing } from './rows.ts'
import { secretActivityCases } from './secret-activity.ts'
import { secretOverviewCases } from './secret-overviews.ts'
import { secretErasureCases } from './secret-erasure.ts'
import { secretInsertCases } from './secret-insert.ts'
import { secretPageCases } from './secret-pages.ts'

/** Cases of what is found after reopening. */
const secretReopenCases: readonly StorageCase[] = casesOf({
  'secret-store/writes-are-durable': reopenCase({
    rule: 'Secrets that were inserted are found after reopening, and those that were erased are not.',
    async before(store, make) {
      const folder = await addFolder(store, make)
      const [stored, erased] = [make.secret(folder), make.secret(folder, 0)]
      await addSecrets(store, make, [stored, erased])
      expectOk(await store.secrets.eraseExpired(noonMicros, 10, reportsNothing))
      return { stored, erased }
    },
    async after({ secrets }, { stored, erased }) {
      same(expectOk(await secrets.find(stored.accountId, stored.id, longAgoMicros)), stored)
      same(expectOk(await secrets.find(erased.accountId, erased.id, longAgoMicros)), undefined)
    },
  }),
  'secret-store/notes-are-durable': reopenCase({
    rule: 'The note of a secret that was inserted is found by its link after reopening.',
    needs: ['together'],
    before: addLink,
    async after(store, { secret, note }) {
      same(await noteBehind(store, secret.link.lookup), note)
    },
  }),
})

/** The contract of the secret store. */
export const secretStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('secret-store', 'secrets', ['accounts', 'keys', 'folders', 'drafts', 'links', 'outbox']),
  ...secretInsertCases,
  ...secretPageCases,
  ...secretErasureCases,
  ...secretActivityCases,
  ...secretOverviewCases,
  ...secretReopenCases,
])
