import { casesOf } from '../contract/contract.ts'
import { noonMicros } from '../shared/samples.ts'
import { expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'
import {
  bucket,
  bucketOf,
  dayMicros,
  limits,
  minuteMicros,
  quotaCase,
  windows,
  type QuotaCase,
} from './harness.ts'

/** Cases of the two windows: their start, their end, their limits, and starts in the future. */
export const quotaWindowCases: readonly QuotaCase[] = casesOf({
  'quota-store/windows-keep-their-start': quotaCase({
    rule: 'A window is fixed: later calls are counted in it and do not move its start.',
    async check(_, one) {
      for (const [at, later] of [0, 7, minuteMicros - 1].entries()) {
        const counted = windows(noonMicros, at + 1, noonMicros, at + 1)
        await one.takes(noonMicros + later, counted)
        await one.shows(noonMicros + later, counted, 'peek afterwards')
      }
    },
  }),
  'quota-store/minute-ends-after-60-seconds': quotaCase({
    rule: 'The minute ends exactly 60 s after its start; the next call starts a new one while the day goes on.',
    async check(_, one) {
      await one.takeAll(noonMicros, 3)
      const end = noonMicros + minuteMicros
      const full = windows(noonMicros, 3, noonMicros, 3)
      await one.refuses(end - 1, full, 'one microsecond before')
      await one.shows(end, windows(end, 0, noonMicros, 3), 'peek at the end')
      await one.takes(end + 7, windows(end + 7, 1, noonMicros, 4))
    },
  }),
  'quota-store/minute-starts-at-the-exact-end': quotaCase({
    rule: 'A call at the exact end of the minute is counted in a new one.',
    async check(_, one) {
      await one.takeAll(noonMicros, 3)
      const end = noonMicros + minuteMicros
      await one.takes(end, windows(end, 1, noonMicros, 4))
    },
  }),
  'quota-store/day-ends-after-86400-seconds': quotaCase({
    rule: 'The day ends exactly 86,400 s after its start; the next call starts a new one.',
    async check(_, one) {
      await one.takeAll(noonMicros, 3)
      await one.takeAll(noonMicros + minuteMicros, 2)
      const end = noonMicros + dayMicros
      await one.refuses(end - 1, windows(end - 1, 0, noonMicros, 5), 'one microsecond before')
      await one.shows(end, windows(end, 0, end, 0), 'peek at the end')
      await one.takes(end, windows(end, 1, end, 1))
    },
  }),
  'quota-store/running-minute-outlives-the-day': quotaCase({
    rule: 'A minute that started before the end of the day goes on when a new day starts.',
    async check(quota, one) {
      expectOk(await quota.take(bucket, noonMicros, limits))
      const late = noonMicros + dayMicros - 10
      const end = noonMicros + dayMicros
      expectOk(await quota.take(bucket, late, limits))
      await one.takes(end, windows(late, 2, end, 1))
    },
  }),
  'quota-store/full-minute-counts-in-neither': quotaCase({
    rule: 'When the minute is full, a call is not taken and is counted in neither window, however often it is tried.',
    async check(_, one) {
      await one.takeAll(noonMicros, 3)
      const full = windows(noonMicros, 3, noonMicros, 3)
      for (const later of [1, 2, 3]) {
        await one.refuses(noonMicros + later, full)
      }
      await one.shows(noonMicros + 4, full)
    },
  }),
  'quota-store/full-day-counts-in-neither': quotaCase({
    rule: 'When the day is full, a call is not taken and is counted in neither window, even if the minute is not full.',
    async check(quota) {
      const one = bucketOf(quota, { perMinute: 9, perDay: 2 })
      await one.takeAll(noonMicros, 2)
      const full = windows(noonMicros, 2, noonMicros, 2)
      await one.refuses(noonMicros + 1, full)
      await one.shows(noonMicros + 2, full)
    },
  }),
  'quota-store/refused-call-starts-nothing': quotaCase({
    rule: 'A call that is refused because the day is full starts no minute.',
    async check(quota) {
      const one = bucketOf(quota, { perMinute: 9, perDay: 2 })
      await one.takeAll(noonMicros, 2)
      const later = noonMicros + 2 * minuteMicros
      await one.refuses(later, windows(later, 0, noonMicros, 2))
      await one.shows(later + 9, windows(later + 9, 0, noonMicros, 2), 'peek afterwards')
    },
  }),
  'quota-store/window-in-the-future-starts-now': quotaCase({
    rule: 'A window that starts in the future by more than its length starts at the time of the call instead and keeps its count.',
    async check(_, one) {
      await one.takeAll(noonMicros, 2)
      const back = noonMicros - 3_600_000_000
      await one.takes(back, windows(back, 3, back, 3))
      await one.refuses(back + 5, windows(back, 3, back + 5, 3))
      const end = back + minuteMicros
      await one.takes(end, windows(end, 1, end, 4), 'a minute later: the day is not further ahead than a day')
      await one.shows(noonMicros, windows(noonMicros, 0, noonMicros, 4))
    },
  }),
  'quota-store/window-in-the-future-keeps-its-count': quotaCase({
    rule: 'A window that starts in the future by up to its length keeps its count and its start in the store. In the answer it starts at the time of the call.',
    async check(_, one) {
      await one.takeAll(noonMicros, 1)
      for (const [count, nowMicros] of [
        [2, noonMicros - minuteMicros],
        [3, noonMicros - 5],
      ] as const)
        await one.takes(nowMicros, windows(nowMicros, count, nowMicros, count))
      await one.shows(noonMicros, windows(noonMicros, 3, noonMicros, 3))
    },
  }),
  'quota-store/clocks-that-differ-share-a-window': quotaCase({
    rule: 'Callers get no second quota by way of two clocks that differ by less than a minute: calls that alternate between them are counted in one window.',
    async check(quota) {
      const ahead = minuteMicros - 1
      let taken = 0
      for (let call = 0; call < 20; call += 1) {
        const nowMicros = noonMicros + (call % 2 === 0 ? ahead : 0) + call * 100
        if (expectOk(await quota.take(bucket, nowMicros, limits)).taken) taken += 1
      }
      same(taken, limits.perMinute)
    },
  }),
  'quota-store/clocks-that-differ-share-a-day': quotaCase({
    rule: 'Nor do they get a second quota of the day by way of clocks that differ by minutes: only the minute of the clock that is behind begins again.',
    async check(quota) {
      const ahead = 10 * minuteMicros
      let taken = 0
      for (let call = 0; call < 40; call += 1) {
        const nowMicros = noonMicros + (call % 2 === 0 ? ahead : 0) + call * 100
        if (expectOk(await quota.take(bucket, nowMicros, limits)).taken) taken += 1
      }
      same(taken, limits.perDay)
    },
  }),
  'quota-store/future-windows-are-moved-each': quotaCase({
    rule: 'Only the window that starts too far in the future is moved; the other one keeps its start.',
    async check(quota, one) {
      expectOk(await quota.take(bucket, noonMicros, limits))
      const second = noonMicros + 3 * minuteMicros
      expectOk(await quota.take(bucket, second, limits))
      const back = second - minuteMicros - 1
      await one.takes(back, windows(back, 2, noonMicros, 3))
      await one.shows(back + 5, windows(back, 2, noonMicros, 3))
    },
  }),
  'quota-store/peek-does-not-move-windows': quotaCase({
    rule: 'peek shows a window in the future as take would find it, and does not move it.',
    async check(_, one) {
      await one.takeAll(noonMicros, 2)
      await one.shows(noonMicros - 9, windows(noonMicros - 9, 2, noonMicros - 9, 2))
      await one.shows(noonMicros + 1, windows(noonMicros, 2, noonMicros, 2))
    },
  }),
  'quota-store/full-window-in-the-future-refuses': quotaCase({
    rule: 'A full window in the future keeps its count: the call is not taken, and the windows start now.',
    async check(_, one) {
      await one.takeAll(noonMicros, 3)
      const back = noonMicros - 9
      await one.refuses(back, windows(back, 3, back, 3))
    },
  }),
  'quota-store/refused-call-moves-windows': quotaCase({
    rule: 'A full window that is too far in the future begins now also in the store: its bucket is free when it ends, not once the clock has caught up.',
    async check(_, one) {
      await one.takeAll(noonMicros, 3)
      const back = noonMicros - 3_600_000_000
      const full = windows(back, 3, back, 3)
      await one.refuses(back, full)
      const end = back + minuteMicros
      await one.takes(end, windows(end, 1, end, 4))
    },
  }),
  'quota-store/times-are-stored-exactly': quotaCase({
    rule: 'Windows start at the exact microsecond, from the epoch up to the largest safe integer.',
    async check(quota) {
      for (const nowMicros of [0, 1, 2 ** 32 + 1, noonMicros, Number.MAX_SAFE_INTEGER - dayMicros]) {
        const name = `at ${nowMicros}`
        expectOk(await quota.take(name, nowMicros, limits))
        same(expectOk(await quota.peek(name, nowMicros + 1)), windows(nowMicros, 1, nowMicros, 1), name)
      }
    },
  }),
})
