import { expectErr, expectOk } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import {
  startDashboard,
  unescaped,
  type Dashboard,
  type DashboardOptions,
  type Owner,
} from '../support/app.ts'

/** An owner with a folder of two secrets and a draft. */
async function start(t: Test, options?: DashboardOptions) {
  const dashboard = await startDashboard(t, options)
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId, 'Customers')
  const secrets = [
    await dashboard.makeSecret(owner.accountId, folder),
    await dashboard.makeSecret(owner.accountId, folder),
  ]
  await dashboard.makeDraft(owner.accountId, folder)
  return { dashboard, owner, folder, secrets, path: `/folders/${folder}/delete` }
}

/** What the form of the question sends. */
async function confirmed({ get }: Dashboard, as: Owner, path: string): Promise<{ shown: string }> {
  const { body } = await get(path, { as })
  return { shown: /<input type="hidden" name="shown" value="(\d+)">/.exec(body)?.[1] ?? '' }
}

// Promise (The owner's pages): Old addresses of a folder's page lead to its list
t.test('the address of a folder leads to its list, for its owner only', async (t) => {
  const { dashboard, owner, folder } = await start(t)
  for (const id of [folder, folder.toUpperCase()]) {
    const location = `/dashboard?folder=${folder}`
    t.match(await dashboard.get(`/folders/${id}`, { as: owner }), { statusCode: 303, headers: { location } })
  }
  const stranger = await dashboard.makeOwner()
  t.equal((await dashboard.get(`/folders/${folder}`, { as: stranger })).statusCode, 404)
})

t.test(
  'a folder is renamed beside its list, and a refused title comes back into the open form',
  async (t) => {
    const { dashboard, owner, folder } = await start(t)
    const renamed = await dashboard.post(`/folders/${folder}`, { label: 'Clients' }, { as: owner })
    const location = `/dashboard?folder=${folder}&done=folderRenamed`
    t.match(renamed, { statusCode: 303, headers: { location } })
    const list = await dashboard.get(location, { as: owner })
    t.match(list.body, 'role="status"')
    t.match(list.body, /<h2><bdi>Clients<\/bdi><\/h2>[^]*<details><summary>Rename or delete/)
    const refused = await dashboard.post(`/folders/${folder}`, { label: 'a\u0007b' }, { as: owner })
    t.equal(refused.statusCode, 400)
    const [form = ''] = /<details open><summary>Rename or delete[^]*?<\/details>/.exec(refused.body) ?? []
    t.match(form, /value="a.b"[^>]*aria-invalid="true" autofocus/)
    t.match(form, 'class="error"')
    t.equal(refused.body.match(/ autofocus/g)?.length, 1)
    t.notMatch(refused.body, '<details class="switch" open', 'the other form stays closed')
  },
)

t.test('a new folder that is refused comes back into the open form', async (t) => {
  const { dashboard, owner } = await start(t)
  const fresh = await dashboard.get('/dashboard', { as: owner })
  t.match(fresh.body, /<details><summary>\+ <h2>New folder<\/h2><\/summary><form[^]*?>Create<\/button>/)
  const refused = await dashboard.post('/folders', { label: 'x'.repeat(256) }, { as: owner })
  t.equal(refused.statusCode, 400)
  t.match(refused.body, '<details class="switch" open>', 'on narrow screens, too')
  t.match(
    refused.body,
    /<details open><summary>\+ <h2>New folder[^]*value="x{256}"[^>]*aria-invalid="true" autofocus/,
  )
})

// Promise (The owner's pages): A folder is deleted with no more than its owner was told of
t.test('a full folder is deleted in one step by whoever was told what goes with it', async (t) => {
  const { dashboard, owner, folder, secrets, path } = await start(t)
  const before = dashboard.snapshot()
  const unasked = await dashboard.post(path, {}, { as: owner })
  t.equal(unasked.statusCode, 409)
  t.equal(dashboard.snapshot(), before, 'without the question nothing is deleted')
  const question = await dashboard.get(path, { as: owner })
  t.match(question, { statusCode: 200, body: /2 secrets and 1 draft\. Links stop working/ })
  t.match(question.body, `href="/dashboard?folder=${folder}"`, 'the way back')
  t.notMatch(question.body, 'role="alert"')
  const answer = await dashboard.post(path, await confirmed(dashboard, owner, path), { as: owner })
  t.match(answer, { statusCode: 303, headers: { location: '/dashboard?done=folderDeleted' } })
  for (const { link } of secrets)
    expectErr(await dashboard.sotto.openSecret({ token: link.token }), 'link_not_found')
  t.same(sizes(dashboard), { folders: 1, secrets: 0 })
  t.match(dashboard.logLines.map((line) => JSON.parse(line) as unknown).filter(isAudit), [
    { event: 'folder_deleted', account_id: owner.accountId, folder_id: folder },
  ])
})

t.test('what was added after the question stays, and is asked about', async (t) => {
  const { dashboard, owner, folder, path } = await start(t)
  const form = await confirmed(dashboard, owner, path)
  const added = await dashboard.makeSecret(owner.accountId, folder)
  const before = dashboard.snapshot()
  for (const fields of [form, { shown: 'x' }, { shown: '-1' }, {}]) {
    const answer = await dashboard.post(path, fields, { as: owner })
    t.equal(answer.statusCode, 409)
    t.match(answer.body, /role="alert"[^]*name="shown" value="4"/)
    t.match(answer.body, '3 secrets and 1 draft')
  }
  t.equal(dashboard.snapshot(), before)
  expectOk(await dashboard.sotto.previewLink({ token: added.link.token }))
  t.equal((await dashboard.post(path, { shown: '4' }, { as: owner })).statusCode, 303)
})

t.test('what is added while the folder is deleted stays, with its folder', async (t) => {
  let whileErasing = (): Promise<unknown> => Promise.resolve()
  const { dashboard, owner, folder, path } = await start(t, {
    replace: ({ folders }) => ({
      folders: {
        ...folders,
        erase: (...given) =>
          okAsync(undefined)
            .map(async () => whileErasing())
            .andThen(() => folders.erase(...given)),
      },
    }),
  })
  const form = await confirmed(dashboard, owner, path)
  whileErasing = () => dashboard.makeSecret(owner.accountId, folder)
  const answer = await dashboard.post(path, form, { as: owner })
  t.equal(answer.statusCode, 409)
  t.match(answer.body, /1 secret\. Links[^]*role="alert"[^]*name="shown" value="1"/)
  t.notMatch(unescaped(answer.body), 'draft.')
  t.same(sizes(dashboard), { folders: 2, secrets: 1 })
})

t.test('a folder that became emptier is deleted as it is', async (t) => {
  const { dashboard, owner, secrets, path } = await start(t)
  const form = await confirmed(dashboard, owner, path)
  const { accountId } = owner
  expectOk(await dashboard.sotto.destroySecret({ accountId, id: secrets[0]?.id ?? '' }))
  t.equal((await dashboard.post(path, form, { as: owner })).statusCode, 303)
})

const sizes = ({ memory: { data } }: Dashboard) => ({
  folders: data.folders.size,
  secrets: data.secrets.size,
})

const isAudit = (line: unknown): boolean => (line as { audit?: unknown }).audit === true
