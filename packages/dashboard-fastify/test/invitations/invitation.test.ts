import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { comparable, password, sessionOf, startDashboard, type Dashboard } from '../support/app.ts'

const hourMicros = 3_600 * 1_000_000
const email = 'new@example.org'

async function invite({ sotto }: Dashboard, to = email): Promise<string> {
  return `/welcome/${expectOk(await sotto.inviteAccount({ email: to })).token}`
}

async function reset({ sotto }: Dashboard, to = email): Promise<string> {
  return `/welcome/${expectOk(await sotto.resetAccount({ email: to })).token}`
}

t.test('choosing a password signs in immediately, and its address counts as known', async (t) => {
  const dashboard = await startDashboard(t)
  const path = await invite(dashboard)
  const page = await dashboard.get(path)
  t.equal(page.statusCode, 200)
  t.match(page.body, email)
  t.match(page.body, `action="${path}"`)
  const address = '198.51.100.7'
  const answer = await dashboard.post(path, { email, password }, { address })
  t.match(answer, { statusCode: 303, headers: { location: '/dashboard?done=invitation' } })
  t.equal((await dashboard.get('/dashboard?done=invitation', { as: sessionOf(answer) })).statusCode, 200)
  for (let n = 0; n < 6; n += 1) {
    await dashboard.signIn({ email, password: 'a wrong one' }, { address: '203.0.113.1' })
  }
  t.equal((await dashboard.signIn({ email, password }, { address: '203.0.113.2' })).statusCode, 429)
  t.equal((await dashboard.signIn({ email, password }, { address })).statusCode, 303)
})

t.test('the name that is typed beside a first password is kept, and recipients see it', async (t) => {
  const dashboard = await startDashboard(t)
  const path = await invite(dashboard)
  const refused = await dashboard.post(path, { email, password: 'short', name: 'Ann Reed' })
  t.match(refused, { statusCode: 400, body: /name="name" value="Ann Reed"/ })
  const as = sessionOf(await dashboard.post(path, { email, password, name: ' Ann Reed ' }))
  t.match((await dashboard.get('/settings', { as })).body, /name="name" value="Ann Reed"/)
  const folders = (await dashboard.get('/secrets/new', { as })).body
  const [, folder = ''] = /name="folder"(?: value|><option value)="([^"]+)"/.exec(folders) ?? []
  const typed = { note: 'x', opens: '1', count: '', expires: '3600', label: '', password: '', folder }
  const created = await dashboard.post('/secrets/new', { ...typed, action: 'create' }, { as })
  const { body } = await dashboard.get(String(created.headers.location), { as })
  const [, token = ''] = /id="link"[^>]*>https?:\/\/[^/]+\/([\w-]{43})</.exec(body) ?? []
  t.match((await dashboard.get(`/${token}`)).body, /From <bdi[^>]*>Ann Reed<\/bdi>/)
})

t.test('choosing a password ends the session that the browser had before', async (t) => {
  const dashboard = await startDashboard(t)
  const [before, bystander] = [await dashboard.makeOwner(), await dashboard.makeOwner()]
  const path = await invite(dashboard)
  t.equal((await dashboard.post(path, { password: 'short' }, { as: before })).statusCode, 400)
  t.equal((await dashboard.get('/dashboard', { as: before })).statusCode, 200, 'nothing was chosen')
  const answer = await dashboard.post(path, { password }, { as: before })
  t.equal((await dashboard.get('/dashboard', { as: before })).statusCode, 303)
  t.equal((await dashboard.get('/dashboard', { as: bystander })).statusCode, 200)
  t.equal((await dashboard.get('/dashboard', { as: sessionOf(answer) })).statusCode, 200)
})

// Promise (The owner's pages): Only choosing a password uses up a one-time link: and does not say why it cannot be used
t.test('a link that cannot be used looks the same, whatever the reason', async (t) => {
  const dashboard = await startDashboard(t)
  const dead: Record<string, string> = {
    unknown: `/welcome/${'A'.repeat(43)}`,
    malformed: '/welcome/x',
    long: `/welcome/${'A'.repeat(1_000)}`,
    encoded: '/welcome/%2F%00',
  }
  dead['replaced'] = await invite(dashboard, 'a@example.org')
  await invite(dashboard, 'a@example.org')
  dead['replaced by a reset'] = await invite(dashboard, 'b@example.org')
  await reset(dashboard, 'b@example.org')
  dead['spent'] = await invite(dashboard, 'c@example.org')
  await dashboard.post(dead['spent'], { password })
  dead['of a disabled account'] = await invite(dashboard, 'd@example.org')
  const { id: accountId } = expectOk(await dashboard.sotto.findAccount({ email: 'd@example.org' }))
  expectOk(await dashboard.sotto.disableAccount({ accountId }))
  dead['expired'] = await reset(dashboard, 'c@example.org')
  dashboard.clock.advance(hourMicros)
  const before = dashboard.snapshot()
  for (const method of ['GET', 'HEAD', 'POST']) {
    const answerTo = async (path: string): Promise<unknown> =>
      comparable(
        await (method === 'POST' ? dashboard.post(path, { password }) : dashboard.request(method, path)),
      )
    const expected = await answerTo(`/welcome/${'B'.repeat(43)}`)
    t.match(expected, { statusCode: 404 })
    for (const [what, path] of Object.entries(dead))
      t.same(await answerTo(path), expected, `${method} ${what}`)
  }
  t.equal(dashboard.snapshot(), before)
})

