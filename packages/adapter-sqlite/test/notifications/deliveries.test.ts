import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expectOk, noonMicros } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import type { Database } from '../../src/database.ts'
import { open, temporaryDir } from '../support/helpers.ts'
import { deliveriesAbout, openQueue } from '../support/queue.ts'

const afterAll = noonMicros + 10_000_000

/** The rows of a table, read by another connection. */
function rowsOf(dir: string, sql: string): readonly unknown[] {
  const db = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  const rows = db.prepare(sql).raw().all()
  db.close()
  return rows.flat()
}

const headsSql = 'SELECT due_at FROM deliveries WHERE is_head ORDER BY due_at'
const targetsSql = 'SELECT due_at FROM targets ORDER BY due_at'

test('a lease keeps the target until it ends, whatever is added', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, accountId, add, lease } = await openQueue(database)
  await add(make.delivery(make.event(accountId)))
  const [held] = await lease(noonMicros)
  t.same(await lease(noonMicros + 999_999), [])
  await add(make.delivery(make.event(accountId), { dueAtMicros: noonMicros - 5 }))
  t.same(rowsOf(dir, targetsSql), [noonMicros + 1_000_000])
  t.same(await lease(noonMicros + 999_999), [])
  t.equal(expectOk(await database.deliveries.release(held!)), true)
  t.same(rowsOf(dir, targetsSql), [noonMicros - 5])
  t.equal((await lease(noonMicros))[0]?.deliveries.length, 2)
  await database.close()
})

test('a target without deliveries and without a lease has no row', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, accountId, add, lease } = await openQueue(database)
  const [done, dead] = [make.delivery(make.event(accountId)), make.delivery(make.event(accountId))]
  await add(done, dead)
  const [held] = await lease(noonMicros)
  expectOk(await database.deliveries.settle(held!, done.id, { outcome: 'done' }))
  const giveUp = { outcome: 'dead', atMicros: 7, failure: 'timeout' } as const
  expectOk(await database.deliveries.settle(held!, dead.id, giveUp))
  t.same(rowsOf(dir, targetsSql), [null], 'leased, and nothing more to send')
  expectOk(await database.deliveries.release(held!))
  t.same(rowsOf(dir, targetsSql), [null], 'the dead one needs it')
  t.equal(expectOk(await database.deliveries.eraseDead(7, 10)), 1)
  t.same(rowsOf(dir, targetsSql), [])
  t.equal(expectOk(await database.deliveries.release(held!)), true, 'nobody else has leased it')
  await database.close()
})

test('of what is to one target about one secret one is due, the first that is not dead', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, accountId, add, lease } = await openQueue(database)
  const chain = { accountId, secretId: make.uuid() }
  const [first, second, third] = deliveriesAbout(make, chain, { number: 3, fromMicros: noonMicros })
  await add(second!, third!)
  t.same(rowsOf(dir, headsSql), [noonMicros + 1])
  await add(first!)
  t.same(rowsOf(dir, headsSql), [noonMicros], 'one that is earlier takes its place')
  const settleNext = async (settlement: Parameters<Database['deliveries']['settle']>[2]) => {
    const [held] = await lease(noonMicros + 5)
    t.equal(held?.deliveries.length, 1)
    t.equal(expectOk(await database.deliveries.settle(held!, held!.deliveries[0]!.id, settlement)), true)
    expectOk(await database.deliveries.release(held!))
    return rowsOf(dir, headsSql)
  }
  t.same(await settleNext({ outcome: 'dead', atMicros: 1, failure: 'timeout' }), [noonMicros + 1])
  t.same(await settleNext({ outcome: 'retry', dueAtMicros: noonMicros + 3, failure: 'x' }), [noonMicros + 3])
  t.same(await settleNext({ outcome: 'done' }), [noonMicros + 2])
  t.equal(expectOk(await database.deliveries.retry(first!.id, noonMicros + 4)), true)
  t.same(rowsOf(dir, headsSql), [noonMicros + 4], 'a dead one that is tried again is before the last')
  t.same(rowsOf(dir, targetsSql), [noonMicros + 4])
  t.same(await settleNext({ outcome: 'done' }), [noonMicros + 2])
  t.same(await settleNext({ outcome: 'done' }), [])
  await database.close()
})

