import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startDashboard } from '../support/app.ts'
import { makeThings } from '../support/paths.ts'

/** Pages that ask once, and what their answer leads to. */
const questions = [
  { path: (id: string) => `/secrets/${id}/destroy`, thing: 'secret', to: '/dashboard?done=destroyed' },
  { path: (id: string) => `/drafts/${id}/delete`, thing: 'draft', to: '/dashboard?done=draftDeleted' },
  {
    path: (id: string) => `/folders/${id}/delete`,
    thing: 'emptyFolder',
    to: '/dashboard?done=folderDeleted',
  },
  {
    path: (id: string) => `/settings/tokens/${id}/revoke`,
    thing: 'accessToken',
    to: '/settings/tokens?done=tokenRevoked',
  },
  {
    path: (id: string) => `/settings/notifications/webhooks/${id}/delete`,
    thing: 'webhook',
    to: '/settings/notifications?done=webhookDeleted',
  },
] as const

t.test('what cannot be undone is asked once, and asking changes nothing', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  for (const { path, thing, to } of questions) {
    const at = path(things[thing])
    const before = dashboard.snapshot()
    const question = await dashboard.get(at, { as: owner })
    t.equal(question.statusCode, 200, at)
    t.match(question.body, `method="post" action="${at}"`, thing)
    t.equal(dashboard.snapshot(), before, thing)
    const answer = await dashboard.post(at, {}, { as: owner })
    t.match(answer, { statusCode: 303, headers: { location: to } }, thing)
    t.match((await dashboard.get(to, { as: owner })).body, 'role="status"', 'the next page says so')
  }
})

t.test('a destroyed secret’s link is dead, and a revoked token is refused', async (t) => {
  const dashboard = await startDashboard(t)
  const { sotto } = dashboard
  const owner = await dashboard.makeOwner()
  const { accountId } = owner
  const secret = await dashboard.makeSecret(accountId, await dashboard.makeFolder(accountId))
  const made = expectOk(await sotto.createAccessToken({ accountId, name: 'program' }))
  await dashboard.post(`/secrets/${secret.id}/destroy`, {}, { as: owner })
  expectErr(await sotto.openSecret({ token: secret.link.token }), 'link_not_found')
  expectOk(await sotto.authenticate({ token: made.token }))
  await dashboard.post(`/settings/tokens/${made.id}/revoke`, {}, { as: owner })
  expectErr(await sotto.authenticate({ token: made.token }))
  t.pass()
})

t.test('a new token is shown once and works', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const fields = { name: 'program', read: 'on', expires: '30' }
  const answer = await dashboard.post('/settings/tokens', fields, { as: owner })
  t.equal(answer.statusCode, 201)
  const [token = ''] = /sotto_[0-9A-Za-z]{46}/.exec(answer.body) ?? []
  const { scopes } = expectOk(await dashboard.sotto.authenticate({ token }))
  t.same(scopes, ['read'])
  t.notMatch((await dashboard.get('/settings/tokens', { as: owner })).body, token)
  t.notMatch(dashboard.logLines.join(''), token)
  dashboard.clock.advance(30 * 86_400 * 1_000_000)
  expectErr(await dashboard.sotto.authenticate({ token }))
})

t.test('a token without scopes is refused', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const answer = await dashboard.post('/settings/tokens', { name: 'x', expires: '30' }, { as: owner })
  t.equal(answer.statusCode, 400)
  t.equal(dashboard.memory.data.accessTokens.size, 0)
})

// Promise (The owner's pages): The owner can end the lock of a link, and the hundred wrong passwords count on
t.test(
  'a locked secret is not called ready, and its owner can unlock it, which has an audit line',
  async (t) => {
    const dashboard = await startDashboard(t)
    const { accountId, ...owner } = await dashboard.makeOwner()
    const { sotto } = dashboard
    const folderId = expectOk(await sotto.createFolder({ accountId, label: 'Folder' })).id
    const secret = { accountId, folderId, label: 'Label', note: 'note', password: 'otter' }
    const { id, link } = expectOk(await sotto.createSecret(secret))
    const page = async (query = '?new=1') =>
      (await dashboard.get(`/secrets/${id}${query}`, { as: owner })).body
    t.match(await page(), 'Your secret is ready')
    t.notMatch(await page(), '>Unlock<')
    const before = await dashboard.post(`/secrets/${id}/unlock`, {}, { as: owner })
    t.match(before, { statusCode: 303, headers: { location: `/secrets/${id}` } }, 'it is not locked yet')
    for (let at = 0; at < 6; at += 1) expectErr(await sotto.openSecret({ token: link.token, password: 'x' }))
    t.notMatch(await page(), 'Your secret is ready')
    t.match(await page(), `action="/secrets/${id}/unlock"><p>Too many wrong passwords`)
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    t.equal(
      (await dashboard.post(`/secrets/${id}/unlock`, {}, { as: owner, headers: crossSite })).statusCode,
      403,
    )
    t.equal(
      (await dashboard.post(`/secrets/${id}/unlock`, {}, { as: await dashboard.makeOwner() })).statusCode,
      404,
    )
    t.match(await page(), '>Unlock<')
    const unlocked = await dashboard.post(`/secrets/${id}/unlock`, {}, { as: owner })
    t.match(unlocked, { statusCode: 303, headers: { location: `/secrets/${id}?done=unlocked` } })
    t.match(await page('?done=unlocked'), 'The link is unlocked.')
    t.notMatch(await page(), '>Unlock<')
    t.equal(expectOk(await sotto.openSecret({ token: link.token, password: 'otter' })).note, 'note')
    const audits = dashboard.logLines.filter((line) => line.includes('secret_unlocked'))
    t.match(
      audits.map((line) => JSON.parse(line) as unknown),
      [{ audit: true, event: 'secret_unlocked', account_id: accountId, secret_id: id }],
    )
    t.equal(audits.length, 1)
  },
)

t.test('a secret is called ready only until it is opened, also when its page is shown again', async (t) => {
  const dashboard = await startDashboard(t)
  const { accountId, ...owner } = await dashboard.makeOwner()
  const folder = expectOk(await dashboard.sotto.createFolder({ accountId, label: 'Folder' })).id
  const input = { accountId, folderId: folder, label: 'Label', note: 'note', openLimit: 2 }
  const { id, link } = expectOk(await dashboard.sotto.createSecret(input))
  const page = async () => (await dashboard.get(`/secrets/${id}?new=1`, { as: owner })).body
  t.match(await page(), 'class="banner" role="status"')
  expectOk(await dashboard.sotto.openSecret({ token: link.token }))
  t.notMatch(await page(), 'class="banner" role="status"')
})
