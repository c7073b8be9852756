import t, { type Test } from 'tap'
import { origin, startDashboard } from '../support/app.ts'
import { formFor, makeThings, pathOf, pathsOf, someFiles } from '../support/paths.ts'

type Headers = Readonly<Record<string, string>>

const foreign: readonly Headers[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost:3000' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'cross-site', origin },
  { 'sec-fetch-site': '' },
  { 'sec-fetch-site': 'Same-Origin' },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { origin: 'https://localhost:3000' },
  { origin: 'http://localhost' },
  { origin: 'http://localhost:3000/' },
  { origin: '' },
]

const own: readonly Headers[] = [
  {},
  { origin },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin', origin },
  // Browsers say so for a page whose policy hides its origin. The relation is then what counts.
  { 'sec-fetch-site': 'same-origin', origin: 'null' },
]

/** Showing the note of a draft is a form so that its password is in no address. It changes nothing; neither do tests and downloads. */
const withoutChange = new Set([
  // The operator has made a link for the account, which such a request spares.
  '/login/reset',
  '/drafts/:id/note',
  '/search',
  // No link is locked. That another site cannot unlock one is shown in things.test.ts.
  '/secrets/:id/unlock',
  '/secrets/finished',
  '/settings/download',
  '/settings/notifications/mails/test',
  '/settings/notifications/webhooks/:id/test',
])

// Promise (The owner's pages): Forms from other sites change nothing
t.test('a form from another site changes nothing, whatever its path', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const paths = (await pathsOf(dashboard, things)).filter(({ methods }) => methods.includes('POST'))
  t.ok(paths.length >= 18, `${paths.length} paths take forms`)
  const before = dashboard.snapshot()
  const attempts = dashboard.memory.data.signInAttempts.size
  for (const { url, path } of paths) {
    for (const headers of foreign) {
      const answer = await dashboard.post(path, formFor(url, things, owner), { as: owner, headers })
      t.equal(answer.statusCode, 403, `${url} ${JSON.stringify(headers)}`)
      t.equal(answer.headers['set-cookie'], undefined)
      t.match(answer.headers, { 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
    }
  }
  t.equal(dashboard.snapshot(), before)
  t.equal(dashboard.memory.data.signInAttempts.size, attempts, 'no attempt is counted')
  t.equal(dashboard.memory.data.quota.size, 0, 'no change is counted')
})

t.test('the same forms from our own pages, and from programs, are accepted', async (t) => {
  const first = await startDashboard(t)
  const things = await makeThings(first, await first.makeOwner())
  const paths = await pathsOf(first, things)
  const forms = paths.filter(({ methods }) => methods.includes('POST'))
  for (const [at, { url }] of forms.entries()) {
    // Each path gets some of them, and the first one all. The rule does not depend on the path: see same-origin.test.ts.
    for (const headers of at === 0 ? own : [own[at % own.length]!]) {
      const { statusCode, isChanged } = await send(t, url, headers)
      t.ok([200, 201, 303].includes(statusCode), `${url} ${JSON.stringify(headers)}: ${statusCode}`)
      t.equal(isChanged, !withoutChange.has(url), url)
    }
  }
})

/** Sends the form of a path to an application of its own. */
async function send(
  t: Test,
  url: string,
  headers: Headers,
): Promise<{ statusCode: number; isChanged: boolean }> {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const before = dashboard.snapshot()
  const fields = formFor(url, things, owner)
  const { statusCode } = await dashboard.post(pathOf(url, things), fields, { as: owner, headers })
  return { statusCode, isChanged: dashboard.snapshot() !== before }
}

t.test('showing a page changes nothing, so links from other sites may lead to it', async (t) => {
  const dashboard = await startDashboard(t, { files: someFiles })
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const before = dashboard.snapshot()
  for (const { path } of await pathsOf(dashboard, things)) {
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      const { statusCode } = await dashboard.request(method, path, { as: owner, headers })
      t.ok([200, 303, 405].includes(statusCode), `${method} ${path}`)
    }
  }
  t.equal(dashboard.snapshot(), before)
})

t.test('the own origin is the configured one, whatever the Host header says', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const headers = { host: 'evil.example', origin: 'http://evil.example' }
  const before = dashboard.snapshot()
  t.equal((await dashboard.post('/folders', { label: 'x' }, { as: owner, headers })).statusCode, 403)
  t.equal(dashboard.snapshot(), before)
})

t.test('two origins and two relations are refused', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const doubled: readonly Record<string, string[]>[] = [
    { origin: [origin, 'https://evil.example'] },
    { 'sec-fetch-site': ['same-origin', 'cross-site'] },
  ]
  const before = dashboard.snapshot()
  for (const headers of doubled) {
    const { statusCode } = await dashboard.post('/folders', { label: 'x' }, { as: owner, headers })
    t.equal(statusCode, 403, JSON.stringify(headers))
  }
  t.equal(dashboard.snapshot(), before)
})
