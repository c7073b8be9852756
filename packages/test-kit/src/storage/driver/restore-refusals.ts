import { err, ok } from 'neverthrow'
import type { BackedUpKeys } from '@sotto/core'
import { casesOf } from '../../contract/contract.ts'
import { expectErr, expectOk } from '../../contract/expect.ts'
import { same } from '../../contract/compare.ts'
import { kids, sampleKey } from '../../stores/harness.ts'
import { backupCase, openOptions, withStorage, type StorageDriverCase } from './harness.ts'
import { backedUp } from './restore.ts'
import { keepAll } from './sample-data.ts'

/** Cases of what `restore` refuses, and of the keys of a backup. */
export const restoreRefusalCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/restore-replaces-no-data': backupCase({
    rule: 'restore answers database_exists where there is data, and changes nothing.',
    async check(places) {
      const { driver, make } = places
      const { file, data } = await backedUp(places)
      const more = await withStorage(driver, async ({ folders }) => {
        const folder = make.folder(data.accountId)
        expectOk(await folders.insert(folder))
        return folder
      })
      expectErr(await driver.restore({ ...keepAll, file }), 'database_exists')
      await withStorage(driver, async ({ folders }) => {
        same(expectOk(await folders.owns(more.accountId, more.id)), true, 'whether a later row is there')
      })
    },
  }),
  'storage-driver/restore-of-no-backup': backupCase({
    rule: 'restore answers backup_unreadable when there is no file, and makes no data.',
    async check({ newDriver, newBackupFile }) {
      const target = newDriver()
      expectErr(await target.restore({ ...keepAll, file: newBackupFile() }), 'backup_unreadable')
      same(expectOk(await target.hasData()), false)
    },
  }),
  'storage-driver/restore-checks-the-keys': backupCase({
    rule: 'restore passes the instance id and the keys of the backup to checkKeys before it writes; an Err is returned and no data made.',
    async check(places) {
      const { file, instanceId } = await backedUp(places)
      const target = places.newDriver()
      let seen: BackedUpKeys | undefined
      const error = { code: 'key_ring_unfit', kid: kids.writable } as const
      let hadData = target.hasData()
      const checkKeys = (keys: BackedUpKeys) => {
        seen = keys
        hadData = target.hasData()
        return err(error)
      }
      same(expectErr(await target.restore({ ...keepAll, file, checkKeys })), error)
      same(expectOk(await hadData), false, 'whether there is data when the keys are checked')
      same(expectOk(await target.hasData()), false)
      same(seen?.instanceId, instanceId)
      const keys = [kids.writable, kids.spare].map((kid) => {
        const { checkValue } = sampleKey(kid)
        return { kid, checkValue, isUsed: kid === kids.writable }
      })
      same(
        seen?.keys.toSorted((one, other) => one.kid - other.kid),
        keys,
      )
    },
  }),
  'storage-driver/restore-forgets-missing-keys': backupCase({
    rule: 'A key that checkKeys does not answer with is not known afterwards.',
    async check(places) {
      const { file } = await backedUp(places)
      const target = places.newDriver()
      expectOk(await target.restore({ ...keepAll, file, checkKeys: () => ok([kids.writable]) }))
      const storage = expectOk(await target.open(openOptions))
      try {
        same(
          expectOk(await storage.keys.list()).map(({ kid }) => kid),
          [kids.writable],
        )
      } finally {
        await storage.close()
      }
    },
  }),
})
