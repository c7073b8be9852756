import type { FullOpenStorage } from '@sotto/identity'
import assert from 'node:assert/strict'
import { casesOf, caseOfTwo, contractOf } from '../../contract/contract.ts'
import { expectErr, expectOk } from '../../contract/expect.ts'
import { noonMicros } from '../../shared/samples.ts'
import { same, spelled } from '../../contract/compare.ts'
import { addFolder, addLink, noteBehind, secretOf } from '../../stores/rows.ts'
import { backupCases } from './backup.ts'
import { backupFileCases } from './backup-files.ts'
import {
  driverCase,
  openOptions,
  withStorage,
  type StorageDriverCase,
  type StorageDriverUnderTest,
} from './harness.ts'
import { meterCases } from './meter.ts'
import { transferCases } from './transfer.ts'
import { transferFileCases } from './transfer-files.ts'
import { transferRefusalCases } from './transfer-refusals.ts'
import { reachCases } from './reach.ts'
import { restoreCases } from './restore.ts'
import { restoreRefusalCases } from './restore-refusals.ts'

/** Cases of a place, and of opening it. */
const openCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/has-a-location': driverCase({
    rule: 'location names the place on one line.',
    check: (driver) => {
      assert.match(driver.location, /^\S(?:.*\S)?$/)
      return Promise.resolve()
    },
  }),
  'storage-driver/looking-makes-nothing': driverCase({
    rule: 'hasData is false where there is nothing; hasData, examine and prepare make no data.',
    async check(driver) {
      const steps: Readonly<Record<string, () => unknown>> = {
        hasData: () => driver.hasData(),
        examine: () => driver.examine(),
        prepare: async () => expectOk(await driver.prepare()),
        'prepare again': async () => expectOk(await driver.prepare()),
      }
      for (const [step, run] of Object.entries(steps)) {
        await run()
        same(expectOk(await driver.hasData()), false, `after ${step}`)
      }
    },
  }),
  'storage-driver/open-creates-the-data': driverCase({
    rule: 'open creates the data where there is none: no rows and no keys; hasData is true from then on.',
    async check(driver) {
      expectOk(await driver.prepare())
      const storage = expectOk(await driver.open(openOptions))
      try {
        same(expectOk(await driver.hasData()), true, 'while it is open')
        same(expectOk(await storage.accounts.page(undefined, 10)), [])
        same(expectOk(await storage.keys.list()), [])
      } finally {
        await storage.close()
      }
      same(expectOk(await driver.hasData()), true, 'after it was closed')
    },
  }),
  'storage-driver/open-for-an-examination': driverCase({
    rule: 'open with create false makes no data where there is none, but answers database_missing; it opens data that is there.',
    async check(driver, make) {
      const examination = { ...openOptions, create: false }
      expectErr(await driver.open(examination), 'database_missing')
      expectOk(await driver.prepare())
      expectErr(await driver.open(examination), 'database_missing')
      same(expectOk(await driver.hasData()), false, 'whether there is data')
      const folder = await withStorage(driver, (storage) => addFolder(storage, make))
      const storage = expectOk(await driver.open(examination))
      try {
        same(expectOk(await storage.folders.owns(folder.accountId, folder.id)), true)
      } finally {
        await storage.close()
      }
    },
  }),
  'storage-driver/data-stays': driverCase({
    rule: 'What was written is found when the place is opened again, and the instance id is the same.',
    async check(driver, make) {
      const written = await withStorage(driver, async (storage) => {
        const { secret, note } = await addLink(storage, make)
        return { secret, note, instanceId: Uint8Array.from(storage.instanceId) }
      })
      await withStorage(driver, async (storage) => {
        same(storage.instanceId, written.instanceId)
        same(await secretOf(storage, written.secret.accountId, written.secret.id), written.secret)
        same(await noteBehind(storage, written.secret.link.lookup), written.note)
      })
    },
  }),
  'storage-driver/close-ends-everything': driverCase({
    rule: 'Once closed, the stores, the quota and the upkeep of a storage answer a storage error.',
    async check(driver, make) {
      const storage = await withStorage(driver, (open) => Promise.resolve(open))
      const codes = ['storage_unavailable', 'storage_failed'] as const
      expectErr(await storage.accounts.insert(make.account(), [make.nameIndex()]), ...codes)
      expectErr(await storage.quota.peek('bucket', noonMicros), ...codes)
      expectErr(await storage.upkeep.canWrite(), ...codes)
    },
  }),
  'storage-driver/examine-finds-nothing-wrong': driverCase({
    rule: 'examine of a place that the driver made gives findings, none of which is a problem, and changes nothing.',
    async check(driver, make) {
      const folder = await withStorage(driver, (storage) => addFolder(storage, make))
      const findings = await driver.examine()
      assert.ok(findings.length > 0, 'there is no finding')
      for (const { check, ok, text } of findings) assert.notEqual(ok, false, `${check}: ${text}`)
      await withStorage(driver, async ({ folders }) => {
        same(expectOk(await folders.owns(folder.accountId, folder.id)), true)
      })
    },
  }),
  'storage-driver/places-are-apart': caseOfTwo({
    rule: 'The data of one place is not that of another, and instance ids differ.',
    async check({ driver: one }: StorageDriverUnderTest, { driver: other }: StorageDriverUnderTest) {
      const idOf = ({ instanceId }: FullOpenStorage) => Promise.resolve(spelled(instanceId))
      const first = await withStorage(one, idOf)
      same(expectOk(await other.hasData()), false, 'whether the other place has data')
      const second = await withStorage(other, idOf)
      assert.notEqual(first, second, 'two places have the same instance id')
    },
  }),
})

/** The contract of a storage driver. */
export const storageDriverContract: readonly StorageDriverCase[] = contractOf([
  ...openCases,
  ...reachCases,
  ...meterCases,
  ...backupCases,
  ...restoreCases,
  ...restoreRefusalCases,
  ...backupFileCases,
  ...transferCases,
  ...transferFileCases,
  ...transferRefusalCases,
])
