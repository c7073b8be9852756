import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startDashboard } from './app.ts'

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
  const draft = { accountId, folderId: folder, label: 'first', note: 'first' }
  const { id } = expectOk(await dashboard.sotto.saveDraft(draft))
  const version = versionIn((await dashboard.get(`/drafts/${id}`, { as: owner })).body)
  const form = { folder, expires: '3600', content: 'on', version, action: 'save', label: 'x', note: 'x' }
  expectOk(await dashboard.sotto.editDraft({ ...draft, id, label: 'changed', content: undefined }))
  const refused = await dashboard.post(`/drafts/${id}`, { ...form, opens: 'x' }, { as: owner })
  t.equal(refused.statusCode, 400)
  t.equal(versionIn(refused.body), version)
})
