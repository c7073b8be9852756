import type { FullPorts } from '@sotto/identity'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { startDashboard, type Dashboard, type Owner } from '../support/app.ts'
import { formsFor, makeThings, pathOf, pathsOf } from '../support/paths.ts'

/** Fields of forms with texts that people are shown. */
const shownFields = ['label', 'title', 'text', 'name', 'email']

const invisible = {
  'an override': 'invoice\u202efdp.exe',
  'an isolate': 'a\u2067b',
  'a mark of direction': 'a\u200fb',
  'a space without width': 'pay\u200bpal',
  'a line separator': 'a\u2028b',
  'a byte order mark': 'a\ufeffb',
  'a filler': 'a\u3164b',
  'a tag': 'a\u{e0041}b',
}

// Promise (The owner's pages): No text that people are shown has a character that nobody sees
t.test('no form takes what nobody would see, and the form that comes back names the field', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const tried = new Set<string>()
  for (const [url, fields] of Object.entries(formsFor(things, owner))) {
    if (url === '/login' || url === '/login/reset') continue
    for (const field of shownFields.filter((name) => name in fields)) {
      for (const [kind, text] of Object.entries({ ...invisible, nothing: '\u200b' })) {
        const before = stored(dashboard)
        const sent = { ...fields, [field]: field === 'email' ? `${text}@example.org` : text }
        const { statusCode, body } = await dashboard.post(pathOf(url, things), sent, { as: owner })
        t.equal(statusCode, 400, `${url} ${field}: ${kind}`)
        t.match(body, 'aria-invalid="true"', `${url} ${field}: ${kind}`)
        t.equal(stored(dashboard), before)
        dashboard.clock.advance(2_000_000)
        tried.add(`${url} ${field}`)
      }
    }
  }
  t.strictSame(
    [...tried],
    [
      '/secrets/new label',
      '/drafts/:id label',
      '/requests/new title',
      '/requests/new text',
      '/requests/new name',
      '/folders label',
      '/folders/:id label',
      '/settings/email email',
      '/settings/name name',
      '/settings/tokens name',
      '/settings/sign-in/passkeys name',
      '/settings/sessions/:id/name name',
    ],
  )
})

t.test(
  'emoji, joiners inside words and lines of a request are stored and shown as they were typed',
  async (t) => {
    const dashboard = await startDashboard(t)
    const owner = await dashboard.makeOwner()
    const folder = await dashboard.makeFolder(owner.accountId)
    const title = '👩🏽‍⚕️ می‌خواهم क्‍ष'
    const fields = { folder, name: 'Ada', title, text: 'one\r\n\r\n\t👨‍👩‍👧 two', answers: '1', expires: '86400' }
    const { statusCode, headers } = await dashboard.post('/requests/new', fields, { as: owner })
    t.equal(statusCode, 303)
    const { body } = await dashboard.get(String(headers.location), { as: owner })
    t.ok(body.includes(`<h1><bdi translate="no">${title}</bdi></h1>`))
    t.ok(body.includes('one\n\n\t👨‍👩‍👧 two'))
  },
)

// Promise (The owner's pages): What an earlier version took is shown without harm
t.test('what an earlier version took is shown with signs for what nobody would see', async (t) => {
  const { dashboard, owner, things, tokens } = await startOld(t)
  let shown = 0
  for (const { path, methods } of await pathsOf(dashboard, things)) {
    if (!methods.includes('GET')) continue
    const { body } = await dashboard.get(path, { as: owner })
    t.notMatch(withoutValues(body), /\u202e/, path)
    if (body.includes('\ufffd')) shown += 1
  }
  t.ok(shown >= 14, `${shown} pages show it`)
  for (const [path, answer] of [
    [`/${tokens.secret}`, await dashboard.post(`/${tokens.secret}`, {})],
    [`/r/${tokens.request}`, await dashboard.get(`/r/${tokens.request}`)],
  ] as const) {
    t.equal(answer.statusCode, 200, path)
    t.match(answer.body, 'old\ufffdtext', path)
    t.notMatch(answer.body, /\u202e/, path)
  }
})

/** Everything but when the session was used last. */
function stored(dashboard: Dashboard): string {
  return dashboard.snapshot().replace(/lastUsedAtMicros: \d+/g, '')
}

/** What a form has to be sent again, which nobody reads as a part of the page. */
function withoutValues(html: string): string {
  return html.replace(/ value="[^"]*"/g, '').replace(/<textarea[^]*?<\/textarea>/g, '')
}

/** Everything that can be named, in a database that is older than the rule for names. */
async function startOld(t: Test) {
  const old = (text: string): string => text.replaceAll('~', '\u202e')
  const replace = ({ textCipher, secretCipher }: FullPorts): Partial<FullPorts> => ({
    textCipher: { ...textCipher, decryptText: (...input) => textCipher.decryptText(...input).map(old) },
    secretCipher: {
      ...secretCipher,
      decryptHead: (secret) =>
        secretCipher.decryptHead(secret).map((head) => ({ ...head, label: old(head.label) })),
    },
  })
  const dashboard = await startDashboard(t, { replace })
  const owner = await dashboard.makeOwner()
  const made = await makeThings(dashboard, owner)
  return { dashboard, owner, ...(await nameEverything(dashboard, owner, 'old~text', made)) }
}

async function nameEverything(
  { sotto }: Dashboard,
  { accountId, sessionId }: Owner,
  text: string,
  made: Awaited<ReturnType<typeof makeThings>>,
) {
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: text }))
  const { id: emptyFolder } = expectOk(await sotto.createFolder({ accountId, label: text }))
  const named = { accountId, folderId, label: text, note: 'note' }
  const secret = expectOk(await sotto.createSecret(named))
  const draft = expectOk(await sotto.saveDraft(named))
  const request = expectOk(await sotto.createRequest({ accountId, folderId, title: text, text }))
  const token = expectOk(await sotto.createAccessToken({ accountId, name: text }))
  expectOk(await sotto.setDisplayName({ accountId, displayName: text }))
  expectOk(await sotto.nameSession({ accountId, id: sessionId, name: text }))
  const ids = { folder: folderId, emptyFolder, secret: secret.id, draft: draft.id, request: request.id }
  return {
    things: { ...made, ...ids, accessToken: token.id },
    tokens: { secret: secret.link.token, request: request.link.token },
  }
}
