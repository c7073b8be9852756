import { join } from 'node:path'
import type { QuotaLimits, QuotaWindow, QuotaWindows } from '@sotto/core'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { test, type Test } from 'tap'
import { openQuotaIn, temporaryDir } from '../support/helpers.ts'
import { startHelper } from '../support/processes.ts'

const minuteMicros = 60_000_000
const dayMicros = 86_400_000_000

/** The rules as a model, for one bucket. */
function createModel() {
  let stored: QuotaWindows | undefined
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
    minute: windowAt(stored?.minute, minuteMicros, nowMicros),
    day: windowAt(stored?.day, dayMicros, nowMicros),
  })
  /** The window as it is stored: one that is further ahead than it is long begins now. */
  const kept = ({ startedAtMicros, count }: QuotaWindow, lengthMicros: number, nowMicros: number) => ({
    startedAtMicros: startedAtMicros > nowMicros + lengthMicros ? nowMicros : startedAtMicros,
    count,
  })
  const take = (nowMicros: number, { perMinute, perDay }: QuotaLimits) => {
    const { minute, day } = peek(nowMicros)
    if (minute.count >= perMinute || day.count >= perDay) {
      stored = stored && {
        minute: kept(stored.minute, minuteMicros, nowMicros),
        day: kept(stored.day, dayMicros, nowMicros),
      }
      return { minute, day, taken: false }
    }
    const oneMore = (window: QuotaWindow) => ({ ...window, count: window.count + 1 })
    const counted = (shown: QuotaWindow, before: QuotaWindow | undefined, lengthMicros: number) =>
      oneMore(
        before !== undefined && before.startedAtMicros > nowMicros
          ? kept(before, lengthMicros, nowMicros)
          : shown,
      )
    stored = {
      minute: counted(minute, stored?.minute, minuteMicros),
      day: counted(day, stored?.day, dayMicros),
    }
    return { minute: oneMore(minute), day: oneMore(day), taken: true }
  }
  return { peek, take }
}

/** Steps of the clock: to the ends of windows, back, and none. */
const step = fc.oneof(
  fc.constantFrom(0, 1, -1, minuteMicros - 1, minuteMicros, minuteMicros + 1, dayMicros - 1, dayMicros),
  fc.constantFrom(-minuteMicros, -dayMicros, dayMicros + 1, 3 * dayMicros),
  fc.integer({ min: -2 * minuteMicros, max: 2 * minuteMicros }),
)
const limits = fc.record({
  perMinute: fc.integer({ min: 1, max: 4 }),
  perDay: fc.integer({ min: 1, max: 9 }),
})
/** Calls of one turn, mostly with small steps of the clock between them. */
const turn = fc.record({
  limits,
  steps: fc
    .tuple(step, fc.array(fc.oneof({ arbitrary: fc.constantFrom(0, 1), weight: 4 }, step), { maxLength: 3 }))
    .map(([first, further]) => [first, ...further]),
})

test('taking and peeking follow the rules, whatever the clock does', async (t) => {
  const { quota, close } = await openQuotaIn(temporaryDir(t))
  let buckets = 0
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 25 }), async (turns) => {
      const bucket = `account/${(buckets += 1)}`
      const model = createModel()
      let nowMicros = noonMicros
      for (const { steps, limits } of turns) {
        const taken = steps.map((step) => {
          nowMicros += step
          return { answer: quota.take(bucket, nowMicros, limits), expected: model.take(nowMicros, limits) }
        })
        for (const { answer, expected } of taken) {
          const given = expectOk(await answer)
          if (JSON.stringify(given) !== JSON.stringify(expected)) t.same(given, expected)
        }
        t.same(expectOk(await quota.peek(bucket, nowMicros)), model.peek(nowMicros))
      }
      return true
    }),
    { numRuns: 150 },
  )
  await close()
})

test('processes that take from one bucket at the same time take exactly the limit', async (t) => {
  const dir = temporaryDir(t)
  const helpers = await Promise.all([startHelper(t), startHelper(t)])
  const taken = await Promise.all(
    helpers.map((helper) => helper.run('takeQuota', dir, 'account/a', 600, 700)),
  )
  t.equal(taken[0]! + taken[1]!, 700)
  const { quota, close } = await openQuotaIn(dir)
  t.equal(expectOk(await quota.peek('account/a', noonMicros)).day.count, 700)
  await close()
})

test('processes that count addresses at the same time store the fixed number of them, and sweeping makes room', async (t) => {
  const dir = temporaryDir(t)
  const [one, other] = [await openQuotaIn(dir), await openQuotaIn(dir)]
  const limits = { perMinute: 1, perDay: 9, addressesMax: 100 }
  const flood = async (nowMicros: number) => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        [one, other][at % 2]!.quota.take(`address/${nowMicros}/${at}`, nowMicros, limits),
      ),
    )
    return answers.filter((answer) => expectOk(answer).taken).length
  }
  const file = new Sqlite(join(dir, 'quota.sqlite'), { readonly: true })
  const stored = () =>
    file.prepare('SELECT count(*), (SELECT number FROM address_buckets) FROM quota').raw().get()
  t.equal(await flood(noonMicros), 100)
  t.same(stored(), [100, 100])
  const nextMicros = noonMicros + minuteMicros
  t.equal(await flood(nextMicros), 100, 'a minute later')
  t.same(stored(), [100, 100])
  t.equal(expectOk(await one.quota.eraseOver(nextMicros + dayMicros, 60)), 60)
  t.same(stored(), [40, 40])
  t.equal(expectOk(await one.quota.take('account/a', nextMicros, limits)).taken, true)
  t.same(stored(), [41, 40])
  file.close()
  await Promise.all([one.close(), other.close()])
})

