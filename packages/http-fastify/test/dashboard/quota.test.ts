import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startDashboard } from './app.ts'

const minuteMicros = 60 * 1_000_000

t.test('an owner changes 60 things a minute, which the API does not count', async (t) => {
  const dashboard = await startDashboard(t)
  const { accountId, ...owner } = await dashboard.makeOwner()
  const stranger = await dashboard.makeOwner()
  const bucket = { kind: 'account', accountId } as const
  for (let n = 0; n < 60; n += 1) {
    const { statusCode } = await dashboard.post('/folders', { label: `Folder ${n}` }, { as: owner })
    t.equal(statusCode, 303)
  }
  const before = dashboard.snapshot()
  const refused = await dashboard.post('/folders', { label: 'One more' }, { as: owner })
  t.match(refused, { statusCode: 429, headers: { 'retry-after': '60' } })
  t.match(refused.headers['content-type'], 'text/html')
  t.equal(dashboard.snapshot(), before)
  t.equal((await dashboard.get('/dashboard', { as: owner })).statusCode, 200, 'reading is not counted')
  t.equal((await dashboard.post('/folders', { label: 'x' }, { as: stranger })).statusCode, 303)
  t.match(expectOk(await dashboard.sotto.peekQuota({ bucket })), { limit: 60, remaining: 60 })

  dashboard.clock.advance(minuteMicros)
  t.equal((await dashboard.post('/folders', { label: 'One more' }, { as: owner })).statusCode, 303)
})

t.test('a full quota of the API does not keep an owner from the pages', async (t) => {
  const dashboard = await startDashboard(t, { perMinute: 2 })
  const owner = await dashboard.makeOwner()
  const bucket = { kind: 'account', accountId: owner.accountId } as const
  for (let n = 0; n < 2; n += 1) expectOk(await dashboard.sotto.takeQuota({ bucket }))
  expectErr(await dashboard.sotto.takeQuota({ bucket }), 'quota_exceeded')
  t.equal((await dashboard.post('/folders', { label: 'x' }, { as: owner })).statusCode, 303)
})

t.test('signing out always works', async (t) => {
  const dashboard = await startDashboard(t, { perMinute: 1 })
  const owner = await dashboard.makeOwner()
  for (let n = 0; n < 3; n += 1) await dashboard.post('/folders', { label: `${n}` }, { as: owner })
  t.equal((await dashboard.post('/logout', {}, { as: owner })).statusCode, 303)
  t.equal((await dashboard.get('/dashboard', { as: owner })).statusCode, 303)
})
