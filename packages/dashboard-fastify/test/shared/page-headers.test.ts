import { createHash } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { startDashboard, type Dashboard } from '../support/app.ts'
import { formFor, makeThings, pathsOf } from '../support/paths.ts'

/** One answer of each kind to each path: shown, redirected, refused, not found. */
async function answers(dashboard: Dashboard): Promise<Readonly<Record<string, LightMyRequestResponse>>> {
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const all: Record<string, LightMyRequestResponse> = {}
  for (const { url, path, methods } of await pathsOf(dashboard, things)) {
    for (const method of [...methods, 'PUT'].filter((each) => each !== 'HEAD' && each !== 'POST')) {
      all[`${method} ${url}`] = await dashboard.request(method, path, { as: owner })
      all[`${method} ${url} signed out`] = await dashboard.request(method, path)
    }
    if (!methods.includes('POST')) continue
    const headers = { 'sec-fetch-site': 'cross-site' }
    all[`cross-site ${url}`] = await dashboard.post(path, {}, { as: owner, headers })
    all[`form ${url} signed out`] = await dashboard.post(path, formFor(url, things, owner))
    all[`unknown field ${url}`] = await dashboard.post(path, { unknown: 'x' }, { as: owner })
  }
  return all
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const sourcesOf = (body: string, tag: string): string[] =>
  [...body.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, text = '']) => hashOf(text))

const isPage = ({ headers, body }: LightMyRequestResponse): boolean =>
  String(headers['content-type']).startsWith('text/html') && body !== ''

// Promise (The owner's pages): Pages are not cached, framed or indexed
t.test('no answer is cached, framed, indexed or readable by other sites', async (t) => {
  const dashboard = await startDashboard(t)
  for (const [kind, { headers, statusCode }] of Object.entries(await answers(dashboard))) {
    t.ok(statusCode < 500, `${kind}: ${statusCode}`)
    t.match(
      headers,
      {
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        vary: /Cookie/,
        'x-content-type-options': 'nosniff',
        'x-robots-tag': /noindex/,
        'permissions-policy': /camera=\(\)/,
      },
      kind,
    )
    t.equal(headers['access-control-allow-origin'], undefined, kind)
    t.equal(headers['strict-transport-security'], undefined, kind)
  }
})

// Promise (The owner's pages): Pages are not cached, framed or indexed: and run only their own scripts
t.test('the content security policy of a page allows what it contains, and nothing else', async (t) => {
  const dashboard = await startDashboard(t)
  const pages = Object.entries(await answers(dashboard)).filter(([, answer]) => isPage(answer))
  t.ok(pages.length > 40, `${pages.length} pages`)
  for (const [kind, { headers, body }] of pages) {
    const hasForm = body.includes('<form')
    const scripts = sourcesOf(body, 'script')
    const expected = [
      "default-src 'none'",
      `style-src ${sourcesOf(body, 'style').join(' ')}`,
      ...(scripts.length === 0 ? [] : [`script-src ${scripts.join(' ')}`]),
      'img-src data:',
      `form-action ${hasForm ? "'self'" : "'none'"}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]
    t.equal(headers['content-security-policy'], expected.join('; '), kind)
    t.notMatch(body, / (?:style|on\w+)=| src=|@import|url\(|formaction/, `${kind} loads nothing`)
    t.equal(headers['referrer-policy'], hasForm ? 'same-origin' : 'no-referrer', kind)
    t.equal(headers['content-language'], 'en', kind)
  }
})

t.test('redirects and downloads leak no address', async (t) => {
  const dashboard = await startDashboard(t)
  const others = Object.entries(await answers(dashboard)).filter(([, answer]) => !isPage(answer))
  for (const [kind, { headers, statusCode, body }] of others) {
    t.equal(headers['referrer-policy'], 'no-referrer', kind)
    if (statusCode === 303) t.equal(body, '', kind)
    else t.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'", kind)
  }
})

// Promise (The owner's pages): With https, browsers stay with https
t.test('with an https base, browsers must stay with https', async (t) => {
  const dashboard = await startDashboard(t, { baseUrl: 'https://sotto.example.org' })
  for (const path of ['/', '/login', '/dashboard', '/welcome/x']) {
    const { headers } = await dashboard.get(path)
    t.equal(headers['strict-transport-security'], 'max-age=31536000', path)
  }
})

t.test('HEAD answers like GET, without a body', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  for (const { url, path, methods } of await pathsOf(dashboard, things)) {
    if (!methods.includes('GET')) continue
    for (const as of [owner, undefined]) {
      const { date: _, 'transfer-encoding': ___, ...get } = (await dashboard.get(path, { as })).headers
      const head = await dashboard.request('HEAD', path, { as })
      const { date: __, ...headers } = head.headers
      t.same(headers, get, url)
      t.equal(head.body, '', url)
    }
  }
})

t.test('every page says in English what design and people call its controls', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const { secret, draft } = await makeThings(dashboard, owner)
  const controls: Readonly<Record<string, readonly string[]>> = {
    '/dashboard': ['New secret', 'New folder', 'Sign out'],
    '/secrets/new': ['Folder', 'Title', 'Text', 'Can be opened', 'Deleted after', 'Password'],
    '/secrets/new?': ['Tell me when it is opened', 'Create link', 'Keep as draft'],
    [`/secrets/${secret}`]: ['Copy link', 'Delete'],
    [`/drafts/${draft}`]: ['Share', 'Keep as draft'],
    '/settings': ['Display name', 'Delete account'],
    '/settings/sign-in': ['Password', 'Change password'],
    '/settings/tokens': ['New token', 'Delete'],
    '/settings/sessions': ['Name', 'Save', 'End session'],
    '/settings/notifications': ['Notifications', 'Save', 'Send test mail', 'Address', 'Add webhook'],
    '/settings/notifications?': ['Send test', 'Delete webhook'],
  }
  for (const [path, names] of Object.entries(controls)) {
    const { body } = await dashboard.get(path, { as: owner })
    for (const name of names) t.match(body, new RegExp(`>\\s*${name}\\s*<`), `${path}: ${name}`)
  }
})

t.test('the name leads home, except from a page that keeps what somebody typed', async (t) => {
  const dashboard = await startDashboard(t)
  for (const [kind, answer] of Object.entries(await answers(dashboard)).filter(([, each]) => isPage(each))) {
    const keepsText = answer.body.includes('<textarea hidden')
    const isOwners = answer.body.includes('<body class="wide">')
    if (isOwners) t.match(answer.body, '<a class="home" href="/dashboard">', kind)
    if (keepsText) t.match(answer.body, '<span class="home">', kind)
  }
})

/** What a sheet must say where a page has it: a rule for each class, and for fields that a browser shows in a look of its own. */
const unstyled = new Set(['first'])

t.test('every page has the sheets of its parts', async (t) => {
  const dashboard = await startDashboard(t)
  for (const [kind, answer] of Object.entries(await answers(dashboard)).filter(([, each]) => isPage(each))) {
    const css = [...answer.body.matchAll(/<style>([^]*?)<\/style>/g)].map(([, text = '']) => text).join('')
    const classes = [...answer.body.matchAll(/<\w+[^>]* class="([\w -]+)"/g)].flatMap(([, list = '']) =>
      list.split(' '),
    )
    const missing = [...new Set(classes)].filter((name) => !unstyled.has(name) && !css.includes(`.${name}`))
    t.same(missing, [], kind)
    if (answer.body.includes('<fieldset')) t.match(css, 'fieldset{', kind)
  }
})