test('an older event that joins moves its delivery to its own place in the order', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, accountId, add, all } = await openQueue(database)
  const chain = { accountId, secretId: make.uuid() }
  const [oldest, locked, opened] = deliveriesAbout(make, chain, { number: 3, fromMicros: noonMicros })
  await add({ ...locked!, event: { ...locked!.event, type: 'secret.locked' } })
  await add({ ...opened!, joins: true })
  t.same(rowsOf(dir, headsSql), [noonMicros + 1])
  await add({ ...oldest!, joins: true })
  t.match(await all(), [{ id: opened!.id, count: 2, event: { createdAtMicros: noonMicros } }, {}])
  t.same(rowsOf(dir, headsSql), [noonMicros + 2], 'it is the head now, due when it was')
  await database.close()
})

/** How many deliveries wait in the tests of what a lease reads, and how many bytes it may read: a few pages of each index. */
const many = 20_000
const bytesMax = 60 * 4_096

test('deliveries that wait behind a failing one do not slow a lease of another target', async (t) => {
  const { make, dir, database, queue } = await manyDeliveries(t, (secretId) => secretId)
  const [first] = await queue.lease(afterAll)
  t.equal(first?.deliveries.length, 1, 'the others wait behind it')
  const retry = { outcome: 'retry', dueAtMicros: afterAll + 5, failure: 'timeout' } as const
  expectOk(await database.deliveries.settle(first!, first!.deliveries[0]!.id, retry))
  expectOk(await database.deliveries.release(first!))
  t.same(
    rowsOf(dir, 'SELECT count(*) FROM deliveries WHERE is_head'),
    [1],
    'one entry in the index of what is due',
  )
  const webhook = { kind: 'webhook', accountId: queue.accountId, webhookId: make.uuid() } as const
  const other = make.delivery(make.event(queue.accountId), { target: webhook })
  await queue.add(other)
  await database.close()
  await leaseReadsLittle(t, dir, 'webhook', [other])
})

test('a target with many deliveries that are due is leased with few reads', async (t) => {
  const { dir, database } = await manyDeliveries(t, (_, make) => make.uuid())
  t.same(rowsOf(dir, 'SELECT count(*) FROM deliveries WHERE is_head'), [many])
  await database.close()
  await leaseReadsLittle(
    t,
    dir,
    'mail',
    Array.from({ length: 5 }, () => ({ target: { kind: 'mail' } })),
  )
})

/** A queue with many deliveries to one target. */
async function manyDeliveries(t: Test, secretOf: (one: string, make: Queue['make']) => string) {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const queue = await openQueue(database)
  const { make, accountId } = queue
  const one = make.uuid()
  for (let from = 0; from < many; from += 2_000) {
    const range = { number: 2_000, fromMicros: noonMicros + from }
    const some = Array.from({ length: range.number }, (_, at) =>
      make.delivery(
        make.event(accountId, { secretId: secretOf(one, make), createdAtMicros: range.fromMicros + at }),
      ),
    )
    await queue.add(...some)
  }
  return { make, dir, database, queue }
}

type Queue = Awaited<ReturnType<typeof openQueue>>

/** Leases a target of a file that was just opened, so that nothing of it is in memory, and counts the bytes that are read. */
async function leaseReadsLittle(
  t: Test,
  dir: string,
  kind: 'mail' | 'webhook',
  expected: readonly object[],
): Promise<void> {
  const database = await open(dir)
  const before = bytesRead()
  const times = { nowMicros: afterAll, untilMicros: afterAll + 1, latestMicros: Infinity }
  const options = { kind, ...times, ids: [leaseId], perTarget: 5 }
  const [lease] = expectOk(await database.deliveries.lease(options))
  const read = bytesRead() - before
  t.match(lease?.deliveries, expected)
  if (existsSync(ownIo)) t.ok(read > 0 && read < bytesMax, `${read} bytes`)
  await database.close()
}

const leaseId = '019a0000-0000-7000-8000-ffffffffffff'

/** What this process has read and written so far (Linux); every page that SQLite reads from a file is in it. */
const ownIo = '/proc/self/io'

function bytesRead(): number {
  if (!existsSync(ownIo)) return 0
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(ownIo, 'utf8'))?.[1])
}
