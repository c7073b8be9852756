import { expectOk } from '@sotto/test-kit'
import Fastify from 'fastify'
import t from 'tap'
import { dashboardRoutes } from '../../src/index.ts'
import { createWorld } from '../../../http-fastify/test/support/world.ts'
import { formType, origin, password, sessionOf, startDashboard } from '../support/app.ts'

t.test('Fastify’s own log lines in an embedding application hold no token of a one-time link', async (t) => {
  const { sotto } = createWorld()
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'trace', stream: { write: (line) => void lines.push(line) } } })
  t.teardown(() => app.close())
  await app.register(dashboardRoutes, { sotto, baseUrl: origin, linkBaseUrl: origin })
  const { token } = expectOk(await sotto.inviteAccount({ email: 'new@example.org' }))
  const url = `/welcome/${token}`
  const headers = { host: 'localhost:3000', 'content-type': formType }
  t.equal((await app.inject({ method: 'GET', url, headers: { host: 'localhost:3000' } })).statusCode, 200)
  const payload = new URLSearchParams({ password }).toString()
  t.equal((await app.inject({ method: 'POST', url, headers, payload })).statusCode, 303)
  t.notMatch(lines.join(''), token)
  t.match(lines.join(''), '"event":"password_chosen"', 'the audit line is there')
})

// Promise (The owner's pages): Audit lines hold ids, and nothing confidential
t.test('audit lines name events and ids, but no email, token or password', async (t) => {
  const dashboard = await startDashboard(t)
  const { email, accountId } = await dashboard.makeOwner()
  const session = sessionOf(await dashboard.signIn({ email, password }))
  const far = { address: '198.51.100.1' }
  for (let n = 0; n < 6; n += 1) await dashboard.signIn({ email, password: 'a wrong passphrase' }, far)
  await dashboard.post('/logout', {}, { as: session })
  const lines = dashboard.logLines.filter((line) => line.includes('"audit":true'))
  const events = lines.map((line) => /"event":"(\w+)"/.exec(line)?.[1])
  t.same(events, [
    'signed_in',
    ...new Array<string>(5).fill('sign_in_refused'),
    'sign_in_locked',
    'signed_out',
  ])
  t.match(lines[0], accountId)
  const all = dashboard.logLines.join('')
  for (const hidden of [email, password, 'a wrong passphrase', session?.token, '198.51.100.1']) {
    t.notMatch(all, hidden)
  }
})

t.test('where the application wants it, audit lines have the client’s address', async (t) => {
  const dashboard = await startDashboard(t, { logAddresses: true })
  const { email } = await dashboard.makeOwner()
  const far = { address: '198.51.100.1' }
  await dashboard.signIn({ email, password: 'a wrong passphrase' }, far)
  await dashboard.signIn({ email, password }, { address: '2001:db8:1:2:3::4' })
  await dashboard.get('/login', far)
  const withAddress = dashboard.logLines.filter((line) => /198\.51\.100\.1|2001:db8/.test(line))
  t.match(
    withAddress.map((line) => JSON.parse(line) as unknown),
    [
      { audit: true, event: 'sign_in_refused', address: '198.51.100.1' },
      { audit: true, event: 'signed_in', address: '2001:db8:1:2:3::4' },
    ],
  )
  t.equal(withAddress.length, 2)
})

t.test('audit lines about secrets and drafts name the account and the secret', async (t) => {
  const dashboard = await startDashboard(t)
  const { accountId, ...owner } = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(accountId)
  const fields = { folder, label: 'L', note: 'N', opens: '1', expires: '3600' }
  const post = (path: string, more: Record<string, string>) =>
    dashboard.post(path, { ...fields, ...more }, { as: owner })
  await post('/secrets/new', { action: 'create' })
  const draft = String((await post('/secrets/new', { action: 'draft' })).headers.location).replace(/\?.*/, '')
  await post(draft, { action: 'save', content: 'on', note: 'another' })
  const id = draft.replace('/drafts/', '')
  await post(draft, { action: 'share', content: 'on' })
  await dashboard.post(`/secrets/${id}/destroy`, {}, { as: owner })
  const lines = dashboard.logLines.filter((line) => line.includes('"audit":true'))
  t.match(
    lines.map((line) => JSON.parse(line) as unknown),
    [
      { event: 'secret_created', account_id: accountId, secret_id: /^[0-9a-f-]{36}$/ },
      ...['draft_saved', 'draft_saved', 'draft_saved', 'draft_shared', 'secret_destroyed'].map((event) => ({
        event,
        account_id: accountId,
        secret_id: id,
      })),
    ],
  )
  t.equal(lines.length, 6)
})
