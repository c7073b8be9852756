import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { startDashboard, unescaped, type Dashboard, type Owner } from '../support/app.ts'
import { startWithFiles } from '../support/files.ts'

/** A note of the form that a browser's encryption makes: all that the server looks at. */
const note = `sotto-sealed-1.${'V'.repeat(43)}.${'b'.repeat(391)}`

/** Sends the form as the script does, and asks for the page that it leads to. */
async function created(dashboard: Dashboard, as: Owner, fields: Readonly<Record<string, string>>) {
  const folder = await dashboard.makeFolder(as.accountId)
  const sent = { folder, action: 'create', ...fields }
  const { statusCode, headers } = await dashboard.post('/secrets/new?kept=', sent, { as })
  const path = String(headers.location)
  return { statusCode, path, body: (await dashboard.get(path, { as })).body }
}

t.test('the page of a sealed secret has no link to copy but for who has its key', async (t) => {
  const dashboard = await startDashboard(t)
  const as = await dashboard.makeOwner()
  const { path, body } = await created(dashboard, as, { note, label: 'Router' })
  t.match(path, /^\/secrets\/[\da-f-]{36}\?new=1$/)
  t.match(body, '<p data-when="later">The key is only in the link that you copied.</p>')
  const [, keyed = ''] = /<div data-when="keyed" hidden>([^]*?)<h3>/.exec(body) ?? []
  t.match(keyed, 'Copy the link now. Its key is not stored and cannot be shown again.')
  t.match(keyed, /id="link"[^>]*><span data-url>http/)
  t.match(keyed, /id="message" hidden>[^]*<span data-url>http/)
  t.equal(body.split('id="copy-link"').length, keyed.split('id="copy-link"').length, 'and nowhere else')
  t.match(body, '<dt>Encrypted in the browser</dt><dd>Yes</dd>')
  t.notMatch(body, /<figure|class="qr"|sotto-sealed|Your secret is ready/)
  const plain = await created(dashboard, as, { note: 'text', label: 'Plain' })
  t.match(plain.body, /Your secret is ready[^]*class="qr"/)
  t.notMatch(plain.body, /data-when|data-url|Encrypted in the browser/)
})

t.test('lists and search name it as encrypted, and copy no link of it', async (t) => {
  const dashboard = await startDashboard(t)
  const as = await dashboard.makeOwner()
  await created(dashboard, as, { note, label: 'Router' })
  await created(dashboard, as, { note: 'text', label: 'Plain' })
  const found = await dashboard.post('/search', { words: 'r' }, { as })
  for (const { body } of [await dashboard.get('/dashboard', { as }), found]) {
    const rows = body.split(/<\/?li\b/).filter((row) => row.includes('/secrets/'))
    const rowOf = (label: string): string => rows.find((row) => row.includes(`>${label}<`)) ?? ''
    t.match(rowOf('Router'), 'encrypted in the browser')
    t.notMatch(rowOf('Router'), 'data-link')
  }
  t.match((await dashboard.get('/dashboard', { as })).body, /data-link="[\w-]{43}"[^]*>Plain</)
})

t.test('no page or download of its owner has the text that nobody here can read', async (t) => {
  const dashboard = await startDashboard(t)
  const as = await dashboard.makeOwner()
  const { path } = await created(dashboard, as, { note, label: 'Router' })
  const [page = ''] = path.split('?')
  for (const each of [
    path,
    page,
    `${page}/destroy`,
    '/dashboard',
    '/drafts',
    '/settings',
    '/settings/download',
  ])
    t.notMatch((await dashboard.get(each, { as })).body, 'sotto-sealed', each)
  const { body } = await dashboard.post('/settings/download', {}, { as })
  t.match(body, '"sealed":true')
  t.notMatch(body, 'sotto-sealed')
})

t.test('its draft is refused, and so is the field of a box that the script has not taken out', async (t) => {
  const dashboard = await startDashboard(t)
  const as = await dashboard.makeOwner()
  const draft = await created(dashboard, as, { note, action: 'draft' })
  t.equal(draft.statusCode, 400)
  const before = dashboard.snapshot()
  const plain = await dashboard.post('/secrets/new', { note: 'text', action: 'create', seal: 'on' }, { as })
  t.equal(plain.statusCode, 400)
  t.equal(dashboard.snapshot(), before, 'what was meant to be encrypted is not stored as it is')
})

