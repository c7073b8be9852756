import { expectOk, failing } from '@sotto/test-kit'
import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { password, sessionOf, startDashboard, type Dashboard, type Owner } from '../support/app.ts'

const isIn = async ({ get }: Dashboard, as: { token: string } | undefined): Promise<boolean> =>
  (await get('/settings', { as })).statusCode === 200

const signInAgain = async (dashboard: Dashboard, { email }: Owner): Promise<{ token: string }> => {
  const session = sessionOf(await dashboard.signIn({ email, password }))
  return session ?? { token: 'none' }
}

// Promise (The owner's pages): Signing out ends the session on the server
t.test('signing out ends the session on the server and removes the cookie', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const other = await signInAgain(dashboard, owner)
  const answer = await dashboard.post('/logout', {}, { as: owner })
  t.match(answer, { statusCode: 303, headers: { location: '/login?signed-out=1' } })
  t.match(answer.headers['set-cookie'], /^sotto=; .*Max-Age=0$/)
  t.notOk(await isIn(dashboard, owner), 'also for somebody who has kept the token')
  t.ok(await isIn(dashboard, other), 'other sessions stay')
})

// Promise (The owner's pages): Signing out ends every session for which the browser has a token
t.test('signing out ends the session of each token that the browser sends', async (t) => {
  const dashboard = await startDashboard(t)
  const [one, other] = [await dashboard.makeOwner(), await dashboard.makeOwner()]
  const cookie = `sotto=x; sotto=${one.token}; sotto=${other.token}; sotto=${one.token}`
  const answer = await dashboard.post('/logout', {}, { headers: { cookie } })
  t.match(answer, { statusCode: 303, headers: { location: '/login?signed-out=1' } })
  t.same([await isIn(dashboard, one), await isIn(dashboard, other)], [false, false])
})

t.test(
  'signing out with more tokens than are looked up does not claim to have ended a session',
  async (t) => {
    const dashboard = await startDashboard(t)
    const owner = await dashboard.makeOwner()
    const foreign = Array.from({ length: 16 }, (_, n) => `sotto=${n}; `).join('')
    const headers = { cookie: `${foreign}sotto=${owner.token}` }
    const answer = await dashboard.post('/logout', {}, { headers })
    t.equal(answer.statusCode, 400)
    t.equal(answer.headers['set-cookie'], undefined)
    t.ok(await isIn(dashboard, owner))
  },
)

t.test('signing out works when the session has ended already, and without one', async (t) => {
  const dashboard = await startDashboard(t)
  for (const as of [undefined, { token: 'x' }, { token: 'A'.repeat(43) }]) {
    const answer = await dashboard.post('/logout', {}, { as })
    t.match(answer, { statusCode: 303, headers: { location: '/login?signed-out=1' } })
  }
})

t.test('signing out says so when the session could not be ended', async (t) => {
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  for (const failures of [{ findByDigest: busy }, { erase: busy }]) {
    const dashboard = await startDashboard(t, {
      replace: ({ sessions }) => ({ sessions: failing(sessions, failures, { times: 1 }) }),
    })
    const owner = await dashboard.makeOwner()
    const answer = await dashboard.post('/logout', {}, { as: owner })
    t.equal(answer.statusCode, 503)
    t.equal(answer.headers['set-cookie'], undefined, 'the browser keeps the cookie, to try again')
    t.ok(await isIn(dashboard, owner))
  }
})

t.test('disabling and deleting the account end its sessions', async (t) => {
  const dashboard = await startDashboard(t)
  const [one, other] = [await dashboard.makeOwner(), await dashboard.makeOwner()]
  expectOk(await dashboard.sotto.disableAccount({ accountId: one.accountId }))
  t.same([await isIn(dashboard, one), await isIn(dashboard, other)], [false, true])
  const deleted = await dashboard.post('/settings/delete', {}, { as: other })
  t.match(deleted.headers['set-cookie'], /^sotto=; .*Max-Age=0$/)
  t.notOk(await isIn(dashboard, other))
})

