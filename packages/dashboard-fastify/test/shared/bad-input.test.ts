import { expectOk } from '@sotto/test-kit'
import { bounds } from '@sotto/core'
import t from 'tap'
import { formType, password, startDashboard, type Dashboard, type Owner } from '../support/app.ts'
import { formFor, makeThings, pathsOf, type Path, type Things } from '../support/paths.ts'

interface World {
  readonly dashboard: Dashboard
  readonly owner: Owner
  readonly things: Things
  readonly paths: readonly Path[]
}

async function start(t: Parameters<typeof startDashboard>[0]): Promise<World> {
  const dashboard = await startDashboard(t, { perMinute: 100_000, perDay: 100_000, noteMaxBytes: 1_000 })
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const paths = (await pathsOf(dashboard, things)).filter(({ methods }) => methods.includes('POST'))
  return { dashboard, owner, things, paths }
}

function manyFields(count: number): string {
  return Array.from({ length: count }, (_, n) => `field${n}=`).join('&')
}

type Body = readonly [what: string, status: number, type: string | undefined, body: string | Buffer]

/** Bodies that no form of ours sends to the path. */
const bodiesFor = (url: string): readonly Body[] => {
  const fieldsMax = url === '/secrets/delete' ? 400 : 32
  return [
    ...bodies,
    ['more fields than a form has', 400, formType, manyFields(fieldsMax + 1)],
    ['more empty fields than a form has', 400, formType, '&'.repeat(fieldsMax)],
  ]
}

/** Bodies that no form of ours sends, whatever the path. */
const bodies: readonly Body[] = [
  ['no media type', 415, undefined, 'label=x'],
  ['JSON', 415, 'application/json', '{"label":"x"}'],
  ['plain text, which other sites can send', 415, 'text/plain', 'label=x'],
  [
    'multipart',
    415,
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="label"\r\n\r\nx\r\n--x--',
  ],
  ['another charset', 415, `${formType}; charset=iso-8859-1`, 'label=%E9'],
  ['an unknown parameter', 415, `${formType}; boundary=x`, 'label=x'],
  ['a field twice', 400, formType, 'label=x&label=y'],
  ['a field twice, encoded', 400, formType, 'label=x&l%61bel=y'],
  ['invalid UTF-8', 400, formType, 'label=%FF'],
  ['raw invalid UTF-8', 400, formType, Buffer.from([0x6c, 0x3d, 0xff])],
  ['half an escape', 400, formType, 'label=%4'],
  ['a surrogate in UTF-8', 400, formType, 'label=%ED%A0%80'],
  ['too much', 413, formType, `note=${'x'.repeat(3 * 1_000 + 16 * 1_024)}`],
]

t.test('a body that is no form of ours is refused with its status, and nothing is changed', async (t) => {
  const { dashboard, owner, paths } = await start(t)
  const before = dashboard.snapshot()
  for (const { url, path, isOwners } of paths) {
    for (const [what, status, type, body] of bodiesFor(url)) {
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await dashboard.request('POST', path, { as: owner, headers, body })
      t.equal(answer.statusCode, status, `${url} ${what}`)
      t.match(answer.headers['content-type'], 'text/html', `${url} ${what}`)
      t.match(answer.body, /<h1>.+<\/h1>/)
      t.equal(answer.headers['set-cookie'], undefined)
      const signedOut = await dashboard.request('POST', path, { headers, body })
      t.equal(signedOut.statusCode, isOwners ? 401 : status, `${url} ${what}: nobody is signed in`)
    }
  }
  t.equal(dashboard.snapshot(), before)
  t.equal(dashboard.memory.data.quota.size, 0, 'no change is counted')
})

// Promise (The owner's pages): Only forms with a note take more than 16 KiB
t.test('only the forms with a note may be long', async (t) => {
  const { dashboard, owner, paths } = await start(t)
  const body = `label=${'x'.repeat(16 * 1_024)}`
  const long: string[] = []
  for (const { url, path } of paths) {
    const headers = { 'content-type': formType }
    const { statusCode } = await dashboard.request('POST', path, { as: owner, headers, body })
    if (statusCode !== 413) long.push(url)
  }
  t.same(long.toSorted(), ['/drafts/:id', '/secrets/new'])
})

