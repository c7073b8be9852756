import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startDashboard, unescaped, type Dashboard, type Owner } from '../support/app.ts'
import { makeThings, pathsOf } from '../support/paths.ts'

const payloads = [
  `"><script>alert(1)</script>`,
  `' onx=1 `,
  `</textarea><img src=x onerror=alert(1)>`,
  `&quot;<!--`,
]

/** What a page must never contain: markup or an attribute that somebody typed. */
function intrusionsIn(html: string): readonly string[] {
  const own = html.replace(/<(style|script)>[^]*?<\/\1>/g, '')
  const tags = own.match(/<[a-z](?:"[^"]*"|[^"<>])*>/gi) ?? []
  const bare = tags.map((tag) => tag.replace(/"[^"]*"/g, '""'))
  return [
    ...(html.match(/<script>alert|<img src=x|<!--/g) ?? []),
    ...bare.filter((tag) => /[\s"'/]on\w+\s*=|'/i.test(tag)),
    ...tags.filter((tag) => /(?:href|action|src)="(?!\/|#|data:image)/.test(tag)),
  ]
}

t.test('the check itself notices what it is for', (t) => {
  const broken = [
    '<input value=""><script>alert(1)</script>">',
    '<textarea></textarea><img src=x onerror=alert(1)></textarea>',
    '<p><!--</p>',
    '<input value="" onx=1 >',
    `<input value='' onx=1 '>`,
    '<a href="javascript:alert(1)">',
    '<form action="https://evil.example/">',
  ]
  for (const html of broken) t.ok(intrusionsIn(html).length > 0, html)
  t.same(intrusionsIn('<input value="&#39; onx=1 " required>'), [])
  t.end()
})

/** Everything that a person can name, named with a payload. */
async function nameEverything(dashboard: Dashboard, owner: Owner, text: string) {
  const { sotto } = dashboard
  const { accountId } = owner
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: text }))
  const { id: emptyFolder } = expectOk(await sotto.createFolder({ accountId, label: text }))
  const named = { accountId, folderId, label: text, note: text }
  const secret = expectOk(await sotto.createSecret(named))
  const draft = expectOk(await sotto.saveDraft(named))
  const token = expectOk(await sotto.createAccessToken({ accountId, name: text }))
  expectOk(await sotto.setDisplayName({ accountId, displayName: text }))
  expectOk(await sotto.nameSession({ accountId, id: owner.sessionId, name: text }))
  return { folder: folderId, emptyFolder, secret: secret.id, draft: draft.id, accessToken: token.id }
}

// Promise (The owner's pages): Nothing that a person typed becomes markup
t.test('what a person named cannot break out of any page', async (t) => {
  for (const text of payloads) {
    const dashboard = await startDashboard(t)
    const owner = await dashboard.makeOwner(`${text.replace(/[\s"<>()&;!-]/g, '')}x@example.org`)
    const things = {
      ...(await makeThings(dashboard, owner)),
      ...(await nameEverything(dashboard, owner, text.trim())),
    }
    let shown = 0
    for (const { url, path, methods } of await pathsOf(dashboard, things)) {
      if (!methods.includes('GET')) continue
      const { body, headers } = await dashboard.get(path, { as: owner })
      if (headers['content-type']?.toString().startsWith('text/plain') === true) {
        t.match(headers['content-disposition'], /^attachment; /, url)
        t.match(headers, { 'content-security-policy': /^sandbox;/, 'x-content-type-options': 'nosniff' }, url)
        continue
      }
      t.same(intrusionsIn(body), [], `${url} ${text}`)
      t.notMatch(/<title>(.*?)<\/title>/.exec(body)?.[1], 'alert', 'titles are saved in the history')
      t.notMatch(headers['content-security-policy'], /unsafe|https?:|\*/)
      if (unescaped(body).includes(text.trim())) shown += 1
    }
    t.ok(shown >= 11, `${shown} pages show it`)
  }
})

t.test('no email breaks out of a page', async (t) => {
  for (const email of [`"><script>alert(1)</script>@x.org`, `'onx=1@x.org`, `"><b>@x.org`]) {
    const dashboard = await startDashboard(t)
    const invited = await dashboard.sotto.inviteAccount({ email })
    if (invited.isErr()) continue
    const { body } = await dashboard.get(`/welcome/${invited.value.token}`)
    t.same(intrusionsIn(body), [], email)
    t.match(unescaped(body), email)
  }
})

/** Forms that are refused and shown again, with the names of the fields to fill. */
const refused: readonly (readonly [
  path: string,
  fields: readonly string[],
  fixed?: Record<string, string>,
])[] = [
  ['/login', ['email', 'password', 'next']],
  ['/login/reset', ['email']],
  ['/folders', [], { label: `\n"><script>alert(1)</script>` }],
  [
    '/secrets/new',
    ['folder', 'label', 'note', 'opens', 'password', 'notify', 'expires'],
    { action: 'create' },
  ],
  [
    '/secrets/new',
    ['folder', 'label', 'note', 'opens', 'password', 'notify'],
    { action: 'draft', expires: '3600' },
  ],
  ['/settings/email', ['email']],
  ['/settings/password', ['email'], { password: 'short' }],
  ['/settings/language', ['language']],
  ['/settings/tokens', ['name', 'read', 'write', 'expires']],
  ['/settings/tokens', ['name', 'read', 'write'], { expires: 'x' }],
]

t.test('what was typed into a refused form cannot break out of the page', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  await makeThings(dashboard, owner)
  for (const text of payloads) {
    for (const [path, names, fixed] of refused) {
      const fields = { ...Object.fromEntries(names.map((name) => [name, text])), ...fixed }
      for (const as of [owner, undefined]) {
        const answer = await dashboard.post(path, fields, { as })
        t.ok([400, 401].includes(answer.statusCode), `${path} ${answer.statusCode}`)
        t.same(intrusionsIn(answer.body), [], `${path} ${text}`)
      }
    }
  }
})

t.test('names of fields and addresses cannot break out of the page that keeps a form', async (t) => {
  const dashboard = await startDashboard(t)
  for (const text of payloads) {
    const answer = await dashboard.post(`/secrets/new?x=${text}`, { [text]: text, label: text })
    t.equal(answer.statusCode, 401)
    t.same(intrusionsIn(answer.body), [], text)
    t.ok(unescaped(answer.body).includes(text), 'it is shown')
  }
})

t.test('no value of a query appears as markup', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const names = ['done', 'after', 'folder', 'new', 'next', 'lang', 'signed-out', '__proto__', 'constructor']
  for (const { path, url, methods } of await pathsOf(dashboard, things)) {
    if (!methods.includes('GET')) continue
    for (const text of [...payloads, '__proto__', 'toString']) {
      for (const name of names) {
        const { body, statusCode } = await dashboard.get(`${path}?${name}=${encodeURIComponent(text)}`, {
          as: owner,
        })
        t.ok([200, 303, 404].includes(statusCode), `${url} ${name} ${text}: ${statusCode}`)
        t.same(intrusionsIn(body), [], `${url} ${name}`)
        t.notMatch(body, /undefined|\[object|native code/, `${url} ${name} ${text}`)
      }
    }
  }
})
