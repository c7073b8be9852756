import t from 'tap'
import { loginPath, nextPath } from '../../src/shared/next-path.ts'
import { password, sessionOf, startDashboard } from '../support/app.ts'
import { formFor, makeThings, pathsOf } from '../support/paths.ts'

const strangers: readonly ({ token: string } | undefined)[] = [
  undefined,
  { token: '' },
  { token: 'x' },
  { token: 'A'.repeat(43) },
]

// Promise (The owner's pages): Signed out, nothing of an account is shown
t.test('signed out, every page of the owner leads to the login page and back', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const paths = (await pathsOf(dashboard, things)).filter(({ isOwners }) => isOwners)
  t.ok(paths.length >= 19, `${paths.length} paths`)
  for (const { url, path, methods } of paths.filter((each) => each.methods.includes('GET'))) {
    t.ok(methods.includes('HEAD'), url)
    for (const as of strangers) {
      const answer = await dashboard.get(path, { as })
      t.equal(answer.statusCode, 303, url)
      const to = new URL(String(answer.headers.location), 'http://own.example')
      t.equal(to.origin + to.pathname, 'http://own.example/login', url)
      // What is only saved leads back to the page that offers it.
      const page = path.replace(/\/(?:text|files\/[^/]+)$/, '')
      t.equal(to.searchParams.get('next') ?? '/dashboard', page, `back to ${url}`)
      t.equal(answer.body, '', url)
      t.equal((await dashboard.request('HEAD', path, { as })).statusCode, 303, `HEAD ${url}`)
    }
  }
})

// Promise (The owner's pages): Signed out, nothing of an account is shown: and nothing is changed
t.test('signed out, no form changes anything', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const paths = (await pathsOf(dashboard, things)).filter(({ isOwners }) => isOwners)
  const before = dashboard.snapshot()
  for (const { url, path } of paths.filter(({ methods }) => methods.includes('POST'))) {
    for (const as of strangers) {
      const fields = formFor(url, things, owner)
      const { statusCode } = await dashboard.post(path, fields, { as })
      t.equal(statusCode, 401, url)
    }
  }
  t.equal(dashboard.snapshot(), before)
  t.equal(dashboard.memory.data.quota.size, 0)
})

t.test('`/` leads to the secrets or to the login page', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  t.match(await dashboard.get('/'), { statusCode: 303, headers: { location: '/login' } })
  t.match(await dashboard.get('/', { as: owner }), { statusCode: 303, headers: { location: '/dashboard' } })
})

const id = '018f0000-0000-7000-8000-000000000000'
const ownPaths = [
  '/dashboard',
  `/dashboard?folder=${id}`,
  `/dashboard?folder=${id}&after=1700000000000000.${id}`,
  '/settings',
  '/settings/tokens',
  '/settings/sessions',
  '/secrets/new',
  `/secrets/new?folder=${id}`,
  `/secrets/${id}`,
  '/drafts',
  `/drafts/${id}`,
  '/requests',
  '/requests/new',
  `/requests/${id}`,
  `/folders/${id}`,
]

const foreignPaths = [
  '',
  'dashboard',
  '//evil.example',
  '///evil.example/dashboard',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  'https://evil.example',
  'https:evil.example',
  'https:/dashboard',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//dashboard',
  'data:text/html,x',
  '/%2F/evil.example',
  '/%5Cevil.example',
  '%2F%2Fevil.example',
  '/\t/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/\n/evil.example',
  '/dashboard\n',
  '/dashboard\r\nSet-Cookie: sotto=x',
  '/dashboard?x=\r\nSet-Cookie: sotto=x',
  '/dashboard\u0000',
  '/dashboard/../../evil',
  '/dashboard//evil.example',
  '/dashboard@evil.example',
  '/dashboard.evil.example',
  '/dashboard?next=//evil.example',
  '/dashboard#x',
  '/settings/../logout',
  '/settings/delete/x',
  '/login',
  '/login?next=/logout',
  '/logout',
  '/welcome/x',
  '/confirm/x',
  '/login/reset',
  '/api/secret',
  `/${'A'.repeat(43)}`,
  `/secrets/${'a'.repeat(65)}`,
  `/dashboard?${'a'.repeat(513)}`,
  '/secrets/＠evil',
]

t.test('signing in leads to pages of the owner only', (t) => {
  for (const path of ownPaths) t.equal(nextPath(path), path)
  for (const path of foreignPaths) t.equal(nextPath(path), '/dashboard', JSON.stringify(path))
  t.equal(nextPath(undefined), '/dashboard')
  t.equal(loginPath('/dashboard'), '/login')
  t.equal(loginPath('//evil.example'), '/login')
  t.equal(loginPath('/settings/tokens'), '/login?next=%2Fsettings%2Ftokens')
  t.end()
})

// Promise (The owner's pages): Signing in leads to no other site
t.test('no `next` leads to another site: neither by the page nor by its form', async (t) => {
  const dashboard = await startDashboard(t)
  const { email } = await dashboard.makeOwner()
  for (const next of [...ownPaths, ...foreignPaths]) {
    const expected = ownPaths.includes(next) ? next : '/dashboard'
    const page = await dashboard.get(`/login?next=${encodeURIComponent(next)}`)
    t.equal(page.statusCode, 200)
    const shown = /name="next" value="([^"]*)"/.exec(page.body)?.[1]?.replaceAll('&amp;', '&')
    t.equal(shown, next === '' ? '' : expected, JSON.stringify(next))
    const answer = await dashboard.signIn({ email, password, next })
    t.match(answer, { statusCode: 303, headers: { location: expected } }, JSON.stringify(next))
    t.ok(sessionOf(answer))
  }
})

t.test('a `next` that is there twice leads home', async (t) => {
  const dashboard = await startDashboard(t)
  const { body } = await dashboard.get('/login?next=/settings&next=//evil.example')
  t.notMatch(body, 'evil')
  t.notMatch(body, 'name="next"')
})
