import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startDashboard } from '../support/app.ts'

const versionIn = (body: string): string => /name="version" value="([0-9a-f]{32})"/.exec(body)?.[1] ?? ''

t.test('a draft that was changed in another window is not overwritten unasked', async (t) => {
  const dashboard = await startDashboard(t)
  const { accountId, ...owner } = await dashboard.makeOwner()
  const { sotto } = dashboard
  const folder = expectOk(await sotto.createFolder({ accountId, label: 'Folder' })).id
  const { id } = expectOk(
    await sotto.saveDraft({ accountId, folderId: folder, label: 'first', note: 'first' }),
  )
  const path = `/drafts/${id}`
  const version = versionIn((await dashboard.get(path, { as: owner })).body)
  t.equal(version.length, 32)
  const form = { folder, opens: '', expires: '3600', content: 'on', version }
  const save = (fields: Record<string, string>) => dashboard.post(path, { ...form, ...fields }, { as: owner })
  t.equal((await save({ label: 'one window', note: 'one', action: 'save' })).statusCode, 303)
  for (const action of ['save', 'share']) {
    const refused = await save({ label: 'other window', note: 'the other text', action })
    t.equal(refused.statusCode, 409, action)
    t.match(refused.body, 'role="alert"')
    t.match(refused.body, 'the other text', 'what was typed is kept')
    t.match(expectOk(await sotto.getDraft({ accountId, id })), { label: 'one window', note: 'one' })
    t.not(versionIn(refused.body), version, 'saving again is a decision')
  }
  const { body } = await save({ label: 'other window', note: 'the other text', action: 'save' })
  const again = await save({
    ...{ label: 'other window', note: 'the other text', action: 'save' },
    version: versionIn(body),
  })
  t.equal(again.statusCode, 303)
  t.match(expectOk(await sotto.getDraft({ accountId, id })), { label: 'other window' })
})

t.test('a field with a problem does not take the newer version for granted', async (t) => {
  const dashboard = await startDashboard(t)
  const { accountId, ...owner } = await dashboard.makeOwner()
  const folder = expectOk(await dashboard.sotto.createFolder({ accountId, label: 'Folder' })).id
  const draft = { accountId, folderId: folder }
  const { id } = expectOk(await dashboard.sotto.saveDraft({ ...draft, label: 'first', note: 'first' }))
  const version = versionIn((await dashboard.get(`/drafts/${id}`, { as: owner })).body)
  const form = { folder, expires: '3600', content: 'on', version, action: 'save', label: 'x', note: 'x' }
  expectOk(await dashboard.sotto.editDraft({ ...draft, id, label: 'changed', content: undefined }))
  const refused = await dashboard.post(`/drafts/${id}`, { ...form, opens: 'x' }, { as: owner })
  t.equal(refused.statusCode, 400)
  t.equal(versionIn(refused.body), version)
})

t.test('what was typed into a draft that is gone can be saved as a new one', async (t) => {
  const dashboard = await startDashboard(t)
  const { accountId, ...owner } = await dashboard.makeOwner()
  const folder = expectOk(await dashboard.sotto.createFolder({ accountId, label: 'Folder' })).id
  const { id } = expectOk(
    await dashboard.sotto.saveDraft({ accountId, folderId: folder, label: 'first', note: 'first' }),
  )
  const typed = {
    folder,
    label: 'typed label',
    note: 'a <typed> text',
    opens: '2',
    expires: '3600',
    notify: 'on',
  }
  const form = { ...typed, content: 'on', action: 'save' }
  const hidden = { ...form, content: '', note: '' }
  expectOk(await dashboard.sotto.deleteDraft({ accountId, id }))
  for (const path of [`/drafts/${id}`, '/drafts/unknown']) {
    const gone = await dashboard.post(path, form, { as: owner })
    t.equal(gone.statusCode, 404)
    t.match(gone.body, /role="alert"[^]*deleted or shared in another window/)
    t.match(gone.body, 'action="/secrets/new"')
    for (const text of ['typed label', 'a &lt;typed&gt; text', 'value="2"']) t.match(gone.body, text)
  }
  t.equal((await dashboard.post(`/drafts/${id}`, hidden, { as: owner })).statusCode, 404)
  const saved = await dashboard.post('/secrets/new', { ...typed, action: 'draft' }, { as: owner })
  t.match(saved.headers.location, /\/drafts\/.*draftSaved/)
})
