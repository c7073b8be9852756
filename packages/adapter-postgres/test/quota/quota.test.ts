import type { QuotaStore } from '@sotto/core'
import { createMemoryQuota, createSeededRandom, expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import pg from 'pg'
import { after, test, type Test } from 'tap'
import type { Database } from '../../src/connection/database.ts'
import { createQuickDatabase } from '../../src/connection/quick-commits.ts'
import { createQuota } from '../../src/quota/quota.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { openDatabase, poolOptions, watched, type Before } from '../support/raw.ts'

const minuteMicros = 60_000_000
const dayMicros = 86_400_000_000
const steps = [
  0,
  0,
  0,
  1,
  -1,
  7_000,
  minuteMicros - 1,
  minuteMicros,
  minuteMicros + 1,
  -minuteMicros,
  -dayMicros,
  dayMicros,
]
const bucket = 'account/a'

const databases = await startDatabases()
after(() => databases.stop())

/** An empty database with tables, for as long as the test runs. */
async function openEmpty(t: Test) {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  t.teardown(async () => {
    await storage.close()
    giveBack()
  })
  return { url, quota: storage.quota }
}

/** A quota whose statements pass by the test. */
function openQuota(t: Test, url: string, before: Before): QuotaStore {
  const raw = openDatabase(url)
  t.teardown(() => raw.close())
  return createQuota(watched(raw, before))
}

/** A quota that counts its statements. */
function openCounted(t: Test, url: string) {
  const sent: string[] = []
  const quota = openQuota(t, url, (statement) => {
    sent.push(statement.name)
    return statement
  })
  return { quota, sent }
}

test('taking and peeking follow the rules, whatever the clock does', async (t) => {
  const { quota } = await openEmpty(t)
  const random = createSeededRandom(7)
  const below = (most: number): number => (random.bytes(1)[0] ?? 0) % most
  for (let round = 0; round < 40; round += 1) {
    const model = createMemoryQuota()
    const name = `account/${round}`
    let nowMicros = noonMicros
    for (let call = 0; call < 30; call += 1) {
      nowMicros += steps[below(steps.length)] ?? 0
      const limits = { perMinute: 1 + below(4), perDay: 1 + below(9) }
      const [seen, expected] = [
        await quota.take(name, nowMicros, limits),
        await model.take(name, nowMicros, limits),
      ]
      t.same(expectOk(seen), expectOk(expected), `call ${call} of round ${round}`)
      const [peeked, model2] = [await quota.peek(name, nowMicros), await model.peek(name, nowMicros)]
      t.same(expectOk(peeked), expectOk(model2))
    }
  }
})

/** How many of 500 simultaneous calls on each store are taken, of a bucket that may make 700. */
async function takenBy(stores: readonly QuotaStore[]): Promise<number> {
  const limits = { perMinute: 700, perDay: 9_000 }
  const answers = await Promise.all(
    stores.flatMap((quota) => Array.from({ length: 500 }, () => quota.take(bucket, noonMicros, limits))),
  )
  return answers.filter((answer) => expectOk(answer).taken).length
}

test('storages that take from one bucket at the same time take exactly the limit', async (t) => {
  const { url, quota } = await openEmpty(t)
  const other = await openStorage(url)
  t.equal(await takenBy([quota, other.quota]), 700)
  t.equal(expectOk(await quota.peek(bucket, noonMicros)).day.count, 700)
  await other.close()
})

test('without looking at what is stored they take more, so the test above can fail', async (t) => {
  const { url } = await openEmpty(t)
  const careless: Before = ({ name, text }) => ({
    name,
    text: text.replaceAll('THEN quota.minute_count', 'THEN 0'),
  })
  t.equal(await takenBy([openQuota(t, url, careless), openQuota(t, url, careless)]), 1_000)
})

test('simultaneous calls cost one statement, and are answered in the order of their arrival', async (t) => {
  const { url } = await openEmpty(t)
  const { quota, sent } = openCounted(t, url)
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, at) =>
      quota.take(`account/${at % 3}`, noonMicros + at, { perMinute: 20, perDay: 99 }),
    ),
  )
  t.same(sent, ['quota_take'])
  const ofFirst = answers.filter((_, at) => at % 3 === 0).map((answer) => expectOk(answer))
  t.same(
    ofFirst.map(({ taken }) => taken),
    Array.from({ length: 30 }, (_, at) => at < 20),
  )
  t.same(
    ofFirst.map(({ minute }) => minute.count),
    Array.from({ length: 30 }, (_, at) => Math.min(at + 1, 20)),
  )
})

test('calls at different times, or with different limits, are not counted as one', async (t) => {
  const { quota } = await openEmpty(t)
  const take = (nowMicros: number, perMinute: number) =>
    quota.take(bucket, nowMicros, { perMinute, perDay: 9 })
  const later = noonMicros + minuteMicros
  const answers = await Promise.all([
    take(noonMicros, 1),
    take(noonMicros, 1),
    take(later, 1),
    take(later, 2),
    take(later, 1),
  ])
  t.same(
    answers
      .map((answer) => expectOk(answer))
      .map(({ taken, minute, day }) => [taken, minute.startedAtMicros, day.count]),
    [
      [true, noonMicros, 1],
      [false, noonMicros, 1],
      [true, later, 2],
      [true, later, 3],
      [false, later, 3],
    ],
  )
})

