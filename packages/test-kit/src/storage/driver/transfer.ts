import { casesOf } from '../../contract/contract.ts'
import { compareRows, copyRows, type TransferredRow } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { expectErr, expectOk } from '../../contract/expect.ts'
import { noonMicros } from '../../shared/samples.ts'
import { same } from '../../contract/compare.ts'
import { filled, move, withBoth, withSource } from './transferring.ts'
import { isOfType } from './transferred-values.ts'
import { laterMicros } from './sample-data.ts'
import { transferCase, openOptions, withStorage, type StorageDriverCase } from './harness.ts'

/** Cases of moves. */
export const transferCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/move-takes-every-row-along': transferCase({
    rule: 'A copy that is finished opens with the same instance id and every row of the source, but without sessions and counters of the quota.',
    async check(places) {
      const { data, instanceId } = await filled(places)
      const target = places.newDriver()
      await move(places.driver, target)
      await withStorage(target, async (storage) => {
        same(storage.instanceId, instanceId)
        same(await data.seenIn(storage), { ...data.rows, sessions: [], session: undefined })
        same(expectOk(await storage.quota.peek('bucket', noonMicros)).minute.count, 0, 'calls counted')
        same(await queueOf(storage), { events: 1, waiting: 2, dead: 0 })
        same(expectOk(await storage.upkeep.lastSweep()), laterMicros)
      })
    },
  }),
  'storage-driver/move-pages-every-kind': transferCase({
    rule: 'A source has rows of every kind, in pages that follow each other in the order of the keys, and a copy has the same.',
    async check(places) {
      await filled(places)
      await withBoth(places.driver, places.newDriver(), async (source, target) => {
        expectOk(await copyRows(source, target))
        const counts = expectOk(await compareRows(source, target))
        const missing = Object.entries(counts).filter(([, rows]) => rows === 0)
        same(missing, [], 'kinds without a row')
        for (const table of source.tables) {
          const all = expectOk(await source.page(table, undefined, 100))
          const single: TransferredRow[] = []
          for (const _ of [...all, 'the end']) {
            single.push(...expectOk(await source.page(table, single.at(-1), 1)))
          }
          same(single, all, `${table.name}, one by one`)
        }
      })
    },
  }),
  'storage-driver/move-values-have-types': transferCase({
    rule: 'Every value of a row is null or of the type of its column; ids are in lower case with hyphens.',
    async check(places) {
      await filled(places)
      await withSource(places.driver, 'there', async (source) => {
        for (const table of source.tables) {
          const rows = expectOk(await source.page(table, undefined, 100))
          for (const [at, { name, type }] of table.columns.entries()) {
            const others = rows.map((row) => row[at] ?? null).filter((value) => !isOfType(type, value))
            same(others, [], `${table.name}.${name}: values that are no ${type}`)
          }
        }
      })
    },
  }),
  'storage-driver/move-can-be-interrupted': transferCase({
    rule: 'A copy that is closed before it is finished is continued by the next move; until then open answers database_incomplete.',
    async check(places) {
      const { data } = await filled(places)
      const target = places.newDriver()
      for (const part of [0, 0.01, 0.5, 0.99]) {
        await withBoth(places.driver, target, async (source, copy) => {
          for (const table of source.tables.slice(0, Math.ceil(part * source.tables.length))) {
            expectOk(await copy.add(table, expectOk(await source.page(table, undefined, 100))))
          }
        })
        expectErr(await target.open(openOptions), 'database_incomplete')
        same(expectOk(await target.hasData()), true, 'whether there is data')
      }
      await move(places.driver, target)
      same(await withStorage(target, data.seenIn), { ...data.rows, sessions: [], session: undefined })
    },
  }),
  'storage-driver/move-that-is-given-up-changes-nothing': transferCase({
    rule: 'A source that is closed without leave opens again with everything in it.',
    async check(places) {
      const { data } = await filled(places)
      await withBoth(places.driver, places.newDriver(), async (source, target) => {
        expectOk(await copyRows(source, target))
      })
      same(await withStorage(places.driver, data.seenIn), data.rows)
    },
  }),
  'storage-driver/move-overwrites-nothing': transferCase({
    rule: 'add leaves a row as it is whose key is there, and adds the others.',
    async check(places) {
      await filled(places)
      await withBoth(places.driver, places.newDriver(), async (source, target) => {
        for (const table of source.tables) {
          const rows = expectOk(await source.page(table, undefined, 100))
          expectOk(await target.add(table, rows.slice(0, 1)))
          const [first] = rows
          const last = table.columns.length - 1
          if (first === undefined || last < table.keyColumns) continue
          const changed = first.with(last, changedValue(first[last]))
          expectOk(await target.add(table, [changed, ...rows.slice(1)]))
        }
        expectOk(await compareRows(source, target))
      })
    },
  }),
})

async function queueOf({ deliveries }: FullOpenStorage) {
  const { events, waiting, dead } = expectOk(await deliveries.state())
  return { events, waiting, dead }
}

function changedValue(value: unknown) {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  return value instanceof Uint8Array ? value.map((byte) => byte ^ 1) : null
}
