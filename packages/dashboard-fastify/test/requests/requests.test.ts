import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { startDashboard } from '../support/app.ts'
import { startWithFiles } from '../support/files.ts'

const fields = {
  name: 'Ada Lovelace',
  title: 'Router <i>',
  text: 'The one\nin the cellar',
  answers: '2',
  expires: '86400',
  notify: 'on',
}

async function start(t: Test) {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId, 'Customers')
  const create = async (more: Partial<Record<keyof typeof fields | 'folder' | 'files', string>> = {}) =>
    dashboard.post('/requests/new', { ...fields, folder, ...more }, { as: owner })
  const made = async (more?: Parameters<typeof create>[0]) => {
    const [, id = ''] = /^\/requests\/([^?]+)\?new=1$/.exec((await create(more)).headers.location ?? '') ?? []
    const request = expectOk(await dashboard.sotto.getRequest({ accountId: owner.accountId, id }))
    return { request, path: `/requests/${id}` }
  }
  return { dashboard, owner, folder, create, made }
}

t.test('an owner asks for a text, and gets a link with a QR code', async (t) => {
  const { dashboard, owner, made } = await start(t)
  const form = await dashboard.get('/requests/new', { as: owner })
  for (const name of ['Title', 'What to send', 'Folder', 'Answers allowed', 'Closes after'])
    t.match(form.body, new RegExp(`<(?:label|legend)[^>]*>${name}`), name)
  t.match(form.body, 'Tell me when it is answered')
  t.match(form.body, '<button type="submit">Create request</button>')
  t.match(form.body, /value="604800" checked/)
  const { request, path } = await made()
  t.match(request, { title: 'Router <i>', text: 'The one\nin the cellar', answersAllowed: 2, notify: true })
  t.equal(request.closesAtMicros - request.createdAtMicros, 86_400_000_000)
  const page = await dashboard.get(`${path}?new=1`, { as: owner })
  t.match(page.body, 'Router &lt;i&gt;')
  t.match(page.body, `/r/${request.link.token}</code>`)
  t.match(
    page.body,
    '<h2>What to send</h2><p class="asked" dir="auto" translate="no">The one\nin the cellar</p>',
  )
  t.match(page.body, 'QR code of the link')
  t.match(page.body, 'Copy link')
  t.match(page.body, 'Answers: 0 of 2')
  t.match((await dashboard.get('/requests', { as: owner })).body, `<a href="${path}">`)
  t.match((await dashboard.get('/dashboard', { as: owner })).body, '<a href="/requests">Requests')
  t.match((await dashboard.get('/help', { as: owner })).body, 'What they hand in becomes one of your drafts.')
})

t.test('what is wrong with a request is said at its fields, which keep what was typed', async (t) => {
  const { dashboard, owner, create } = await start(t)
  const refused = await create({ title: '', text: 'kept text', answers: '101', folder: owner.accountId })
  t.equal(refused.statusCode, 400)
  for (const id of ['title', 'answers', 'folder']) t.match(refused.body, `id="${id}-error"`)
  t.match(refused.body, 'kept text</textarea>')
  for (const answers of ['0', '-1', '1.5', 'x', '1e1'])
    t.equal((await create({ answers })).statusCode, 400, answers)
  t.equal((await create({ text: 'x'.repeat(2_001) })).statusCode, 400)
  t.equal((await create({ expires: '60' })).statusCode, 400)
  t.equal((await dashboard.get('/requests', { as: owner })).body.includes('<ul class="items">'), false)
})

t.test(
  'answers become drafts with the title of the request; closing ends the link and keeps them',
  async (t) => {
    const { dashboard, owner, made, folder } = await start(t)
    const { request, path } = await made()
    const answer = { token: request.link.token, address: 'a', note: 'answer' }
    t.match((await dashboard.get(`${path}?new=1`, { as: owner })).body, 'The request is ready.')
    expectOk(await dashboard.sotto.answerRequest(answer))
    t.notMatch((await dashboard.get(`${path}?new=1`, { as: owner })).body, 'The request is ready.')
    t.match((await dashboard.get(path, { as: owner })).body, 'Answers: 1 of 2')
    t.match((await dashboard.get(`/drafts?folder=${folder}`, { as: owner })).body, 'Router &lt;i&gt;')
    const closed = await dashboard.post(`${path}/close`, {}, { as: owner })
    t.match(closed, { statusCode: 303, headers: { location: `${path}?done=requestClosed` } })
    const { body } = await dashboard.get(`${path}?done=requestClosed`, { as: owner })
    t.match(body, 'The request is closed.')
    t.notMatch(body, request.link.token)
    t.ok((await dashboard.sotto.answerRequest(answer)).isErr())
    t.match((await dashboard.get(`/drafts?folder=${folder}`, { as: owner })).body, 'Router &lt;i&gt;')
  },
)

t.test('a folder is deleted with its requests once they were named', async (t) => {
  const { dashboard, owner, folder, made } = await start(t)
  const { request } = await made()
  const question = await dashboard.get(`/folders/${folder}/delete`, { as: owner })
  t.match(question.body, 'Deleted with it: 1 request.')
  t.match(question.body, 'name="shown" value="1"')
  t.equal((await dashboard.post(`/folders/${folder}/delete`, { shown: '0' }, { as: owner })).statusCode, 409)
  t.ok((await dashboard.sotto.previewRequest({ token: request.link.token })).isOk())
  t.equal((await dashboard.post(`/folders/${folder}/delete`, { shown: '1' }, { as: owner })).statusCode, 303)
  t.ok((await dashboard.sotto.previewRequest({ token: request.link.token })).isErr())
})

// Promise (Requests): A request takes files only if its owner chose so, and where the installation takes any
t.test('an owner chooses whether files may be attached, where the service takes any', async (t) => {
  const box = /<input type="checkbox"[^>]* name="files"[^>]*>/
  const { dashboard, owner, made, create } = await start(t)
  t.notMatch((await dashboard.get('/requests/new', { as: owner })).body, 'Files may be attached')
  t.equal((await made()).request.takesFiles, false)
  t.equal((await create({ files: 'on' })).statusCode, 400)
  const files = await startWithFiles(t)
  const { body } = await files.get('/requests/new', { as: files.owner })
  t.match(body, 'Files may be attached')
  t.notMatch(box.exec(body)?.[0], 'checked')
  const more = { ...fields, folder: files.folder, files: 'on' }
  const refused = await files.post('/requests/new', { ...more, title: '' }, { as: files.owner })
  t.match(box.exec(refused.body)?.[0], 'checked')
  const { headers } = await files.post('/requests/new', more, { as: files.owner })
  const [, id = ''] = /^\/requests\/([^?]+)/.exec(headers.location ?? '') ?? []
  const { accountId } = files.owner
  t.equal(expectOk(await files.sotto.getRequest({ accountId, id })).takesFiles, true)
})
