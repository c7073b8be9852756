import t from 'tap'
import { peekQuota, takeQuota, type QuotaBucket } from '../../src/use-cases/take-quota.ts'
import { createWorld, dayMicros, secondMicros, startMicros } from '../world.ts'

t.test('the minute runs out, and begins anew 60 s after its first call', async (t) => {
  const { ports, accountId } = await createWorld()
  const bucket: QuotaBucket = { kind: 'account', accountId }
  const take = () => takeQuota(ports, { bucket })
  t.strictSame((await take())._unsafeUnwrap(), { limit: 3, remaining: 2 })
  ports.clock.advance(20 * secondMicros)
  t.equal((await take())._unsafeUnwrap().remaining, 1)
  t.equal((await take())._unsafeUnwrap().remaining, 0)
  t.strictSame((await take())._unsafeUnwrapErr(), {
    code: 'quota_exceeded',
    resetAtMicros: startMicros + 60 * secondMicros,
    retryAfterSeconds: 40,
  })
  ports.clock.advance(40 * secondMicros - 1)
  t.match((await take())._unsafeUnwrapErr(), { retryAfterSeconds: 1 })
  ports.clock.advance(1)
  t.equal((await take())._unsafeUnwrap().remaining, 1, 'two of the day’s five are left: this one and another')
})

t.test('the day blocks when it is used up, and what remains is the smaller of both', async (t) => {
  const { ports, accountId } = await createWorld()
  const bucket: QuotaBucket = { kind: 'account', accountId }
  for (let call = 0; call < 5; call += 1) {
    t.ok((await takeQuota(ports, { bucket })).isOk())
    ports.clock.advance(60 * secondMicros)
  }
  t.equal((await peekQuota(ports, { bucket }))._unsafeUnwrap().remaining, 0)
  t.match((await takeQuota(ports, { bucket }))._unsafeUnwrapErr(), { resetAtMicros: startMicros + dayMicros })
  ports.clock.set(startMicros + dayMicros)
  t.equal((await takeQuota(ports, { bucket }))._unsafeUnwrap().remaining, 2, 'refused calls were not counted')
})

t.test('when both windows are full the later end counts', async (t) => {
  const world = await createWorld()
  const ports = { ...world.ports, limits: { noteMaxBytes: 1, quota: { perMinute: 2, perDay: 2 } } }
  const bucket: QuotaBucket = { kind: 'address', address: '192.0.2.1' }
  t.ok((await takeQuota(ports, { bucket })).isOk())
  t.ok((await takeQuota(ports, { bucket })).isOk())
  t.match((await takeQuota(ports, { bucket }))._unsafeUnwrapErr(), { resetAtMicros: startMicros + dayMicros })
})

t.test('accounts and addresses have buckets of their own', async (t) => {
  const { ports, accountId } = await createWorld()
  const buckets: QuotaBucket[] = [
    { kind: 'account', accountId },
    { kind: 'account', accountId: '0190f3a0-0000-7000-8000-000000000000' },
    { kind: 'address', address: accountId },
    { kind: 'address', address: '192.0.2.1' },
  ]
  for (const bucket of buckets) t.equal((await takeQuota(ports, { bucket }))._unsafeUnwrap().remaining, 2)
})

t.test('looking at the quota counts nothing', async (t) => {
  const { ports, accountId } = await createWorld()
  const bucket: QuotaBucket = { kind: 'account', accountId }
  for (let look = 0; look < 5; look += 1) {
    t.strictSame((await peekQuota(ports, { bucket }))._unsafeUnwrap(), { limit: 3, remaining: 3 })
  }
})
