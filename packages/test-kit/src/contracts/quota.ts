import { noonMicros } from '../samples.ts'
import { failsWith, okOf, same } from './expect.ts'
import { dayMicros, takeAll, windows, type QuotaCase, type QuotaHarness } from './quota-harness.ts'
import { quotaCountCases } from './quota-counts.ts'
import { quotaWindowCases } from './quota-windows.ts'
import { contractOf } from '../contract.ts'

const limits = { perMinute: 3, perDay: 5 }
const bucket = 'account/019a0000-0000-7000-8000-000000000001'

/** Cases of opening and closing. */
const quotaFactoryCases: readonly QuotaCase[] = [
  {
    id: 'quota-store/opens-apart',
    rule: 'A store that was just opened has counted nothing, and two that are open at once share nothing.',
    async run(harness: QuotaHarness) {
      const [one, other] = [await harness.open(), await harness.open()]
      try {
        await takeAll(one.quota, bucket, { nowMicros: noonMicros, count: 3, limits })
        same(await okOf(other.quota.peek(bucket, noonMicros)), windows(noonMicros, 0, noonMicros, 0))
        same(await okOf(other.quota.eraseOver(noonMicros + dayMicros, 10)), 0)
      } finally {
        await Promise.all([one.dispose(), other.dispose()])
      }
    },
  },
  {
    id: 'quota-store/offers-what-it-declares',
    rule: 'The methods that belong to a capability are there exactly if the harness declares it.',
    async run(harness: QuotaHarness) {
      const store = await harness.open()
      try {
        for (const capability of ['reopen', 'beside'] as const) {
          same(typeof store[capability] === 'function', harness.supports.includes(capability), capability)
        }
      } finally {
        await store.dispose()
      }
    },
  },
  {
    id: 'quota-store/closed-store-answers',
    rule: 'After it was closed every method answers with a storage error: none throws, rejects or hangs.',
    async run(harness: QuotaHarness) {
      const { quota, ...store } = await harness.open()
      await okOf(quota.take(bucket, noonMicros, limits))
      await store.dispose()
      const codes = ['storage_unavailable', 'storage_failed'] as const
      await failsWith(quota.take(bucket, noonMicros, limits), ...codes)
      await failsWith(quota.peek(bucket, noonMicros), ...codes)
      await failsWith(quota.eraseOver(noonMicros, 1), ...codes)
    },
  },
  {
    id: 'quota-store/counts-survive-the-store',
    rule: 'Counts are found again after the store was ended and opened anew.',
    needs: 'reopen',
    async run(harness: QuotaHarness) {
      let store = await harness.open()
      try {
        await takeAll(store.quota, bucket, { nowMicros: noonMicros, count: 3, limits })
        store = (await store.reopen?.()) ?? store
        const counted = windows(noonMicros, 3, noonMicros, 3)
        same(await okOf(store.quota.take(bucket, noonMicros + 1, limits)), { ...counted, taken: false })
      } finally {
        await store.dispose()
      }
    },
  },
]

/** The contract of the quota store. */
export const quotaContract: readonly QuotaCase[] = contractOf([
  ...quotaFactoryCases,
  ...quotaCountCases,
  ...quotaWindowCases,
])
