import type { FullOpenStorage } from '@sotto/identity'
import { casesOf } from '../../contract/contract.ts'
import { expectErr, expectOk } from '../../contract/expect.ts'
import { same } from '../../contract/compare.ts'
import { transferCase, openOptions, withStorage, type StorageDriverCase } from './harness.ts'
import { filled, move, withSource } from './transferring.ts'

/** Cases of what moves refuse. */
export const transferRefusalCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/move-leaves-the-source-for-good': transferCase({
    rule: 'After leave the source answers database_moved with the new location, to open and to moves to elsewhere; a move to the same place sees that it isLeft.',
    async check({ driver, newDriver, ...places }) {
      await filled({ driver, newDriver, ...places })
      await withSource(driver, 'there', async (source) => {
        same(source.isLeft, false, 'whether it is left at first')
        expectOk(await source.leave())
      })
      same(expectErr(await driver.open(openOptions), 'database_moved').to, 'there')
      same(expectErr(await driver.openTransferSource({ to: 'elsewhere' }), 'database_moved').to, 'there')
      await withSource(driver, 'there', async (source) => {
        same(source.isLeft, true, 'whether it is left')
        expectOk(await source.leave())
      })
    },
  }),
  'storage-driver/move-refuses-a-used-place': transferCase({
    rule: 'openTransferTarget answers move_target_used where there is other data, an unfinished copy of another installation included, and changes none of it. isCopy is true for a finished copy only.',
    async check({ driver, newDriver, make }) {
      await filled({ driver, newDriver, make })
      const [empty, other, target, foreign] = [newDriver(), newDriver(), newDriver(), newDriver()]
      const instanceId = await withStorage(empty, idOf)
      await withStorage(other, idOf)
      await move(driver, target)
      await withSource(other, foreign.location, async ({ instanceId: id }) => {
        const begun = await foreign.openTransferTarget({
          instanceId: id,
          sweptAtMicros: undefined,
          create: true,
        })
        await expectOk(begun).close()
      })
      await withSource(driver, target.location, async (source) => {
        for (const [place, isCopy] of [
          [empty, false],
          [other, false],
          [foreign, false],
          [target, true],
        ] as const) {
          const refused = await place.openTransferTarget({ ...source, create: true })
          same(expectErr(refused, 'move_target_used').isCopy, isCopy)
        }
      })
      same(await withStorage(empty, idOf), instanceId)
    },
  }),
  'storage-driver/move-begins-no-copy-unasked': transferCase({
    rule: 'openTransferTarget with create false answers database_missing where there is nothing, and continues an unfinished copy.',
    async check({ driver, newDriver, make }) {
      await filled({ driver, newDriver, make })
      const target = newDriver()
      expectOk(await target.prepare())
      await withSource(driver, target.location, async (source) => {
        expectErr(await target.openTransferTarget({ ...source, create: false }), 'database_missing')
        same(expectOk(await target.hasData()), false, 'whether there is data')
        await expectOk(await target.openTransferTarget({ ...source, create: true })).close()
        await expectOk(await target.openTransferTarget({ ...source, create: false })).close()
      })
    },
  }),
  'storage-driver/move-notices-who-uses-a-place': transferCase({
    rule: 'openTransferSource and openTransferTarget answer database_in_use while a storage is open there; a source that is missing is database_missing.',
    async check({ driver, newDriver, make }) {
      expectErr(await driver.openTransferSource({ to: 'there' }), 'database_missing')
      const { instanceId } = await filled({ driver, newDriver, make })
      const about = { instanceId, sweptAtMicros: undefined, create: true }
      await withStorage(driver, async (storage) => {
        expectErr(await driver.openTransferSource({ to: 'there' }), 'database_in_use')
        expectErr(await driver.openTransferTarget(about), 'database_in_use')
        expectOk(await storage.upkeep.canWrite())
      })
    },
  }),
})

function idOf({ instanceId }: FullOpenStorage): Promise<Uint8Array> {
  return Promise.resolve(Uint8Array.from(instanceId))
}