t.test('a compressed body and two media types are refused', async (t) => {
  const { dashboard, owner } = await start(t)
  const before = dashboard.snapshot()
  for (const headers of [
    { 'content-type': formType, 'content-encoding': 'gzip' },
    { 'content-type': [formType, formType] },
  ]) {
    const answer = await dashboard.request('POST', '/folders', { as: owner, headers, body: 'label=x' })
    t.equal(answer.statusCode, 415)
  }
  t.equal(dashboard.snapshot(), before)
})

t.test('a field that the form does not have is refused, and nothing is changed', async (t) => {
  const { dashboard, owner, things, paths } = await start(t)
  const before = dashboard.snapshot()
  const accepting: string[] = []
  for (const { url, path } of paths) {
    const fields = formFor(url, things, owner)
    if (Object.keys(fields).length === 0 && url !== '/settings/delete') continue
    for (const name of ['unknown', '', '__proto__', 'constructor', 'Label', 'accountId']) {
      const answer = await dashboard.post(path, { ...fields, [name]: 'x' }, { as: owner })
      if (answer.statusCode !== 400) accepting.push(`${url} ${name}`)
      t.equal(answer.headers['set-cookie'], undefined)
    }
  }
  t.same(accepting, [])
  t.equal(dashboard.snapshot(), before)
})

/** Their fields may all be empty. */
const withoutRequired = new Set([
  '/settings/name',
  '/settings/language',
  '/settings/notifications/mails',
  '/drafts/:id/note',
  '/secrets/delete',
])

t.test('an empty form changes nothing where a field is required', async (t) => {
  const { dashboard, owner, things, paths } = await start(t)
  const before = dashboard.snapshot()
  for (const { url, path } of paths) {
    const fields = formFor(url, things, owner)
    const names = Object.keys(fields)
    if (names.length === 0 || withoutRequired.has(url)) continue
    const empty = Object.fromEntries(names.map((name) => [name, '']))
    for (const sent of [{}, empty]) {
      const { statusCode } = await dashboard.post(path, sent, { as: owner })
      t.equal(statusCode, url.startsWith('/login') && url !== '/login/reset' ? 401 : 400, url)
    }
  }
  t.equal(dashboard.snapshot(), before)
})

t.test('a method that a path does not have: 405 with those that it has', async (t) => {
  const { dashboard, owner, things } = await start(t)
  const before = dashboard.snapshot()
  for (const { url, path, methods } of await pathsOf(dashboard, things)) {
    t.match(methods.join(', '), /^(?:GET, HEAD|POST|GET, HEAD, POST)$/, url)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      if (methods.includes(method)) continue
      for (const as of [owner, undefined]) {
        const answer = await dashboard.request(method, path, { as })
        t.match(answer, { statusCode: 405, headers: { allow: methods.join(', ') } }, `${method} ${url}`)
      }
    }
  }
  t.equal(dashboard.snapshot(), before)
})

const long = 'x'.repeat(256)

interface Refused {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** The field that has the problem. */
  readonly at: string
}

const secretFields = { label: 'kept label', note: 'kept note', opens: '3', expires: '3600', notify: 'on' }
const noteProblems: readonly Readonly<Record<string, string>>[] = [
  { note: 'x'.repeat(1_001) },
  { note: 'a\u0000b' },
  { note: '' },
  { label: long },
  { label: 'two\nlines' },
  { opens: '0' },
  { opens: '1000001' },
  { opens: '-1' },
  { opens: '1e3' },
  { opens: '1.5' },
  { opens: 'many' },
  { expires: '5' },
  { expires: '2592001' },
  { expires: 'x' },
  { password: 'p'.repeat(1_025) },
  { folder: 'x' },
]