test('a full bucket is refused without a statement, until its window is over or begins in the future', async (t) => {
  const { url } = await openEmpty(t)
  const { quota, sent } = openCounted(t, url)
  const take = async (nowMicros: number, perMinute = 2) =>
    expectOk(await quota.take(bucket, nowMicros, { perMinute, perDay: 5 })).taken
  t.same([await take(noonMicros), await take(noonMicros)], [true, true])
  sent.length = 0
  for (const later of [0, 1, minuteMicros - 1]) t.equal(await take(noonMicros + later), false)
  t.same(sent, [])
  t.equal(await take(noonMicros, 3), true, 'a call with a higher limit')
  t.equal(await take(noonMicros + minuteMicros), true, 'when the minute is over')
  t.equal(await take(noonMicros + minuteMicros), true)
  t.equal(sent.length, 3)
  t.equal(await take(noonMicros + 2 * minuteMicros), false, 'when the day is full')
  t.equal(sent.length, 3)
  const back = noonMicros - dayMicros - 1
  t.equal(await take(back), false, 'when the clock was set back')
  t.equal(sent.length, 4, 'the windows were moved in the database')
  t.equal(expectOk(await quota.peek(bucket, back + 1)).day.startedAtMicros, back)
})

test('of a flood of addresses the fixed number is stored, and sweeping makes room', async (t) => {
  const { url, quota } = await openEmpty(t)
  const limits = { perMinute: 1, perDay: 9, addressesMax: 100 }
  const flood = async (nowMicros: number) => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, at) => quota.take(`address/${nowMicros}/${at}`, nowMicros, limits)),
    )
    return answers.filter((answer) => expectOk(answer).taken).length
  }
  const stored = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ all: string; addresses: string }>(
      `SELECT count(*) AS all, count(*) FILTER (WHERE is_address) AS addresses FROM quota`,
    )
    await client.end()
    return [Number(rows[0]?.all), Number(rows[0]?.addresses)]
  }
  t.equal(await flood(noonMicros), 100)
  t.same(await stored(), [100, 100])
  const nextMicros = noonMicros + minuteMicros
  t.equal(await flood(nextMicros), 100, 'a minute later')
  t.same(await stored(), [100, 100])
  t.equal(expectOk(await quota.eraseOver(nextMicros + dayMicros, 60)), 60)
  t.same(await stored(), [40, 40])
  t.equal(expectOk(await quota.take(bucket, nextMicros, limits)).taken, true)
  t.same(await stored(), [41, 40])
  t.equal(await flood(nextMicros + 1), 60, 'into the room that sweeping made')
  t.same(await stored(), [101, 100])
})

test('addresses are not counted again before there may be too many', async (t) => {
  const { url } = await openEmpty(t)
  const { quota, sent } = openCounted(t, url)
  const limits = { perMinute: 9, perDay: 9, addressesMax: 10 }
  for (let at = 0; at < 5; at += 1) expectOk(await quota.take(`address/${at % 2}`, noonMicros, limits))
  t.same(sent, ['quota_find_many', 'quota_count_addresses', ...Array.from({ length: 5 }, () => 'quota_take')])
})

const commits = { name: 'test_commits', text: `SELECT current_setting('synchronous_commit')` }
const setting = async (db: Database) =>
  expectOk(await db.statement(async (sql) => ok((await sql.row<[string]>(commits))?.[0])))

for (const prepare of [true, false]) {
  test(`only the writes of the quota do not wait for the disk, prepared: ${prepare}`, async (t) => {
    const { url } = await openEmpty(t)
    const quick = createQuickDatabase({ ...poolOptions(url, { prepare }), onError: () => undefined })
    const raw = openDatabase(url, { prepare })
    t.equal(await setting(quick), 'off')
    t.equal(await setting(raw), 'on')
    const left = await quick.read(async (sql) => (await sql.row<[string]>(commits))?.[0])
    t.equal(expectOk(left), prepare ? 'off' : 'on', 'what a pooler would hand on')
    await Promise.all([quick.close(), raw.close()])
  })
}

test('a full bucket is not answered from memory once the store is closed', async (t) => {
  const { url } = await databases.take()
  const storage = await openStorage(url)
  const take = () => storage.quota.take(bucket, noonMicros, { perMinute: 1, perDay: 1 })
  expectOk(await take())
  await storage.close()
  t.same(expectErr(await take()), { code: 'storage_unavailable', reason: 'closed' })
})

test('no plan has more buckets erased than the limit', async (t) => {
  const { url, quota } = await openEmpty(t)
  const take = async (name: string) =>
    expectOk(await quota.take(`account/${name}`, noonMicros, { perMinute: 9, perDay: 9 }))
  await take('a')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  // A planner that expects one row takes each row first, and then runs what finds those that are over.
  await client.query('ANALYZE quota')
  for (const name of ['b', 'c']) await take(name)
  t.equal(expectOk(await quota.eraseOver(noonMicros + 2 * dayMicros, 2)), 2)
})