t.test('the settings list all sessions of the account, and end each of them', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const stranger = await dashboard.makeOwner()
  const other = await signInAgain(dashboard, owner)
  const page = await dashboard.get('/settings/sessions', { as: owner })
  const ids = endsOf(page)
  t.equal(ids.length, 2)
  t.equal(ids[0], owner.sessionId, 'the session that asks comes first')
  t.notOk(ids.includes(stranger.sessionId))
  t.match(page.body, 'End session')

  const ended = await dashboard.post(`/settings/sessions/${ids[1]}/end`, {}, { as: owner })
  t.equal(ended.headers.location, '/settings/sessions?done=sessionEnded')
  t.same([await isIn(dashboard, owner), await isIn(dashboard, other)], [true, false])
  const last = await dashboard.post(`/settings/sessions/${ids[0]}/end`, {}, { as: owner })
  t.match(last.headers, { location: '/login?signed-out=1', 'set-cookie': /Max-Age=0/ })
  t.notOk(await isIn(dashboard, owner))
})

// Promise (The owner's pages): Owners name their sessions, and nobody else's
t.test('an owner names a session, and nobody else’s', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const stranger = await dashboard.makeOwner()
  await signInAgain(dashboard, owner)
  const [own = '', other = ''] = endsOf(await dashboard.get('/settings/sessions', { as: owner }))
  const nameIt = (id: string, name: string) =>
    dashboard.post(`/settings/sessions/${id}/name`, { name }, { as: owner })
  for (const [id, name] of [
    [own, 'Laptop'],
    [other.toUpperCase(), ' Phone at <work> '],
  ] as const)
    t.match(await nameIt(id, name), {
      statusCode: 303,
      headers: { location: '/settings/sessions?done=sessionNamed' },
    })
  const { body } = await dashboard.get('/settings/sessions?done=sessionNamed', { as: owner })
  t.match(body, 'The name of the session is saved.')
  t.match(
    body,
    /<bdi>Laptop<\/bdi><\/strong> <span class="badge good">This session[^]+<bdi>Phone at &lt;work&gt;<\/bdi>/,
  )
  t.match(body, `id="name-${other}" name="name" value="Phone at &lt;work&gt;"`)
  t.equal((await nameIt(stranger.sessionId, 'Stolen')).statusCode, 404)
  t.notMatch((await dashboard.get('/settings/sessions', { as: stranger })).body, '<bdi>')
  t.match(
    dashboard.logLines
      .filter((line) => line.includes('"event":"session_named"'))
      .map((line) => JSON.parse(line) as unknown),
    [own, other].map((session_id) => ({ audit: true, account_id: owner.accountId, session_id })),
  )
  t.notMatch(dashboard.logLines.join(''), /Laptop|Phone/)
})

t.test('a session’s name that breaks a rule is refused at the field of that session', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  await signInAgain(dashboard, owner)
  const before = dashboard.snapshot()
  const [, other = ''] = endsOf(await dashboard.get('/settings/sessions', { as: owner }))
  for (const name of ['', ' ', 'x'.repeat(61), 'a\u202eb']) {
    const refused = await dashboard.post(`/settings/sessions/${other}/name`, { name }, { as: owner })
    t.equal(refused.statusCode, 400)
    const fields = refused.body.match(/<input [^>]*name="name"[^>]*>/g) ?? []
    t.equal(fields.length, 2)
    const faulty = fields.filter((field) => field.includes('aria-invalid="true"'))
    t.match(faulty, [`id="name-${other}" name="name" value="${name}"`])
    t.equal(faulty.length, 1)
  }
  t.equal(dashboard.snapshot(), before)
})

t.test('ending one’s own session by its id in upper case removes the cookie', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const path = `/settings/sessions/${owner.sessionId.toUpperCase()}/end`
  const answer = await dashboard.post(path, {}, { as: owner })
  t.match(answer.headers, { location: '/login?signed-out=1', 'set-cookie': /Max-Age=0/ })
  t.notOk(await isIn(dashboard, owner))
})

function endsOf({ body }: LightMyRequestResponse): string[] {
  return [...body.matchAll(/action="\/settings\/sessions\/([^/"]+)\/end"/g)].map(([, id = '']) => id)
}
