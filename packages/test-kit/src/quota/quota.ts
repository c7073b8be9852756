import { casesOf, caseOfTwo, contractOf, declaredMethodsCase } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { quotaAddressCases } from './addresses.ts'
import { quotaCountCases } from './counts.ts'
import {
  bucket,
  limits,
  dayMicros,
  takeAll,
  windows,
  type QuotaCapability,
  type QuotaCase,
  type QuotaHarness,
  type QuotaUnderTest,
} from './harness.ts'
import { quotaWindowCases } from './windows.ts'

/** Cases of opening and closing. */
const factoryCases: readonly QuotaCase[] = casesOf({
  'quota-store/opens-apart': caseOfTwo({
    rule: 'A store that was just opened has counted nothing, and two that are open at the same time share nothing.',
    async check({ quota: one }: QuotaUnderTest, { quota: other }: QuotaUnderTest) {
      await takeAll(one, bucket, { nowMicros: noonMicros, count: 3, limits })
      same(expectOk(await other.peek(bucket, noonMicros)), windows(noonMicros, 0, noonMicros, 0))
      same(expectOk(await other.eraseOver(noonMicros + dayMicros, 10)), 0)
    },
  }),
  'quota-store/offers-what-it-declares': declaredMethodsCase<QuotaUnderTest, QuotaCapability>([
    'reopen',
    'beside',
  ]),
  'quota-store/closed-store-answers': {
    rule: 'Once closed, every method answers a storage error; none throws, rejects or hangs.',
    async run(harness: QuotaHarness) {
      const store = await harness.open()
      const { quota } = store
      expectOk(await quota.take(bucket, noonMicros, limits))
      await store.dispose()
      const codes = ['storage_unavailable', 'storage_failed'] as const
      expectErr(await quota.take(bucket, noonMicros, limits), ...codes)
      expectErr(await quota.peek(bucket, noonMicros), ...codes)
      expectErr(await quota.eraseOver(noonMicros, 1), ...codes)
    },
  },
  'quota-store/counts-are-found-after-reopening': {
    rule: 'Counts are found after reopening.',
    needs: ['reopen'],
    async run(harness: QuotaHarness) {
      let store = await harness.open()
      try {
        await takeAll(store.quota, bucket, { nowMicros: noonMicros, count: 3, limits })
        store = (await store.reopen?.()) ?? store
        const counted = windows(noonMicros, 3, noonMicros, 3)
        same(expectOk(await store.quota.take(bucket, noonMicros + 1, limits)), { ...counted, taken: false })
      } finally {
        await store.dispose()
      }
    },
  },
})

/** The contract of the quota store. */
export const quotaContract: readonly QuotaCase[] = contractOf([
  ...factoryCases,
  ...quotaCountCases,
  ...quotaWindowCases,
  ...quotaAddressCases,
])
