import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { testLimits } from '../../src/quota/count-call.ts'
import { peekQuota, takeQuota, type QuotaBucket } from '../../src/quota/take-quota.ts'
import { createWorld, dayMicros, minuteMicros, secondMicros, startMicros, unknownId } from '../world.ts'

t.test('a minute is used up, and the next one begins 60 s after its first call', async (t) => {
  const { deps, accountId } = await createWorld()
  const bucket: QuotaBucket = { kind: 'account', accountId }
  const take = () => takeQuota(deps, { bucket })
  t.strictSame(expectOk(await take()), { limit: 3, remaining: 2 })
  deps.clock.advance(20 * secondMicros)
  t.equal(expectOk(await take()).remaining, 1)
  t.equal(expectOk(await take()).remaining, 0)
  t.strictSame(expectErr(await take()), {
    code: 'quota_exceeded',
    resetAtMicros: startMicros + minuteMicros,
    retryAfterSeconds: 40,
  })
  deps.clock.advance(38.5 * secondMicros)
  t.match(expectErr(await take()), { retryAfterSeconds: 2 }, 'a begun second counts')
  deps.clock.advance(1.5 * secondMicros - 1)
  t.match(expectErr(await take()), { retryAfterSeconds: 1 })
  deps.clock.advance(1)
  t.equal(expectOk(await take()).remaining, 1, 'two of the day’s five are left: this one and another')
})

// Promise (The JSON API): 1,440 requests a day per account
t.test('the day blocks when it is used up, and what remains is the smaller of both', async (t) => {
  const { deps, accountId } = await createWorld()
  const bucket: QuotaBucket = { kind: 'account', accountId }
  for (let call = 0; call < 5; call += 1) {
    expectOk(await takeQuota(deps, { bucket }))
    deps.clock.advance(minuteMicros)
  }
  t.equal(expectOk(await peekQuota(deps, { bucket })).remaining, 0)
  t.match(expectErr(await takeQuota(deps, { bucket })), { resetAtMicros: startMicros + dayMicros })
  deps.clock.set(startMicros + dayMicros)
  t.equal(expectOk(await takeQuota(deps, { bucket })).remaining, 2, 'refused calls were not counted')
})

t.test('an account, its pages and its sessions are counted apart', async (t) => {
  const { deps, accountId } = await createWorld()
  const buckets: readonly QuotaBucket[] = [
    { kind: 'account', accountId },
    { kind: 'pages', accountId },
    { kind: 'session', sessionId: accountId },
    { kind: 'session', sessionId: unknownId },
  ]
  for (const bucket of buckets) t.equal(expectOk(await takeQuota(deps, { bucket })).remaining, 2)
  for (const bucket of buckets) t.equal(expectOk(await peekQuota(deps, { bucket })).remaining, 2)
})

t.test('an owner’s tests have limits of their own, whatever the quota is', async (t) => {
  const { deps, accountId } = await createWorld()
  const bucket: QuotaBucket = { kind: 'tests', accountId }
  for (let test = 0; test < 50; test += 1) {
    if (test > 0 && test % 5 === 0) {
      t.match(expectErr(await takeQuota(deps, { bucket })), { retryAfterSeconds: 60 })
      deps.clock.advance(minuteMicros)
    }
    t.equal(expectOk(await takeQuota(deps, { bucket })).limit, 5)
  }
  deps.clock.advance(minuteMicros)
  t.match(expectErr(await takeQuota(deps, { bucket })), { resetAtMicros: startMicros + dayMicros })
  t.equal(expectOk(await peekQuota(deps, { bucket })).remaining, 0)
  t.same(testLimits, { perMinute: 5, perDay: 50 })
})

t.test('when both windows are full the later end counts', async (t) => {
  const world = await createWorld()
  const deps = { ...world.deps, policy: { quota: { perMinute: 2, perDay: 2 } } }
  const bucket: QuotaBucket = { kind: 'address', address: '192.0.2.1' }
  expectOk(await takeQuota(deps, { bucket }))
  expectOk(await takeQuota(deps, { bucket }))
  t.match(expectErr(await takeQuota(deps, { bucket })), { resetAtMicros: startMicros + dayMicros })
})

t.test('every account and every address has its own bucket', async (t) => {
  const { deps, accountId } = await createWorld()
  const buckets: QuotaBucket[] = [
    { kind: 'account', accountId },
    { kind: 'account', accountId: unknownId },
    { kind: 'address', address: accountId },
    { kind: 'address', address: '192.0.2.1' },
  ]
  for (const bucket of buckets) t.equal(expectOk(await takeQuota(deps, { bucket })).remaining, 2)
})

t.test('the store never sees an address', async (t) => {
  const { deps } = await createWorld()
  expectOk(await takeQuota(deps, { bucket: { kind: 'address', address: '192.0.2.1' } }))
  t.notOk(JSON.stringify([...deps.data.quota]).includes('192.0.2.1'))
})

t.test('peeking at the quota counts nothing', async (t) => {
  const { deps, accountId } = await createWorld()
  const bucket: QuotaBucket = { kind: 'account', accountId }
  for (let look = 0; look < 5; look += 1) {
    t.strictSame(expectOk(await peekQuota(deps, { bucket })), { limit: 3, remaining: 3 })
  }
})
