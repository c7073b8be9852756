import { casesOf } from '../../contract/contract.ts'
import assert from 'node:assert/strict'
import { expectErr, expectOk } from '../../contract/expect.ts'
import { same } from '../../contract/compare.ts'
import { kids } from '../../stores/harness.ts'
import { backupCase, withStorage, type StorageDriverCase } from './harness.ts'
import { contentBytes, fill, keepAll, laterMicros } from './sample-data.ts'

/** Cases of `backUp`. */
export const backupCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/backup-of-no-data': backupCase({
    rule: 'backUp answers database_missing where there is no data, and makes no backup.',
    async check({ driver, newBackupFile, newDriver }) {
      const file = newBackupFile()
      expectErr(await driver.backUp({ file, nowMicros: laterMicros }), 'database_missing')
      expectErr(await newDriver().restore({ ...keepAll, file }), 'backup_unreadable')
      same(expectOk(await driver.hasData()), false)
    },
  }),
  'storage-driver/backup-reports-its-contents': backupCase({
    rule: 'backUp answers its size, its time, and how much of what it holds at that time.',
    async check({ driver, make, newBackupFile }) {
      await withStorage(driver, (storage) => fill(storage, make))
      const backup = expectOk(await driver.backUp({ file: newBackupFile(), nowMicros: laterMicros }))
      assert.ok(backup.bytes > 0, 'the backup is empty')
      same(backup.backedUpAtMicros, laterMicros)
      const rows = { accounts: 2, folders: 2, drafts: 2, secrets: 2, expiredSecrets: 1, accessTokens: 1 }
      same(backup.contents, { ...rows, files: 1, fileBytes: contentBytes, kids: [kids.writable] })
    },
  }),
  'storage-driver/backup-changes-nothing': backupCase({
    rule: 'backUp changes nothing of the data.',
    async check({ driver, make, newBackupFile }) {
      const { rows, seenIn } = await withStorage(driver, (storage) => fill(storage, make))
      expectOk(await driver.backUp({ file: newBackupFile(), nowMicros: laterMicros }))
      same(await withStorage(driver, seenIn), rows)
    },
  }),
  'storage-driver/backup-replaces-no-file': backupCase({
    rule: 'backUp answers backup_exists where there is a file already, and does not change it.',
    async check({ driver, make, newBackupFile, newDriver }) {
      const file = newBackupFile()
      const { accountId, rows, seenIn } = await withStorage(driver, (storage) => fill(storage, make))
      expectOk(await driver.backUp({ file, nowMicros: laterMicros }))
      await withStorage(driver, async ({ accounts }) =>
        expectOk(await accounts.disable(accountId, laterMicros)),
      )
      expectErr(await driver.backUp({ file, nowMicros: laterMicros }), 'backup_exists')
      const target = newDriver()
      expectOk(await target.restore({ ...keepAll, file }))
      same((await withStorage(target, seenIn)).account, rows.account)
    },
  }),
})
