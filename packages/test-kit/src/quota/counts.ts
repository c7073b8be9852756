import { casesOf } from '../contract/contract.ts'
import { noonMicros } from '../shared/samples.ts'
import { expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'
import {
  bucket,
  bucketOf,
  limits,
  dayMicros,
  minuteMicros,
  quotaBesideCase,
  quotaCase,
  takeAll,
  windows,
  type QuotaCase,
} from './harness.ts'

/** Cases of counting, buckets and erasure. */
export const quotaCountCases: readonly QuotaCase[] = casesOf({
  'quota-store/first-call-starts-both-windows': quotaCase({
    rule: 'The first call of a bucket starts both windows at its time and is counted in both.',
    async check(_, one) {
      const first = windows(noonMicros, 1, noonMicros, 1)
      await one.takes(noonMicros, first)
      await one.shows(noonMicros, first)
    },
  }),
  'quota-store/unknown-bucket-is-empty': quotaCase({
    rule: 'The windows of an unknown bucket have a count of 0 and start at the given time.',
    async check(_, one) {
      await one.shows(noonMicros, windows(noonMicros, 0, noonMicros, 0))
    },
  }),
  'quota-store/peek-counts-nothing': quotaCase({
    rule: 'peek counts no call and starts no window, however often it is called.',
    async check(quota, one) {
      for (let time = 0; time < 5; time += 1) {
        await one.shows(noonMicros + time, windows(noonMicros + time, 0, noonMicros + time, 0))
      }
      expectOk(await quota.take(bucket, noonMicros + 10, limits))
      const later = noonMicros + 10 + minuteMicros
      for (const nowMicros of [later, later + 5, noonMicros]) expectOk(await quota.peek(bucket, nowMicros))
      await one.shows(noonMicros + 11, windows(noonMicros + 10, 1, noonMicros + 10, 1))
    },
  }),
  'quota-store/buckets-count-apart': quotaCase({
    rule: 'Each bucket has its own windows, also when names differ only in case, in spaces or in the last of 128 characters.',
    async check(quota) {
      const long = 'x'.repeat(127)
      const buckets = ['a', 'A', 'a ', 'a%', 'a_', 'a/', `${long}1`, `${long}2`]
      for (const [at, each] of buckets.entries()) {
        await takeAll(quota, each, { nowMicros: noonMicros + at, count: 1 + (at % 3), limits })
      }
      for (const [at, each] of buckets.entries()) {
        const count = 1 + (at % 3)
        same(
          expectOk(await quota.peek(each, noonMicros + 100)),
          windows(noonMicros + at, count, noonMicros + at, count),
          each,
        )
      }
    },
  }),
  'quota-store/limits-are-those-of-the-call': quotaCase({
    rule: 'A call is checked against its own limits, whatever the limits of earlier calls were.',
    async check(quota, one) {
      await one.takeAll(noonMicros, 3)
      const counted = windows(noonMicros, 3, noonMicros, 3)
      await bucketOf(quota, { perMinute: 2, perDay: 9 }).refuses(noonMicros, counted)
      await bucketOf(quota, { perMinute: 9, perDay: 2 }).refuses(noonMicros, counted)
      const more = windows(noonMicros, 4, noonMicros, 4)
      await bucketOf(quota, { perMinute: 4, perDay: 4 }).takes(noonMicros, more)
    },
  }),
  'quota-store/parallel-calls-are-counted-exactly': quotaCase({
    rule: 'Of 1,000 parallel calls exactly as many are taken as the limit allows, each with a different count.',
    async check(quota, one) {
      const results = await Promise.all(
        Array.from({ length: 1_000 }, () =>
          quota.take(bucket, noonMicros, { perMinute: 400, perDay: 1_000 }),
        ),
      )
      const counts = results
        .map((result) => expectOk(result))
        .filter(({ taken }) => taken)
        .map(({ minute }) => minute.count)
      same(
        counts.toSorted((one, other) => one - other),
        Array.from({ length: 400 }, (_, at) => at + 1),
        'the counts',
      )
      await one.shows(noonMicros, windows(noonMicros, 400, noonMicros, 400))
    },
  }),
  'quota-store/two-stores-count-exactly': quotaBesideCase({
    rule: 'Two stores on the same data together count exactly.',
    async check(quota, beside) {
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, at) =>
          (at % 2 === 0 ? quota : beside).take(bucket, noonMicros, { perMinute: 90, perDay: 1_000 }),
        ),
      )
      same(results.filter((result) => expectOk(result).taken).length, 90, 'how many were taken')
      for (const each of [quota, beside]) {
        same(expectOk(await each.peek(bucket, noonMicros)), windows(noonMicros, 90, noonMicros, 90))
      }
    },
  }),
  'quota-store/erase-takes-what-is-over': quotaCase({
    rule: 'eraseOver erases the buckets whose windows are both over at the given time, from the exact end on, and no other.',
    async check(quota) {
      const lateMinute = noonMicros + dayMicros - 1
      const lastMinute = noonMicros + dayMicros - minuteMicros
      await takeAll(quota, 'over', { nowMicros: noonMicros, count: 1, limits })
      await takeAll(quota, 'day runs', { nowMicros: noonMicros + 1, count: 1, limits })
      await takeAll(quota, 'minute runs', { nowMicros: noonMicros, count: 1, limits })
      await takeAll(quota, 'minute runs', { nowMicros: lateMinute, count: 1, limits })
      await takeAll(quota, 'minute ends', { nowMicros: noonMicros, count: 1, limits })
      await takeAll(quota, 'minute ends', { nowMicros: lastMinute, count: 1, limits })
      await takeAll(quota, 'future', { nowMicros: noonMicros + 2 * dayMicros, count: 1, limits })
      same(expectOk(await quota.eraseOver(noonMicros + dayMicros - 1, 10)), 0, 'before any end')
      same(
        expectOk(await quota.eraseOver(noonMicros + dayMicros, 10)),
        2,
        "at the end of the first one's day",
      )
      const left = async (name: string) => expectOk(await quota.peek(name, noonMicros + 2)).day.count
      same([await left('over'), await left('minute ends')], [0, 0])
      same([await left('day runs'), await left('minute runs'), await left('future')], [1, 2, 1])
    },
  }),
  'quota-store/erase-stops-at-the-limit': quotaCase({
    rule: 'eraseOver erases at most the given number of buckets and answers how many it erased.',
    async check(quota) {
      for (const name of ['a', 'b', 'c'])
        await takeAll(quota, name, { nowMicros: noonMicros, count: 1, limits })
      const over = noonMicros + dayMicros
      same(expectOk(await quota.eraseOver(over, 2)), 2)
      const counts = await Promise.all(
        ['a', 'b', 'c'].map(async (name) => expectOk(await quota.peek(name, noonMicros)).day.count),
      )
      same(counts.toSorted(), [0, 0, 1], 'the counts that are left')
      same(expectOk(await quota.eraseOver(over, 2)), 1)
      same(expectOk(await quota.eraseOver(over, 2)), 0)
    },
  }),
  'quota-store/erased-bucket-starts-again': quotaCase({
    rule: 'The next call of an erased bucket starts new windows.',
    async check(quota, one) {
      await one.takeAll(noonMicros, 3)
      const over = noonMicros + dayMicros
      expectOk(await quota.eraseOver(over, 10))
      await one.takes(over, windows(over, 1, over, 1))
    },
  }),
})
