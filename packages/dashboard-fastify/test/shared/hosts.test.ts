import t from 'tap'
import { firstAnswer, head, listen, sendRaw } from '../../../http-fastify/test/support/raw.ts'
import { comparable, startDashboard } from '../support/app.ts'
import { formFor, makeThings, pathsOf } from '../support/paths.ts'

const baseUrl = 'https://app.example.org'
const linkBaseUrl = 'https://s.example.org'

t.test('with two hosts, the pages are on the base host only', async (t) => {
  const dashboard = await startDashboard(t, { baseUrl, linkBaseUrl })
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const paths = await pathsOf(dashboard, things)
  const before = dashboard.snapshot()
  for (const host of ['s.example.org', 'unknown.example', '127.0.0.1', 'app.example.org.evil.example']) {
    const headers = { host }
    for (const { url, path, methods } of paths) {
      const got = await dashboard.get(path, { as: owner, headers })
      t.equal(got.statusCode, 404, `${host} ${url}`)
      t.notMatch(got.body, 'action="/l', `${host} ${url}`)
      t.equal(got.headers['set-cookie'], undefined)
      if (!methods.includes('POST')) continue
      const posted = await dashboard.post(path, formFor(url, things, owner), { as: owner, headers })
      // To the links, `/login` is a link that does not exist, with a form that no link has.
      t.ok([400, 404].includes(posted.statusCode), `${host} ${url} ${posted.statusCode}`)
      t.equal(posted.headers['set-cookie'], undefined)
    }
  }
  t.equal(dashboard.snapshot(), before)
  for (const host of ['app.example.org', 'APP.example.org', 'app.example.org:443']) {
    t.equal((await dashboard.get('/dashboard', { as: owner, headers: { host } })).statusCode, 200, host)
  }
})

t.test('on the host of links, our paths are links that do not exist', async (t) => {
  const dashboard = await startDashboard(t, { baseUrl, linkBaseUrl })
  const headers = { host: 's.example.org' }
  const unknown = comparable(await dashboard.get('/unknown', { headers }))
  for (const path of ['/', '/login', '/dashboard', '/settings']) {
    t.same(comparable(await dashboard.get(path, { headers })), unknown, path)
  }
})

t.test('the host in the request line counts, not the Host header beside it', async (t) => {
  const dashboard = await startDashboard(t, { baseUrl, linkBaseUrl })
  const { token } = await dashboard.makeOwner()
  const port = await listen(dashboard.app)
  const statusOf = async (target: string): Promise<number> => {
    const lines = ['Host: app.example.org', `Cookie: __Host-sotto=${token}`, 'Connection: close']
    return firstAnswer(await sendRaw(port, head(`GET ${target} HTTP/1.1`, ...lines))).status
  }
  t.equal(await statusOf('/settings'), 200)
  t.equal(await statusOf('https://app.example.org/settings'), 200)
  t.equal(await statusOf('https://s.example.org/settings'), 404)
  t.equal(await statusOf('https://unknown.example/settings'), 404)
})

t.test('links are shown on their own host, and the page of a secret names it', async (t) => {
  const dashboard = await startDashboard(t, { baseUrl, linkBaseUrl })
  const owner = await dashboard.makeOwner()
  const { secret } = await makeThings(dashboard, owner)
  const { body } = await dashboard.get(`/secrets/${secret}`, {
    as: owner,
    headers: { host: 'app.example.org' },
  })
  const [, token = ''] = /https:\/\/s\.example\.org\/([\w-]{43})/.exec(body) ?? []
  t.equal(token.length, 43)
  t.equal((await dashboard.get(`/${token}`, { headers: { host: 's.example.org' } })).statusCode, 200)
  t.equal((await dashboard.get(`/${token}`)).statusCode, 404)
})
