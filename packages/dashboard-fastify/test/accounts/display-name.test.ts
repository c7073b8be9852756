import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startDashboard, unescaped, type Dashboard, type Owner } from '../support/app.ts'

const nameOf = async ({ sotto }: Dashboard, { accountId }: Owner): Promise<string | undefined> =>
  expectOk(await sotto.getAccount({ accountId })).displayName

const nameField = ({ body }: { readonly body: string }): string | undefined =>
  unescaped(/<input [^>]*id="name"[^>]*>/.exec(body)?.[0] ?? '')

// Promise (The owner's pages): Recipients see the display name that the owner chose, and none by default
t.test('recipients see the display name that the owner chose, and none of another owner', async (t) => {
  const dashboard = await startDashboard(t)
  const [owner, other] = [await dashboard.makeOwner(), await dashboard.makeOwner()]
  const pageOf = async ({ accountId }: Owner): Promise<string> => {
    const { link } = await dashboard.makeSecret(accountId, await dashboard.makeFolder(accountId))
    return unescaped((await dashboard.get(`/${link.token}`)).body)
  }
  t.match(nameField(await dashboard.get('/settings', { as: owner })), 'value=""', 'none at first')
  const saved = await dashboard.post('/settings/name', { name: ' Ann <Reed> ' }, { as: owner })
  t.match(saved, { statusCode: 303, headers: { location: '/settings?done=nameSaved' } })
  const page = await dashboard.get('/settings?done=nameSaved', { as: owner })
  t.match(nameField(page), 'value="Ann <Reed>"')
  t.match(page.body, 'The display name is saved.')
  t.match(await pageOf(owner), /From <bdi[^>]*>Ann <Reed><\/bdi>/)
  t.notMatch(await pageOf(other), 'Ann')
  t.equal(await nameOf(dashboard, other), undefined)
})

t.test('an empty field erases the display name', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  for (const name of ['', '  ']) {
    await dashboard.post('/settings/name', { name: 'Ann Reed' }, { as: owner })
    const erased = await dashboard.post('/settings/name', { name }, { as: owner })
    t.match(erased, { statusCode: 303, headers: { location: '/settings?done=nameErased' } })
    t.equal(await nameOf(dashboard, owner), undefined)
  }
})

t.test('a display name that breaks a rule is refused at its field, and what was typed is kept', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  await dashboard.post('/settings/name', { name: 'Ann Reed' }, { as: owner })
  for (const name of ['x'.repeat(61), 'Ann\u202edeeR', 'Ann\tReed']) {
    const refused = await dashboard.post('/settings/name', { name }, { as: owner })
    t.equal(refused.statusCode, 400)
    t.match(nameField(refused), 'aria-invalid="true" autofocus')
    t.ok(nameField(refused)?.includes(`value="${name}"`))
    t.match(refused.body, 'id="name-error"')
  }
  t.equal(await nameOf(dashboard, owner), 'Ann Reed')
})

t.test('the audit line of a display name does not have the name', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  await dashboard.post('/settings/name', { name: 'Ann Reed' }, { as: owner })
  const lines = dashboard.logLines.filter((line) => line.includes('"event":"display_name_changed"'))
  t.match(
    lines.map((line) => JSON.parse(line) as unknown),
    [{ audit: true, account_id: owner.accountId }],
  )
  t.notMatch(dashboard.logLines.join(''), 'Ann Reed')
})