// Promise (The owner's pages): Passwords are never sent back
t.test(
  'a field that breaks a rule is marked and linked above, what was typed is kept, but never a password',
  async (t) => {
    const { dashboard, owner, things } = await start(t)
    const typed = 'the link password'
    const forms: Refused[] = [
      { path: '/folders', fields: { label: long }, at: 'label' },
      { path: `/folders/${things.folder}`, fields: { label: long }, at: 'label' },
      { path: '/settings/email', fields: { email: 'nobody' }, at: 'email' },
      { path: '/settings/password', fields: { password: 'short one' }, at: 'password' },
      { path: '/settings/name', fields: { name: long }, at: 'name' },
      { path: `/settings/sessions/${things.session}/name`, fields: { name: long }, at: 'name' },
      { path: '/settings/tokens', fields: { name: long, read: 'on', expires: '90' }, at: 'name' },
      { path: '/settings/notifications/webhooks', fields: { url: 'nowhere' }, at: 'url' },
    ]
    for (const problem of noteProblems) {
      const fields = { ...secretFields, folder: things.folder, password: typed, ...problem }
      const [name = ''] = Object.keys(problem)
      const at = name === 'opens' ? 'count' : name
      forms.push({ path: '/secrets/new', fields: { ...fields, action: 'create' }, at })
      if (at !== 'expires') forms.push({ path: '/secrets/new', fields: { ...fields, action: 'draft' }, at })
      forms.push({
        path: `/drafts/${things.draft}`,
        fields: { ...fields, content: 'on', action: 'save' },
        at,
      })
    }
    const before = dashboard.snapshot()
    for (const { path, fields, at } of forms) {
      const what = `${path} ${fields['action'] ?? ''} ${at}=${fields[at]?.slice(0, 20)}`
      const { statusCode, body } = await dashboard.post(path, fields, { as: owner })
      t.equal(statusCode, 400, what)
      t.match(body, new RegExp(`<(?:input|textarea|select)[^>]*name="${at}"[^>]*aria-invalid="true"`), what)
      const [, id] = new RegExp(`<p class="error" id="(${at}(?:-[0-9a-f-]{36})?)-error"`).exec(body) ?? []
      t.match(body, /<title>Error: /, what)
      t.match(body, new RegExp(`role="alert">.*<li><a href="#${String(id)}">[A-Z]`, 's'), what)
      const [, first] = /<li><a href="#([^"]+)">/.exec(body) ?? []
      t.match(body, new RegExp(`<(?:input|textarea|select)[^>]* id="${String(first)}"[^>]* autofocus`), what)
      for (const [name, value] of Object.entries(fields)) {
        if (['action', 'content', 'folder', 'expires', 'notify', 'read'].includes(name)) continue
        const isKept = value !== '' && body.includes(value.trim())
        t.equal(isKept, name !== 'password' && value !== '', `${what}: ${name}`)
      }
      if (fields['notify'] !== undefined) t.match(body, /name="notify" checked/, what)
    }
    t.equal(dashboard.snapshot(), before)
    t.notMatch(dashboard.logLines.join(''), new RegExp(`${typed}|kept|${password}`))
  },
)

// Promise (The owner's pages): A refused form shows all of its problems
t.test('a draft’s missing password is shown together with all other problems', async (t) => {
  const { dashboard, owner } = await start(t)
  const { accountId } = owner
  const folderId = await dashboard.makeFolder(accountId)
  const draft = { accountId, folderId, label: 'Draft', note: 'note', password: 'sesame' }
  const { id } = expectOk(await dashboard.sotto.saveDraft(draft))
  const before = dashboard.snapshot()
  for (const opens of ['unlimited', '0', 'x']) {
    const fields = {
      folder: 'x',
      label: long,
      note: 'other',
      content: 'on',
      opens,
      expires: '1',
      action: 'share',
    }
    const answer = await dashboard.post(`/drafts/${id}`, fields, { as: owner })
    t.equal(answer.statusCode, 400)
    const expected = ['folder', 'label', 'password', 'expires', ...(opens === 'unlimited' ? [] : ['count'])]
    t.same(invalidIn(answer.body).toSorted(), expected.toSorted(), `opens: ${opens}`)
  }
  t.equal(dashboard.snapshot(), before)
})

t.test('a new secret’s unknown lifetime is shown together with all other problems', async (t) => {
  const { dashboard, owner } = await start(t)
  const fields = { folder: 'x', label: long, note: '', opens: '0', expires: '1', action: 'create' }
  const answer = await dashboard.post('/secrets/new', fields, { as: owner })
  t.equal(answer.statusCode, 400)
  t.same(invalidIn(answer.body).toSorted(), ['count', 'expires', 'folder', 'label', 'note'])
  t.match(answer.body, `max="${bounds.openLimitMax}" step="1"`, 'the browser knows the bound of the core')
})

/** The names of the fields that a page marks as invalid. */
function invalidIn(body: string): string[] {
  const fields = body.match(/<(?:input|textarea|select)[^>]*aria-invalid="true"/g) ?? []
  return [...new Set(fields.map((field) => / name="([^"]*)"/.exec(field)?.[1] ?? ''))]
}