t.test('a bad password is refused in the same way for every dead link', async (t) => {
  const dashboard = await startDashboard(t)
  const answers = []
  for (const path of ['/welcome/x', `/welcome/${'A'.repeat(43)}`]) {
    answers.push(comparable(await dashboard.post(path, { password: 'short' })))
  }
  t.match(answers[0], { statusCode: 404 })
  t.same(answers[0], answers[1])
})

// Promise (The owner's pages): Only choosing a password uses up a one-time link
t.test('a link is spent by choosing a password only', async (t) => {
  const dashboard = await startDashboard(t)
  const path = await invite(dashboard)
  const before = dashboard.snapshot()
  for (const method of ['GET', 'HEAD', 'GET', 'PUT', 'DELETE', 'OPTIONS'])
    await dashboard.request(method, path)
  for (const body of ['', 'password=', 'password=short', 'password=x&password=y', 'extra=1', '%']) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    t.equal((await dashboard.request('POST', path, { headers, body })).statusCode, 400, body)
  }
  t.equal(dashboard.snapshot(), before)
  t.equal((await dashboard.post(path, { password })).statusCode, 303)
  const chosen = dashboard.snapshot()
  t.equal((await dashboard.post(path, { password: 'another fine passphrase' })).statusCode, 404)
  t.equal(dashboard.snapshot(), chosen)
})

t.test('webhooks of before are named on the page, and deleted when the password is chosen', async (t) => {
  const dashboard = await startDashboard(t)
  const { sotto } = dashboard
  const { accountId, email: address } = await dashboard.makeOwner()
  for (const make of [invite, reset]) {
    const url = 'https://hooks.example.org/key-that-opens?also=this'
    expectOk(await sotto.createWebhook({ accountId, url }))
    const path = await make(dashboard, address)
    const page = await dashboard.get(path)
    t.match(page.body, 'deletes these webhooks')
    t.match(page.body, '<bdi dir="ltr" translate="no">hooks.example.org</bdi>')
    t.notMatch(page.body, 'key-that-opens')
    t.equal(expectOk(await sotto.listWebhooks({ accountId })).items.length, 1, 'until it is used')
    const answer = await dashboard.post(path, { password })
    t.match(answer, { statusCode: 303, headers: { location: '/dashboard?done=invitationWithoutWebhooks' } })
    const after = await dashboard.get(String(answer.headers.location), { as: sessionOf(answer) })
    t.match(after.body, 'The webhooks that the account had are deleted')
    t.equal(expectOk(await sotto.listWebhooks({ accountId })).items.length, 0)
  }
  t.notMatch((await dashboard.get(await reset(dashboard, address))).body, 'webhooks')
})

// Promise (The owner's pages): A password is refused for the email's name only as a whole word, which is named
t.test('the word that a password must not contain is named beforehand and in the refusal', async (t) => {
  const dashboard = await startDashboard(t)
  const invited = await invite(dashboard, 'ann@example.org')
  const field = /the word “<bdi>ann<\/bdi>”/
  t.match((await dashboard.get(invited)).body, field)
  const refused = await dashboard.post(invited, { password: 'the password of ann' })
  t.match(refused, { statusCode: 400, body: field })
  t.match(refused.body, /class="error"[^>]*>It contains the word “ann”/)
  const chosen = await dashboard.post(invited, { password: 'channel of planning 77' })
  t.equal(chosen.statusCode, 303)
  const as = sessionOf(chosen)
  t.match((await dashboard.get('/settings/sign-in', { as })).body, field)
  const changed = await dashboard.post('/settings/password', { password: 'ann has another one' }, { as })
  t.match(changed, { statusCode: 400, body: /class="error"[^>]*>It contains the word “ann”/ })
})

t.test('neither the token nor the password is logged', async (t) => {
  const dashboard = await startDashboard(t)
  const path = await invite(dashboard)
  await dashboard.get(path)
  await dashboard.post(path, { password: 'short' })
  await dashboard.post(path, { password })
  await dashboard.get(path)
  const lines = dashboard.logLines.join('')
  t.match(lines, '"audit":true')
  for (const hidden of [path.slice('/welcome/'.length), password, email]) t.notMatch(lines, hidden)
})
