import { test } from 'tap'
import { createFullBuckets } from '../../src/quota/full-buckets.ts'
import type { QuotaCall } from '../../src/quota/quota-windows.ts'

const full = { minute: { startedAtMicros: 0, count: 1 }, day: { startedAtMicros: 0, count: 1 } }

function callOf(bucket: string): QuotaCall {
  return { bucket, nowMicros: 0, limits: { perMinute: 1, perDay: 1, addressesMax: 1 } }
}

test('ten thousand full buckets are remembered and no more: the first one makes room', (t) => {
  const buckets = createFullBuckets()
  for (let at = 0; at <= 10_000; at += 1) buckets.remember(callOf(String(at)), full)
  t.equal(buckets.find(callOf('0')), undefined)
  t.strictSame(buckets.find(callOf('1')), full)
  t.strictSame(buckets.find(callOf('10000')), full)
  t.end()
})
