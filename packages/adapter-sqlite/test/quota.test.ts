import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { noonMicros } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { test } from 'tap'
import type { QuotaLimits, QuotaWindow, QuotaWindows } from '@sotto/core'
import { openQuota } from '../src/index.ts'
import { errOf, okOf, openQuotaIn, temporaryDir } from './helpers.ts'
import { startHelper } from './processes.ts'

const minuteMicros = 60_000_000
const dayMicros = 86_400_000_000

/** The rules in plain words, for one bucket. */
function createModel() {
  let kept: QuotaWindows | undefined
  const windowAt = (
    window: QuotaWindow | undefined,
    lengthMicros: number,
    nowMicros: number,
  ): QuotaWindow => {
    if (window === undefined) return { startedAtMicros: nowMicros, count: 0 }
    if (window.startedAtMicros > nowMicros) return { startedAtMicros: nowMicros, count: window.count }
    if (nowMicros - window.startedAtMicros >= lengthMicros) return { startedAtMicros: nowMicros, count: 0 }
    return window
  }
  const peek = (nowMicros: number): QuotaWindows => ({
    minute: windowAt(kept?.minute, minuteMicros, nowMicros),
    day: windowAt(kept?.day, dayMicros, nowMicros),
  })
  const notAfter = ({ startedAtMicros, count }: QuotaWindow, nowMicros: number): QuotaWindow => ({
    startedAtMicros: Math.min(startedAtMicros, nowMicros),
    count,
  })
  const take = (nowMicros: number, { perMinute, perDay }: QuotaLimits) => {
    const { minute, day } = peek(nowMicros)
    if (minute.count >= perMinute || day.count >= perDay) {
      kept = kept && { minute: notAfter(kept.minute, nowMicros), day: notAfter(kept.day, nowMicros) }
      return { minute, day, taken: false }
    }
    const oneMore = (window: QuotaWindow) => ({ ...window, count: window.count + 1 })
    kept = { minute: oneMore(minute), day: oneMore(day) }
    return { ...kept, taken: true }
  }
  return { peek, take }
}

/** Steps of the clock that meet the ends of windows, go back, and stand still. */
const step = fc.oneof(
  fc.constantFrom(0, 1, -1, minuteMicros - 1, minuteMicros, minuteMicros + 1, dayMicros - 1, dayMicros),
  fc.constantFrom(-minuteMicros, -dayMicros, dayMicros + 1, 3 * dayMicros),
  fc.integer({ min: -2 * minuteMicros, max: 2 * minuteMicros }),
)
const call = fc.record({
  step,
  perMinute: fc.integer({ min: 1, max: 4 }),
  perDay: fc.integer({ min: 1, max: 9 }),
})

test('taking and peeking do what the rules say, whatever the clock does', async (t) => {
  const { quota, close } = await openQuotaIn(temporaryDir(t))
  let buckets = 0
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
      const bucket = `account/${(buckets += 1)}`
      const model = createModel()
      let nowMicros = noonMicros
      for (const { step, ...limits } of calls) {
        nowMicros += step
        t.same(await okOf(quota.peek(bucket, nowMicros)), model.peek(nowMicros))
        const answer = await okOf(quota.take(bucket, nowMicros, limits))
        const expected = model.take(nowMicros, limits)
        if (JSON.stringify(answer) !== JSON.stringify(expected)) t.same(answer, expected)
      }
      return true
    }),
    { numRuns: 150 },
  )
  await close()
})

test('a full window in the future does not block until the clock has caught up', async (t) => {
  const { quota, close } = await openQuotaIn(temporaryDir(t))
  const limits = { perMinute: 2, perDay: 100 }
  for (let call = 0; call < 2; call += 1) await okOf(quota.take('account/a', noonMicros, limits))
  const back = noonMicros - 365 * dayMicros
  t.equal((await okOf(quota.take('account/a', back, limits))).taken, false)
  t.equal((await okOf(quota.take('account/a', back + minuteMicros, limits))).taken, true)
  await close()
})

