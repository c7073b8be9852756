import { quotaContract, runContract, storageContract, type QuotaUnderTest } from '@sotto/test-kit'
import { after, test } from 'tap'
import { startDatabases, type DatabaseUnderTest } from './support/databases.ts'

const databases = await startDatabases()
after(() => databases.stop())

runContract(test, storageContract, {
  supports: ['together', 'reopen', 'beside'],
  histories: { runs: 6 },
  open: () => databases.open(),
})

runContract(test, quotaContract, {
  supports: ['reopen', 'beside'],
  open: async () => quotaOf(await databases.open()),
})

/** The quota of a storage under test, opened and closed with it. */
function quotaOf(storage: DatabaseUnderTest): QuotaUnderTest {
  return {
    quota: storage.quota,
    dispose: () => storage.dispose(),
    beside: async () => quotaOf(await storage.beside()),
    reopen: async () => quotaOf(await storage.reopen()),
  }
}