test('a call of a further address erases a hundredth of what is stored, the oldest of the ended minutes', async (t) => {
  const { quota, close, stored } = await openWithAddresses(t, 301)
  const limits = { perMinute: 9, perDay: 9, addressesMax: 301 }
  const nextMicros = noonMicros + 301 + minuteMicros
  t.equal(expectOk(await quota.take('address/new', nextMicros, limits)).taken, true)
  t.equal(stored(), 301 - 4 + 1)
  const oldest = await Promise.all([1, 4, 5].map((at) => quota.peek(`address/${at}`, noonMicros + 301)))
  t.same(
    oldest.map((windows) => expectOk(windows).day.count),
    [0, 0, 1],
  )
  await close()
})

test('while there is room, a call of a further address erases none', async (t) => {
  const { quota, close, stored } = await openWithAddresses(t, 5)
  const limits = { perMinute: 9, perDay: 9, addressesMax: 100 }
  t.equal(expectOk(await quota.take('address/new', noonMicros + 5 + minuteMicros, limits)).taken, true)
  t.equal(stored(), 6)
  await close()
})

test('where fewer addresses may be stored than are, a call erases at most 64, and is counted once there is room', async (t) => {
  const { quota, close, stored } = await openWithAddresses(t, 100)
  const limits = { perMinute: 9, perDay: 9, addressesMax: 10 }
  const nextMicros = noonMicros + 100 + minuteMicros
  t.equal(expectOk(await quota.take('address/new', nextMicros, limits)).taken, false)
  t.equal(stored(), 100 - 64)
  t.equal(expectOk(await quota.take('address/new', nextMicros, limits)).taken, true)
  t.equal(stored(), 10)
  await close()
})

/** A store that has counted a call of each of so many addresses, one after the other; and how many buckets are stored. */
async function openWithAddresses(t: Test, addresses: number) {
  const dir = temporaryDir(t)
  const opened = await openQuotaIn(dir)
  const calls = Array.from({ length: addresses }, (_, at) =>
    opened.quota.take(`address/${at + 1}`, noonMicros + at + 1, { perMinute: 9, perDay: 9 }),
  )
  for (const call of calls) expectOk(await call)
  const file = new Sqlite(join(dir, 'quota.sqlite'), { readonly: true })
  t.teardown(() => file.close())
  return { ...opened, stored: () => file.prepare('SELECT count(*) FROM quota').pluck().get() }
}

test('sweeping erases the oldest buckets first', async (t) => {
  const { quota, close } = await openQuotaIn(temporaryDir(t))
  const days = { a: 2, b: 0, c: 1 }
  for (const [name, day] of Object.entries(days))
    expectOk(await quota.take(`account/${name}`, noonMicros + day, { perMinute: 9, perDay: 9 }))
  const overMicros = noonMicros + dayMicros + 2
  const left: string[] = []
  for (let erased = 0; erased < 3; erased += 1) {
    t.equal(expectOk(await quota.eraseOver(overMicros, 1)), 1)
    const counted = async (name: string) =>
      expectOk(await quota.peek(`account/${name}`, noonMicros + 2)).day.count > 0
    const names = await Promise.all(['a', 'b', 'c'].map(async (name) => ((await counted(name)) ? name : '')))
    left.push(names.join(''))
  }
  t.same(left, ['ac', 'a', ''])
  await close()
})

test('what is erased is in the write-ahead log until that is emptied, and nothing is pending without an erasure', async (t) => {
  const { quota, erasure, close } = await openQuotaIn(temporaryDir(t))
  const isPending = () => erasure.pendingForMillis() !== undefined
  const limits = { perMinute: 9, perDay: 9, addressesMax: 1 }
  expectOk(await quota.take('account/a', noonMicros, limits))
  expectOk(await quota.take('address/a', noonMicros, limits))
  t.ok(erasure.finish())
  expectOk(await quota.eraseOver(noonMicros, 9))
  t.equal(expectOk(await quota.take('address/b', noonMicros, limits)).taken, false)
  t.notOk(isPending())
  t.equal(expectOk(await quota.take('address/b', noonMicros + minuteMicros, limits)).taken, true)
  t.ok(isPending(), 'after making room')
  t.ok(erasure.finish())
  t.equal(expectOk(await quota.eraseOver(noonMicros + dayMicros, 9)), 1)
  t.ok(isPending(), 'after sweeping')
  await close()
})

test('a refused call begins the windows of its own bucket now, and those of no other', async (t) => {
  const { quota, close } = await openQuotaIn(temporaryDir(t))
  const limits = { perMinute: 1, perDay: 9 }
  for (const bucket of ['account/a', 'account/b']) expectOk(await quota.take(bucket, noonMicros, limits))
  const back = noonMicros - dayMicros
  t.equal(expectOk(await quota.take('account/a', back, limits)).taken, false)
  const { minute } = expectOk(await quota.peek('account/b', back + minuteMicros))
  t.same(minute, { startedAtMicros: back + minuteMicros, count: 1 })
  await close()
})

test('a store that fails answers as unavailable, and logs why', async (t) => {
  const dir = temporaryDir(t)
  const logged: unknown[][] = []
  const { quota, close } = await openQuotaIn(dir, { log: (...entry) => logged.push(entry) })
  const other = new Sqlite(join(dir, 'quota.sqlite'))
  other.exec('DROP TABLE quota')
  other.close()
  const busy = { code: 'storage_unavailable', reason: 'busy' }
  t.same(expectErr(await quota.take('account/a', noonMicros, { perMinute: 1, perDay: 1 })), busy)
  t.same(expectErr(await quota.peek('account/a', noonMicros)), busy)
  t.same(
    logged.map(([level]) => level),
    ['error', 'error'],
  )
  t.notMatch(JSON.stringify(logged), 'account/a')
  await close()
})
