import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { password, sessionOf, startDashboard, type Dashboard, type Owner } from '../support/app.ts'
import { formFor, makeThings, pathsOf } from '../support/paths.ts'

const minuteMicros = 60 * 1_000_000
const unknownId = '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d'

// Promise (The owner's pages): Changes on the pages have a quota of their own
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

const takesAccessAway = [
  '/folders/:id/delete',
  '/requests/:id/close',
  '/secrets/:id/destroy',
  '/secrets/delete',
  '/settings/notifications/webhooks/:id/delete',
  '/settings/password',
  '/settings/sessions/:id/end',
  '/settings/sign-in/passkeys/:id/delete',
  '/settings/tokens/:id/revoke',
]

// Promise (The owner's pages): Changes on the pages have a quota of their own: and whoever uses it up keeps nobody from ending sessions,
// revoking tokens, destroying secrets
t.test('a stolen session cannot use up what the owner needs to take access away', async (t) => {
  const perMinute = takesAccessAway.length
  const dashboard = await startDashboard(t, { perMinute })
  const owner = await dashboard.makeOwner()
  const stolen = await signInAgain(dashboard, owner)
  const things = { ...(await makeThings(dashboard, owner)), session: stolen.sessionId }
  const revoke = `/settings/tokens/${unknownId}/revoke`
  for (let n = 0; n <= perMinute; n += 1) {
    const isOver = n === perMinute
    const added = await dashboard.post('/folders', { label: `${n}` }, { as: stolen })
    t.equal(added.statusCode, isOver ? 429 : 303)
    const revoked = await dashboard.post(revoke, {}, { as: stolen })
    t.equal(
      revoked.statusCode,
      isOver ? 429 : 404,
      'the quota of a session is as large as that of the account',
    )
  }
  for (const { url, path, methods, isOwners } of await pathsOf(dashboard, things)) {
    if (!isOwners || !methods.includes('POST')) continue
    const { statusCode } = await dashboard.post(path, formFor(url, things, owner), { as: owner })
    t.equal(statusCode === 429, !takesAccessAway.includes(url), `${url}: ${statusCode}`)
  }
  t.equal((await dashboard.get('/dashboard', { as: stolen })).headers.location, '/login')
})

async function signInAgain(dashboard: Dashboard, { email }: Owner) {
  const session = sessionOf(await dashboard.signIn({ email, password }))
  if (session === undefined) throw new Error('not signed in')
  const { id } = expectOk(await dashboard.sotto.authenticateSession({ token: session.token })).session
  return { ...session, sessionId: id }
}

t.test('signing out always works', async (t) => {
  const dashboard = await startDashboard(t, { perMinute: 1 })
  const owner = await dashboard.makeOwner()
  for (let n = 0; n < 3; n += 1) await dashboard.post('/folders', { label: `${n}` }, { as: owner })
  t.equal((await dashboard.post('/logout', {}, { as: owner })).statusCode, 303)
  t.equal((await dashboard.get('/dashboard', { as: owner })).statusCode, 303)
})
