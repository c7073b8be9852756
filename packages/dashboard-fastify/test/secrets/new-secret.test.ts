import { expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t from 'tap'
import { startDashboard, type Dashboard, type DashboardOptions, type Owner } from '../support/app.ts'

async function start(t: Parameters<typeof startDashboard>[0], options?: DashboardOptions) {
  const dashboard = await startDashboard(t, options)
  const owner = await dashboard.makeOwner()
  return { dashboard, owner, folder: await dashboard.makeFolder(owner.accountId) }
}

/** Sends the form and finds what was made of it. */
async function created(
  { sotto, ...dashboard }: Dashboard,
  { accountId, ...owner }: Owner,
  fields: Record<string, string>,
) {
  const answer = await dashboard.post(
    '/secrets/new',
    { note: 'text', action: 'create', ...fields },
    { as: owner },
  )
  const id = /^\/secrets\/([^?]*)\?new=1$/.exec(String(answer.headers.location))?.[1] ?? 'none'
  return expectOk(await sotto.viewSecret({ accountId, id }))
}

t.test('a secret can be opened once, unless something else is chosen', async (t) => {
  const { dashboard, owner, folder } = await start(t)
  const choices: readonly (readonly [fields: Record<string, string>, limit: number | undefined])[] = [
    [{}, 1],
    [{ opens: '' }, 1],
    [{ opens: '1' }, 1],
    [{ opens: '3', count: '9' }, 3],
    [{ opens: 'unlimited' }, undefined],
    [{ opens: 'number', count: ' 7 ' }, 7],
  ]
  for (const [fields, limit] of choices)
    t.equal((await created(dashboard, owner, { folder, ...fields })).openLimit, limit, JSON.stringify(fields))
  for (const count of ['', '0', 'x']) {
    const fields = { folder, note: 'text', opens: 'number', count, action: 'create' }
    const { statusCode, body } = await dashboard.post('/secrets/new', fields, { as: owner })
    t.equal(statusCode, 400)
    t.match(body, /name="count"[^>]*aria-invalid="true"[^>]*autofocus/)
    t.match(body, 'value="number" checked')
  }
})

t.test('the box “Tell me when it is opened” begins as it was when something was kept last', async (t) => {
  const remembered: unknown[] = []
  const { dashboard, owner, folder } = await start(t, {
    wrap: ({ rememberNotify }) => ({
      rememberNotify: (input) => (remembered.push(input.notify), rememberNotify(input)),
    }),
  })
  const stranger = await dashboard.makeOwner()
  const isTicked = async (as: Owner): Promise<boolean> =>
    (await dashboard.get('/secrets/new', { as })).body.includes('name="notify" checked')
  t.equal(await isTicked(owner), false, 'at first')
  const steps: readonly (readonly [fields: Record<string, string>, status: number, ticked: boolean])[] = [
    [{ action: 'create', notify: 'on' }, 303, true],
    [{ action: 'create', notify: 'on' }, 303, true],
    [{ action: 'create', note: '' }, 400, true],
    [{ action: 'draft' }, 303, false],
    [{ action: 'draft', notify: 'on' }, 303, true],
  ]
  for (const [fields, status, ticked] of steps) {
    const sent = { folder, note: 'text', ...fields }
    t.equal((await dashboard.post('/secrets/new', sent, { as: owner })).statusCode, status)
    t.equal(await isTicked(owner), ticked, JSON.stringify(fields))
  }
  t.same(remembered, [true, false, true], 'only what differs is stored')
  t.equal(await isTicked(stranger), false, 'for nobody else')
})

t.test('a choice that cannot be remembered is logged, and the secret is there', async (t) => {
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  const { dashboard, owner, folder } = await start(t, {
    wrap: () => ({ rememberNotify: () => errAsync(busy) }),
  })
  t.ok((await created(dashboard, owner, { folder, notify: 'on' })).notify)
  t.match(dashboard.logLines.join(''), /"level":40.*storage_unavailable/)
})

t.test('the form begins with the text, and offers a folder only where there are several', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const listed = (await dashboard.sotto.listFolders({ accountId: owner.accountId }).next()).value
  const [folder] = listed === undefined ? [] : expectOk(listed).items
  const one = (await dashboard.get('/secrets/new', { as: owner })).body
  t.match(one, /<textarea[^>]*name="note"[^>]*autofocus/)
  t.match(one, `<input type="hidden" name="folder" value="${folder?.id}">`)
  t.match(one, 'name="expires" value="604800" checked', 'seven days')
  t.match(one, /name="password" autocomplete="new-password"/)
  await dashboard.makeFolder(owner.accountId)
  t.match((await dashboard.get('/secrets/new', { as: owner })).body, '<select id="folder"')
})

t.test(
  'a secret without a title is called by what it is, its day and its hour, in the language of its owner',
  async (t) => {
    const { dashboard, owner, folder } = await start(t)
    t.match(
      (await created(dashboard, owner, { folder, label: '  ' })).label,
      /^Confidential message, \d+ \w+ \d{4} at \d+:\d\d UTC$/,
    )
    expectOk(await dashboard.sotto.setLanguage({ accountId: owner.accountId, language: 'de' }))
    t.match(
      (await created(dashboard, owner, { folder })).label,
      /^Vertrauliche Nachricht, \d+\. \w+ \d{4} um \d+:\d\d UTC$/,
    )
    t.equal((await created(dashboard, owner, { folder, label: 'Wi-Fi' })).label, 'Wi-Fi')
  },
)

t.test(
  'a secret’s page has a message to copy: the link, the opens, the time, and that it needs a password',
  async (t) => {
    const { dashboard, owner, folder } = await start(t)
    const messageOf = async (opens: string, password = ''): Promise<string> => {
      const { id } = await created(dashboard, owner, { folder, opens, password })
      const { body } = await dashboard.get(`/secrets/${id}?new=1`, { as: owner })
      return /<p id="message" hidden>(.*?)<\/p>/.exec(body)?.[1] ?? ''
    }
    const once = await messageOf('1')
    t.match(
      once,
      /for you: http\S+\/[\w-]{43} It can be opened once and is deleted on <time [^>]*>\d+ \w+ \d{4}/,
    )
    t.match(await messageOf('3'), 'It can be opened 3 times and is deleted on')
    t.notMatch(await messageOf('unlimited'), 'can be opened')
    t.notMatch(once, 'password')
    t.match(
      await messageOf('1', 'otter'),
      /UTC<\/time>\. You need a password for it, which you get another way\.$/,
    )
  },
)
