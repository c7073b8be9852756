import { expectOk } from '@sotto/test-kit'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { startDashboard, unescaped, type Dashboard, type Fields, type Owner } from '../support/app.ts'

interface Setting {
  readonly dashboard: Dashboard
  readonly owner: Owner
  readonly fields: Fields
}

async function start(t: Test): Promise<Setting> {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId)
  const fields = { folder, label: 'Label', note: 'text', opens: '', expires: '2592000', action: 'create' }
  return { dashboard, owner, fields }
}

/** What a recipient reads of the secret whose page an answer leads to. */
async function openedNote(
  { sotto }: Dashboard,
  { accountId }: Owner,
  answer: LightMyRequestResponse,
  password?: string,
) {
  const id = /^\/secrets\/([^?]*)/.exec(String(answer.headers.location))?.[1] ?? 'none'
  const { link } = expectOk(await sotto.viewSecret({ accountId, id }))
  return expectOk(await sotto.openSecret({ token: link.token, password })).note
}

/** A text area's text as a browser sends it again: the parser drops one line break after the tag. */
function sentAgain({ body }: LightMyRequestResponse): string {
  const [, text = ''] = /<textarea[^>]*name="note"[^>]*>([^]*?)<\/textarea>/.exec(body) ?? []
  const value = unescaped(text.replace(/^\n/, '')).replace(/\r\n?/g, '\n')
  return value.replaceAll('\n', '\r\n')
}

const notes: readonly (readonly [what: string, sent: string, stored: string])[] = [
  ['lines', 'one\r\ntwo\r\n', 'one\ntwo\n'],
  ['a leading line break', '\r\nfirst', '\nfirst'],
  ['two leading line breaks', '\r\n\r\nfirst', '\n\nfirst'],
  ['only line breaks', '\r\n', '\n'],
  ['line feeds of a program', 'a\nb', 'a\nb'],
  ['spaces and tabs', ' \t a  b \t ', ' \t a  b \t '],
  ['markup', '<b>&amp;</b> "\'', '<b>&amp;</b> "\''],
  ['other scripts', 'ñ e\u0301 \u202eabc \u{1f511} عربي', 'ñ e\u0301 \u202eabc \u{1f511} عربي'],
  ['special characters', '\ufeffa\u200b\u0085\u2028b', '\ufeffa\u200b\u0085\u2028b'],
  ['what forms encode', 'a+b%20c&d=e;f', 'a+b%20c&d=e;f'],
]

// Promise (The owner's pages): A note arrives as it was typed
t.test('a note arrives as it was typed, its line breaks as line feeds', async (t) => {
  for (const [what, sent, stored] of notes) {
    const { dashboard, owner, fields } = await start(t)
    const created = await dashboard.post('/secrets/new', { ...fields, note: sent }, { as: owner })
    t.equal(created.statusCode, 303, what)
    t.equal(await openedNote(dashboard, owner, created), stored, what)
  }
})

t.test('a draft that is shown, sent back and shared keeps its note', async (t) => {
  for (const [what, sent, stored] of notes) {
    const { dashboard, owner, fields } = await start(t)
    const draft = { ...fields, note: sent, action: 'draft' }
    const path = String((await dashboard.post('/secrets/new', draft, { as: owner })).headers.location)
    const again = { ...fields, content: 'on', note: sentAgain(await dashboard.get(path, { as: owner })) }
    const to = path.replace(/\?.*/, '')
    const saved = await dashboard.post(to, { ...again, action: 'save' }, { as: owner })
    t.equal(saved.headers.location, `${to}?done=draftSaved`, what)
    const shared = await dashboard.post(to, { ...again, action: 'share' }, { as: owner })
    t.equal(await openedNote(dashboard, owner, shared), stored, what)
  }
})

t.test('a refused form shows the note as it was typed', async (t) => {
  for (const [what, sent] of notes) {
    const { dashboard, owner, fields } = await start(t)
    const page = await dashboard.post('/secrets/new', { ...fields, note: sent, folder: 'x' }, { as: owner })
    t.equal(page.statusCode, 400)
    t.equal(sentAgain(page), sent.replace(/\r?\n/g, '\r\n'), what)
  }
})

t.test(
  'the note of a draft with a password is shown with the password only, and shared without it',
  async (t) => {
    const { dashboard, owner, fields } = await start(t)
    const draft = { ...fields, note: 'hidden text', password: 'the right one', action: 'draft' }
    const saved = await dashboard.post('/secrets/new', draft, { as: owner })
    const path = String(saved.headers.location).replace(/\?.*/, '')
    const page = await dashboard.get(path, { as: owner })
    t.notMatch(page.body, 'hidden text')
    t.notMatch(page.body, 'name="note"')
    for (const password of ['wrong', '', 'the right one ']) {
      const answer = await dashboard.post(`${path}/note`, { password }, { as: owner })
      t.equal(answer.statusCode, 400, password)
      t.notMatch(answer.body, 'hidden text')
      if (password !== '') t.notMatch(answer.body, password)
    }
    const shown = await dashboard.post(`${path}/note`, { password: 'the right one' }, { as: owner })
    t.equal(shown.statusCode, 200)
    t.equal(sentAgain(shown), 'hidden text')
    t.notMatch(shown.body, 'the right one')
    const columns = { folder: fields['folder'] ?? '', label: 'New label', opens: '', expires: '3600' }
    const shared = await dashboard.post(path, { ...columns, action: 'share' }, { as: owner })
    t.equal(await openedNote(dashboard, owner, shared, 'the right one'), 'hidden text')
  },
)

t.test('a draft keeps its password, gets a new one, or loses it, as its form says', async (t) => {
  const changes: readonly (readonly [Fields, password: string | undefined, status: number])[] = [
    [{ content: 'on', note: 'new text', password: '' }, undefined, 400],
    [{ content: 'on', note: 'new text', password: 'second' }, 'second', 303],
    [{ content: 'on', note: 'new text', password: '', 'remove-password': 'on' }, undefined, 303],
  ]
  for (const [change, password, status] of changes) {
    const { dashboard, owner, fields } = await start(t)
    const draft = { ...fields, password: 'first', action: 'draft' }
    const path = String((await dashboard.post('/secrets/new', draft, { as: owner })).headers.location)
    const sent = { ...fields, ...change, action: 'share' }
    const shared = await dashboard.post(path.replace(/\?.*/, ''), sent, { as: owner })
    t.equal(shared.statusCode, status)
    if (status === 303) t.equal(await openedNote(dashboard, owner, shared, password), 'new text')
    else t.match(shared.body, 'new text', 'what was typed is kept')
  }
})

t.test('a secret lives as long as its form says', async (t) => {
  for (const [expires, seconds] of [
    ['3600', 3_600],
    ['86400', 86_400],
    ['604800', 604_800],
    ['2592000', 2_592_000],
    ['', 2_592_000],
  ] as const) {
    const { dashboard, owner, fields } = await start(t)
    const { headers } = await dashboard.post(
      '/secrets/new',
      { ...fields, expires, opens: '2' },
      { as: owner },
    )
    const id = /^\/secrets\/(.*)\?new=1$/.exec(String(headers.location))?.[1] ?? ''
    const secret = expectOk(await dashboard.sotto.viewSecret({ accountId: owner.accountId, id }))
    t.equal(secret.expiresAtMicros - secret.link.createdAtMicros, seconds * 1_000_000, expires)
    t.equal(secret.openLimit, 2)
  }
})
