import assert from 'node:assert/strict'
import type { StoredAccount } from '@sotto/core'
import { casesOf, caseOf, withUnit } from '../../contract/contract.ts'
import { expectErr, expectOk } from '../../contract/expect.ts'
import { createSamples } from '../../shared/samples.ts'
import { same } from '../../contract/compare.ts'
import { kids } from '../../stores/harness.ts'
import {
  openOptions,
  withStorage,
  type StorageDriverCase,
  type StorageDriverHarness,
  type StorageDriverUnderTest,
} from './harness.ts'
import { keepAll, laterMicros } from './sample-data.ts'

/** Cases of what a place can leave out: its answers, its data, and backups. */
export const reachCases: readonly StorageDriverCase[] = casesOf<StorageDriverHarness>({
  'storage-driver/unreachable-is-not-empty': caseOf({
    rule: 'hasData, prepare and open answer database_unreachable with the location, never that there is no data, at a place that gives no answer; examine finds it wrong.',
    needs: ['unreachable'],
    async check({ newUnreachableDriver }: StorageDriverUnderTest) {
      assert.ok(
        newUnreachableDriver,
        'the harness supports unreachable, but its unit lacks the method for it',
      )
      const driver = newUnreachableDriver()
      same(expectErr(await driver.hasData(), 'database_unreachable').location, driver.location)
      expectErr(await driver.prepare(), 'database_unreachable')
      expectErr(await driver.open(openOptions), 'database_unreachable')
      expectErr(await driver.open({ ...openOptions, create: false }), 'database_unreachable')
      const wrong = (await driver.examine()).filter(({ ok }) => ok === false)
      assert.ok(wrong.length > 0, 'examine finds nothing wrong')
    },
  }),
  'storage-driver/no-write-to-data-that-was-moved-away': caseOf({
    rule: 'While the data is not at its place, writes and canWrite answer storage_unavailable; nothing has changed when it is back, and they succeed.',
    needs: ['displace'],
    async check(unit: StorageDriverUnderTest) {
      assert.ok(unit.displace, 'the harness supports displace, but its unit lacks the method for it')
      const displace = unit.displace.bind(unit)
      await withStorage(unit.driver, async ({ accounts, upkeep }) => {
        const make = createSamples(kids.writable)
        const insert = (account: StoredAccount) => accounts.insert(account, [make.nameIndex()])
        const idsOfAll = async () => expectOk(await accounts.page(undefined, 10)).map(({ id }) => id)
        const [one, other] = [make.account(), make.account()]
        expectOk(await insert(one))
        const putBack = displace()
        try {
          expectErr(await insert(other), 'storage_unavailable')
          expectErr(await upkeep.canWrite(), 'storage_unavailable')
        } finally {
          putBack()
        }
        same(await idsOfAll(), [one.id], 'the accounts when it is back')
        expectOk(await upkeep.canWrite())
        expectOk(await insert(other))
        same((await idsOfAll()).length, 2, 'how many accounts there are in the end')
      })
    },
  }),
  'storage-driver/backup-or-refusal': {
    rule: 'backUp and restore answer backup_unsupported and restore_unsupported, naming another way, exactly if the harness does not support backup.',
    run: (harness) =>
      withUnit(harness, async ({ driver }) => {
        await withStorage(driver, () => Promise.resolve())
        const file = 'no-such-directory/backup'
        const refusals = [
          expectErr(await driver.restore({ ...keepAll, file })),
          ...(harness.supports.includes('backup')
            ? []
            : [expectErr(await driver.backUp({ file, nowMicros: laterMicros }))]),
        ].filter((error) => error.code === 'backup_unsupported' || error.code === 'restore_unsupported')
        same(
          refusals.map(({ code }) => code),
          harness.supports.includes('backup') ? [] : ['restore_unsupported', 'backup_unsupported'],
        )
        for (const { code, detail } of refusals) assert.notEqual(detail, '', `${code} names no other way`)
        same(expectOk(await driver.hasData()), true, 'whether there is data')
      }),
  },
})
