import { casesOf } from '../../contract.ts'
import {
  compareRows,
  copyRows,
  type Ciphertext,
  type MovedRow,
  type MoveSource,
  type MoveTarget,
  type OpenStorage,
  type StorageDriver,
} from '@sotto/core'
import { ok } from 'neverthrow'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same } from '../compare.ts'
import { isOfType } from './moved-values.ts'
import { fill, laterMicros, rowsOf, type SampleData } from './sample-data.ts'
import { addSignIn, signInOf, type SignInData } from './sign-in-data.ts'
import { moveCase, openOptions, withStorage, type MovePlaces, type StorageDriverCase } from './harness.ts'

/** Cases of moves. */
export const moveCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/move-takes-every-row-along': moveCase({
    rule: 'A copy that is finished opens with the same instance id and every row of the source, but without sessions and counters of the quota.',
    async check(places) {
      const { data, signIn, instanceId } = await filled(places)
      const target = places.newDriver()
      await move(places.driver, target)
      await withStorage(target, async (storage) => {
        same(storage.instanceId, instanceId)
        same(await rowsOf(storage, data), { ...data, sessions: [] })
        same(await signInOf(storage, signIn), {
          sessions: 0,
          invitation: true,
          change: true,
          attempts: 1,
          address: true,
        })
        same(expectOk(await storage.quota.peek('bucket', noonMicros)).minute.count, 0, 'calls counted')
        same(await queueOf(storage), { events: 1, waiting: 1, dead: 0 })
        same(expectOk(await storage.upkeep.lastSweep()), laterMicros)
      })
    },
  }),
  'storage-driver/move-pages-every-kind': moveCase({
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
          const single: MovedRow[] = []
          for (const _ of [...all, 'the end']) {
            single.push(...expectOk(await source.page(table, single.at(-1), 1)))
          }
          same(single, all, `${table.name}, one by one`)
        }
      })
    },
  }),
  'storage-driver/move-values-have-types': moveCase({
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
  'storage-driver/move-can-be-interrupted': moveCase({
    rule: 'A copy that is closed before it is finished is continued by the next move; until then open answers database_incomplete.',
    async check(places) {
      const { data } = await filled(places)
      const target = places.newDriver()
      let tables = 1
      for (let until = 0; until < tables; until += 1) {
        await withBoth(places.driver, target, async (source, copy) => {
          tables = source.tables.length
          for (const table of source.tables.slice(0, until)) {
            expectOk(await copy.add(table, expectOk(await source.page(table, undefined, 100))))
          }
        })
        expectErr(await target.open(openOptions), 'database_incomplete')
        same(expectOk(await target.hasData()), true, 'whether there is data')
      }
      await move(places.driver, target)
      same(await withStorage(target, (storage) => rowsOf(storage, data)), { ...data, sessions: [] })
    },
  }),
  'storage-driver/move-leaves-the-source-for-good': moveCase({
    rule: 'After leave the source answers database_moved with the new location, to open and to moves to elsewhere; a move to the same place sees that it isLeft.',
    async check({ driver, newDriver, ...places }) {
      await filled({ driver, newDriver, ...places })
      await withSource(driver, 'there', async (source) => {
        same(source.isLeft, false, 'whether it is left at first')
        expectOk(await source.leave())
      })
      same(expectErr(await driver.open(openOptions), 'database_moved').to, 'there')
      same(expectErr(await driver.openMoveSource({ to: 'elsewhere' }), 'database_moved').to, 'there')
      await withSource(driver, 'there', async (source) => {
        same(source.isLeft, true, 'whether it is left')
        expectOk(await source.leave())
      })
    },
  }),
  'storage-driver/move-that-is-given-up-changes-nothing': moveCase({
    rule: 'A source that is closed without leave opens again with everything in it.',
    async check(places) {
      const { data } = await filled(places)
      await withBoth(places.driver, places.newDriver(), async (source, target) => {
        expectOk(await copyRows(source, target))
      })
      same(await withStorage(places.driver, (storage) => rowsOf(storage, data)), data)
    },
  }),
  'storage-driver/move-overwrites-nothing': moveCase({
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
  'storage-driver/move-refuses-a-used-place': moveCase({
    rule: 'openMoveTarget answers move_target_used where there is other data, an unfinished copy of another installation included, and changes none of it. isCopy is true for a finished copy only.',
    async check({ driver, newDriver, make }) {
      await filled({ driver, newDriver, make })
      const [empty, other, target, foreign] = [newDriver(), newDriver(), newDriver(), newDriver()]
      const instanceId = await withStorage(empty, idOf)
      await withStorage(other, idOf)
      await move(driver, target)
      await withSource(other, foreign.location, async ({ instanceId: id }) => {
        const begun = await foreign.openMoveTarget({ instanceId: id, sweptAtMicros: undefined, create: true })
        await expectOk(begun).close()
      })
      await withSource(driver, target.location, async (source) => {
        for (const [place, isCopy] of [
          [empty, false],
          [other, false],
          [foreign, false],
          [target, true],
        ] as const) {
          const refused = await place.openMoveTarget({ ...source, create: true })
          same(expectErr(refused, 'move_target_used').isCopy, isCopy)
        }
      })
      same(await withStorage(empty, idOf), instanceId)
    },
  }),
  'storage-driver/move-begins-no-copy-unasked': moveCase({
    rule: 'openMoveTarget with create false answers database_missing where there is nothing, and continues an unfinished copy.',
    async check({ driver, newDriver, make }) {
      await filled({ driver, newDriver, make })
      const target = newDriver()
      expectOk(await target.prepare())
      await withSource(driver, target.location, async (source) => {
        expectErr(await target.openMoveTarget({ ...source, create: false }), 'database_missing')
        same(expectOk(await target.hasData()), false, 'whether there is data')
        await expectOk(await target.openMoveTarget({ ...source, create: true })).close()
        await expectOk(await target.openMoveTarget({ ...source, create: false })).close()
      })
    },
  }),
  'storage-driver/move-notices-who-uses-a-place': moveCase({
    rule: 'openMoveSource and openMoveTarget answer database_in_use while a storage is open there; a source that is missing is database_missing.',
    async check({ driver, newDriver, make }) {
      expectErr(await driver.openMoveSource({ to: 'there' }), 'database_missing')
      const { instanceId } = await filled({ driver, newDriver, make })
      const about = { instanceId, sweptAtMicros: undefined, create: true }
      await withStorage(driver, async (storage) => {
        expectErr(await driver.openMoveSource({ to: 'there' }), 'database_in_use')
        expectErr(await driver.openMoveTarget(about), 'database_in_use')
        expectOk(await storage.upkeep.canWrite())
      })
    },
  }),
})

function idOf({ instanceId }: OpenStorage): Promise<Uint8Array> {
  return Promise.resolve(Uint8Array.from(instanceId))
}

/** Runs a whole move. */
async function move(from: StorageDriver, to: StorageDriver): Promise<void> {
  await withBoth(from, to, async (source, target) => {
    expectOk(await copyRows(source, target))
    expectOk(await compareRows(source, target))
    expectOk(await source.leave())
    expectOk(await target.finish())
  })
}

async function withBoth(
  from: StorageDriver,
  to: StorageDriver,
  work: (source: MoveSource, target: MoveTarget) => Promise<void>,
): Promise<void> {
  expectOk(await to.prepare(), 'preparing the target')
  await withSource(from, to.location, async (source) => {
    const target = expectOk(await to.openMoveTarget({ ...source, create: true }), 'opening the target')
    try {
      await work(source, target)
    } finally {
      await target.close()
    }
  })
}

async function withSource(
  from: StorageDriver,
  to: string,
  work: (source: MoveSource) => Promise<void>,
): Promise<void> {
  const source = expectOk(await from.openMoveSource({ to }), 'opening the source')
  try {
    await work(source)
  } finally {
    await source.close()
  }
}

interface Filled {
  readonly data: SampleData
  readonly signIn: SignInData
  readonly instanceId: Uint8Array
}

/** Adds rows of every kind, a destroyed note, a long one, an open with a form, a session and a counted call. */
function filled({ driver, make }: Pick<MovePlaces, 'driver' | 'make' | 'newDriver'>): Promise<Filled> {
  return withStorage(driver, async (storage) => {
    const data = await fill(storage, make)
    const signIn = await addSignIn(storage, make, data.account.id)
    await addSpecialSecrets(storage, make, data)
    expectOk(await storage.quota.take('bucket', noonMicros, { perMinute: 5, perDay: 5 }))
    expectOk(await storage.upkeep.recordSweep(laterMicros))
    return { data, signIn, instanceId: Uint8Array.from(storage.instanceId) }
  })
}

async function addSpecialSecrets(
  { secrets, links, idempotencyKeys }: OpenStorage,
  make: Samples,
  { folder }: SampleData,
): Promise<void> {
  const spent = make.secret(folder, noonMicros + 2, { openLimit: 1 })
  expectOk(await secrets.insert(spent, make.note()))
  const open = { opens: 1, openedAtMicros: noonMicros + 3, destroyNote: true, rememberForm: true }
  expectOk(await links.update(spent.link.lookup, 'ab'.repeat(16), () => ok(open)))
  const long = { ...make.note(), note: new Uint8Array(5_000).fill(7) as Ciphertext }
  expectOk(await secrets.insert(make.secret(folder, noonMicros + 3), long))
  const claimed = make.secret(folder, noonMicros + 4)
  const digests = [{ key: make.tokenDigest(), request: make.tokenDigest() }]
  expectOk(await idempotencyKeys.insertSecret(claimed, make.note(), { digests, forgottenByMicros: 0 }))
}

async function queueOf({ deliveries }: OpenStorage) {
  const { events, waiting, dead } = expectOk(await deliveries.state())
  return { events, waiting, dead }
}

function changedValue(value: unknown) {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  return value instanceof Uint8Array ? value.map((byte) => byte ^ 1) : null
}