t.test('the form offers it as the installation does, hidden until its script can do it', async (t) => {
  const pageOf = async (sealing: 'offer' | 'ticked' | 'off' | undefined): Promise<string> => {
    const dashboard = await startWithFiles(t, sealing === undefined ? {} : { sealing })
    return unescaped((await dashboard.get('/secrets/new', { as: dashboard.owner })).body)
  }
  t.match(await pageOf(undefined), /<div data-seal="offer"[^>]* data-max="65536"[^>]* hidden>/)
  t.match(await pageOf('ticked'), /<div data-seal="ticked"[^>]* hidden>/)
  t.match(
    await pageOf('ticked'),
    '<input type="checkbox" id="seal" name="seal">',
    'without script nothing is ticked',
  )
  const off = await pageOf('off')
  t.notMatch(off, /data-seal|data-when|AES-GCM|cannot be encrypted/)
  t.match(off, 'Anyone who controls the server can read what passes through it.')
})

t.test('a form that was refused as it was typed does not tick the box again', async (t) => {
  const dashboard = await startDashboard(t, { sealing: 'ticked' })
  const as = await dashboard.makeOwner()
  const { body } = await dashboard.post('/secrets/new', { note: '', action: 'create' }, { as })
  t.match(body, 'data-seal="offer"')
})

t.test(
  'the form of a request offers it as the installation does, and makes no plain request of it',
  async (t) => {
    const formOf = async (sealing: 'offer' | 'ticked' | 'off', fields?: Readonly<Record<string, string>>) => {
      const dashboard = await startDashboard(t, { sealing })
      const as = await dashboard.makeOwner()
      const folder = await dashboard.makeFolder(as.accountId)
      if (fields === undefined) return dashboard.get('/requests/new', { as })
      const typed = { folder, title: 'Title', name: 'Ada', answers: '1', expires: '86400' }
      return dashboard.post('/requests/new', { ...typed, ...fields }, { as })
    }
    const box = '<input type="checkbox" id="seal" name="seal">'
    for (const sealing of ['offer', 'ticked'] as const) {
      const { body } = await formOf(sealing)
      t.match(body, `<div data-seal="${sealing}" hidden>`)
      t.match(body, box, 'without script nothing is ticked')
      t.match((await formOf(sealing, { title: '' })).body, '<div data-seal="offer" hidden>', 'nor again')
      t.equal((await formOf(sealing, { seal: 'on' })).statusCode, 400, 'ticked without a key')
    }
    t.notMatch((await formOf('off')).body, /data-seal|name="(?:seal|key)"|P-256|Encrypt the answers/)
  },
)

async function startWithAnswer(t: Test) {
  const dashboard = await startDashboard(t)
  const as = await dashboard.makeOwner()
  const { accountId } = as
  const [folderId, other] = [
    await dashboard.makeFolder(accountId),
    await dashboard.makeFolder(accountId, 'Other'),
  ]
  const key = `BA${'_-'.repeat(42)}A`
  const asked = { accountId, folderId, title: 'Passport', key, answersAllowed: 2 }
  const { link } = expectOk(await dashboard.sotto.createRequest(asked))
  const note = `sotto-answer-1.${'A'.repeat(478)}`
  expectOk(await dashboard.sotto.answerRequest({ token: link.token, address: 'a', note }))
  let id = ''
  for await (const page of dashboard.sotto.listDrafts({ accountId })) id = expectOk(page).items[0]?.id ?? ''
  const draft = async () => expectOk(await dashboard.sotto.getDraft({ accountId, id }))
  return { dashboard, as, note, other, path: `/drafts/${id}`, draft }
}

t.test('a sealed answer is neither edited nor shared', async (t) => {
  const { dashboard, as, path, draft } = await startWithAnswer(t)
  const before = await draft()
  t.equal((await dashboard.get(`${path}/edit`, { as })).statusCode, 409)
  const { folderId: folder, label } = before
  for (const fields of [
    { folder, label, action: 'share' },
    { folder, label, action: 'save', content: 'on', note: 'text' },
    { folder, label: 'Another', action: 'save' },
  ])
    t.equal((await dashboard.post(path, { opens: '1', ...fields }, { as })).statusCode, 409, fields.action)
  t.same(await draft(), before)
})

t.test('a sealed answer is moved to another folder, and stays as it is', async (t) => {
  const { dashboard, as, path, draft, note, other } = await startWithAnswer(t)
  const { body } = await dashboard.get(path, { as })
  t.match(body, `<form class="panel" method="post" action="${path}">`)
  t.match(body, `<option value="${other}">Other</option>`)
  t.notMatch(body, 'Nothing has been done yet', 'no fault is announced')
  const { label, openLimit, notify } = await draft()
  const moved = await dashboard.post(path, { folder: other, action: 'move' }, { as })
  t.match(moved, { statusCode: 303, headers: { location: `${path}?done=draftSaved` } })
  t.match(await draft(), { folderId: other, note, label, openLimit, notify })
  for (const folder of ['', 'x', as.accountId])
    t.equal((await dashboard.post(path, { folder, action: 'move' }, { as })).statusCode, 400, folder)
  t.match(await draft(), { folderId: other })
})
