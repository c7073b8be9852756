import { casesOf, contractOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { durableCase, type StorageCase } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { addFolder, addLink, addSecrets, longAgoMicros, noteBehind, reportsNothing } from '../stores/rows.ts'
import { secretActivityCases } from './secret-activity.ts'
import { secretOverviewCases } from './secret-overviews.ts'
import { secretErasureCases } from './secret-erasure.ts'
import { secretInsertCases } from './secret-insert.ts'
import { secretPageCases } from './secret-pages.ts'

/** Cases of what is found after reopening. */
const secretReopenCases: readonly StorageCase[] = casesOf({
  'secret-store/writes-are-durable': durableCase({
    rule: 'Secrets that were inserted are found after reopening, and those that were erased are not.',
    async act(store, make) {
      const folder = await addFolder(store, make)
      const rows = [make.secret(folder), make.secret(folder, 0)]
      await addSecrets(store, make, rows)
      expectOk(await store.secrets.eraseExpired(noonMicros, 10, reportsNothing))
      return ({ secrets }) => rows.map(({ accountId, id }) => secrets.find(accountId, id, longAgoMicros))
    },
  }),
  'secret-store/notes-are-durable': durableCase({
    rule: 'The note of a secret that was inserted is found by its link after reopening.',
    needs: ['together'],
    async act(store, make) {
      const { secret } = await addLink(store, make)
      return (each) => [noteBehind(each, secret.link.lookup)]
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
