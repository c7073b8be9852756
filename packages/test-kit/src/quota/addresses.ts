import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { minuteMicros, quotaCase, takeAll, windows, type QuotaCase } from './harness.ts'

const limits = { perMinute: 3, perDay: 5, addressesMax: 2 }
const [first, second, third] = ['address/1', 'address/2', 'address/3']

/** Cases of the bound on buckets of addresses. */
export const quotaAddressCases: readonly QuotaCase[] = casesOf({
  'quota-store/addresses-are-bounded': quotaCase({
    rule: 'While the minutes of all buckets of addresses run, a call of a further one is answered with a full minute, and is not stored.',
    async check(quota) {
      for (const bucket of [first, second]) expectOk(await quota.take(bucket, noonMicros, limits))
      const end = noonMicros + minuteMicros - 1
      same(expectOk(await quota.take(third, end, limits)), { ...windows(end, 3, end, 0), taken: false })
      same(expectOk(await quota.peek(third, end)), windows(end, 0, end, 0), 'the further bucket')
      for (const bucket of [first, second]) {
        const counted = { ...windows(noonMicros, 2, noonMicros, 2), taken: true }
        same(expectOk(await quota.take(bucket, end, limits)), counted, bucket)
      }
    },
  }),
  'quota-store/accounts-are-not-bounded': quotaCase({
    rule: 'Buckets of accounts are not bounded, and take no room from those of addresses.',
    async check(quota) {
      for (const bucket of ['account/1', 'account/2', 'account/3', first, second, 'account/4', 'address'])
        await takeAll(quota, bucket, { nowMicros: noonMicros, count: 1, limits })
    },
  }),
  'quota-store/ended-minutes-make-room': quotaCase({
    rule: 'A further bucket of an address takes the place of the one whose minute ended first; the other one keeps its counts.',
    async check(quota) {
      await takeAll(quota, first, { nowMicros: noonMicros, count: 1, limits })
      await takeAll(quota, second, { nowMicros: noonMicros - 1, count: 1, limits })
      const now = noonMicros + minuteMicros
      await takeAll(quota, third, { nowMicros: now, count: 1, limits })
      same(expectOk(await quota.peek(second, now)), windows(now, 0, now, 0), 'the oldest one')
      same(expectOk(await quota.peek(first, now)), windows(now, 0, noonMicros, 1), 'the other one')
    },
  }),
  'quota-store/minutes-in-the-future-make-room': quotaCase({
    rule: 'Buckets of addresses whose minutes start more than a minute ahead make room too, so that a clock that was set back blocks nobody; nearer ones do not.',
    async check(quota) {
      for (const bucket of [first, second]) expectOk(await quota.take(bucket, noonMicros, limits))
      const back = noonMicros - minuteMicros
      same(expectOk(await quota.take(third, back, limits)), { ...windows(back, 3, back, 0), taken: false })
      await takeAll(quota, third, { nowMicros: back - 1, count: 1, limits })
    },
  }),
})