test('processes that take from one bucket at once take exactly the limit', async (t) => {
  const dir = temporaryDir(t)
  const helpers = await Promise.all([startHelper(t), startHelper(t)])
  const taken = await Promise.all(
    helpers.map((helper) => helper.run('takeQuota', dir, 'account/a', 600, 700)),
  )
  t.equal(taken[0]! + taken[1]!, 700)
  const { quota, close } = await openQuotaIn(dir)
  t.equal((await okOf(quota.peek('account/a', noonMicros))).day.count, 700)
  await close()
})

test('a file that is no database is set aside and made anew, with a warning', async (t) => {
  const dir = temporaryDir(t)
  const path = join(dir, 'quota.sqlite')
  writeFileSync(path, 'no database at all\n'.repeat(500))
  const told: unknown[] = []
  const { quota, close } = await openQuotaIn(dir, { log: (...entry) => told.push(entry) })
  t.equal((await okOf(quota.take('account/a', noonMicros, { perMinute: 1, perDay: 1 }))).taken, true)
  t.equal(told.length, 1)
  t.same((told as string[][])[0]?.[0], 'warn')
  t.match(readFileSync(`${path}.damaged`, 'utf8'), /^no database at all/)
  t.equal((statSync(path).mode & 0o777).toString(8), '600')
  await close()

  await (await openQuotaIn(dir, { log: (...entry) => told.push(entry) })).close()
  t.equal(told.length, 1, 'a sound file is opened without a word')
  t.throws(() => statSync(`${path}.damaged`), { code: 'ENOENT' }, 'and the damaged one is not kept for ever')
})

test('a torn file is made anew', async (t) => {
  const dir = temporaryDir(t)
  const path = join(dir, 'quota.sqlite')
  const { quota, close } = await openQuotaIn(dir)
  const limits = { perMinute: 9, perDay: 9 }
  await Promise.all(
    Array.from({ length: 500 }, (_, at) => okOf(quota.take(`account/${at}`, noonMicros, limits))),
  )
  await close()
  const bytes = readFileSync(path)
  bytes.fill(0xee, 4_096 + 100, bytes.length - 2_000)
  writeFileSync(path, bytes)
  const told: unknown[] = []
  const again = await openQuotaIn(dir, { log: (...entry) => told.push(entry) })
  t.equal(told.length, 1)
  t.equal((await okOf(again.quota.peek('account/1', noonMicros))).day.count, 0)
  await again.close()
})

test("another program's database is refused, not replaced", async (t) => {
  const dir = temporaryDir(t)
  const path = join(dir, 'quota.sqlite')
  new Sqlite(path).exec('CREATE TABLE a (b)').close()
  t.same(await errOf(openQuota({ dataDir: dir })), { code: 'database_foreign', path })
})

test('the file is opened without an fsync for every call', async (t) => {
  const dir = temporaryDir(t)
  const { close } = await openQuotaIn(dir)
  await close()
  const levels: unknown[] = []
  const { prepare } = Sqlite.prototype
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    if (sql === 'BEGIN IMMEDIATE') levels.push(this.pragma('synchronous', { simple: true }))
    return prepare.call(this, sql)
  } as typeof prepare
  t.teardown(() => (Sqlite.prototype.prepare = prepare))
  await (await openQuotaIn(dir)).close()
  t.same(levels, [1])
})

test('a store that cannot be asked is unavailable, and the operator is told why', async (t) => {
  const dir = temporaryDir(t)
  const told: unknown[][] = []
  const { quota, close } = await openQuotaIn(dir, { log: (...entry) => told.push(entry) })
  const other = new Sqlite(join(dir, 'quota.sqlite'))
  other.exec('DROP TABLE quota')
  other.close()
  const busy = { code: 'storage_unavailable', reason: 'busy' }
  t.same(await errOf(quota.take('account/a', noonMicros, { perMinute: 1, perDay: 1 })), busy)
  t.same(await errOf(quota.peek('account/a', noonMicros)), busy)
  t.same(
    told.map(([level]) => level),
    ['error', 'error'],
  )
  t.notMatch(JSON.stringify(told), 'account/a')
  await close()
})

test('a directory in the way is told of', async (t) => {
  const dir = temporaryDir(t)
  mkdirSync(join(dir, 'quota.sqlite'))
  t.match(await errOf(openQuota({ dataDir: dir })), { code: 'database_not_writable' })
})
