import { existsSync } from 'node:fs'
import { runContract, storageContract } from '@sotto/test-kit'
import { after, test } from 'tap'
import { startDatabases } from './support/databases.ts'
import { debianPrograms } from './support/server.ts'

// The oldest version that is supported; the other contract test has the newest.
if (existsSync(debianPrograms.postgres)) {
  const databases = await startDatabases(debianPrograms)
  after(() => databases.stop())

  runContract(test, storageContract, {
    histories: { runs: 6 },
    supports: ['together', 'reopen', 'beside'],
    open: () => databases.open(),
  })
} else
  test('the contract on PostgreSQL 15', { skip: 'PostgreSQL 15 of Debian is not installed' }, async () => {})
