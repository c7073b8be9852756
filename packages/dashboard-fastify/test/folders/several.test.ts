import { expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import {
  startDashboard,
  unescaped,
  type Dashboard,
  type DashboardOptions,
  type Fields,
} from '../support/app.ts'

const unknownId = '018f0000-0000-7000-8000-000000000000'
const path = '/secrets/delete'

async function start(t: Test, options?: DashboardOptions) {
  const dashboard = await startDashboard(t, options)
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId)
  const make = async (label: string) =>
    (await dashboard.makeSecret(owner.accountId, folder, { label, openLimit: 1 })).id
  const post = (fields: Fields, query = '') => dashboard.post(path + query, fields, { as: owner })
  const get = async (at: string): Promise<string> => (await dashboard.get(at, { as: owner })).body
  return { dashboard, owner, folder, make, post, get }
}

const boxes = (...names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, 'on']))

const auditIn = ({ logLines }: Dashboard): readonly Record<string, unknown>[] =>
  logLines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ audit }) => audit === true)

t.test('each row has a box, which its title names, and a button deletes those that are ticked', async (t) => {
  const { folder, make, get } = await start(t)
  const id = await make('Router <b>')
  for (const query of ['', `?folder=${folder}`, `?folder=${folder}&status=waiting`]) {
    const body = await get(`/dashboard${query}`)
    t.match(unescaped(body), `<form method="post" action="${path}${query}">`)
    t.match(body, `<label><input type="checkbox" name="${id}"><svg`)
    t.match(body, /<bdi>Router &lt;b&gt;<\/bdi><\/a><\/label>/)
    t.match(body, />Delete selected<\/button>/)
  }
})

// Promise (The owner's pages): Several are deleted in one call: after one question that names them
t.test('one page names what was ticked, and deletes it once it is confirmed', async (t) => {
  const { dashboard, owner, folder, make, post, get } = await start(t)
  const [first, second] = [await make('First <b>'), await make('Second')]
  const kept = await make('Kept')
  const { id: draft } = await dashboard.makeDraft(owner.accountId, folder)
  const fields = boxes(first, second.toUpperCase(), `draft-${draft}`)
  const query = `?folder=${folder}&status=waiting`
  const before = dashboard.snapshot()
  const asked = await post(fields, query)
  t.equal(asked.statusCode, 200)
  t.equal(dashboard.snapshot(), before, 'nothing is deleted yet')
  t.match(unescaped(asked.body), `<form class="panel question" method="post" action="${path}${query}">`)
  const rows = [
    ...asked.body.matchAll(
      /name="([^"]*)" checked><(?:svg|span).*?<bdi>(.*?)<\/bdi><\/label><small>(.*?)<\/small>/g,
    ),
  ]
  t.same(
    rows.map(([, ...row]) => row),
    [
      [first, 'First &lt;b&gt;', 'Not opened'],
      [second, 'Second', 'Not opened'],
      [`draft-${draft}`, 'Draft', 'Draft'],
    ],
  )
  t.match(asked.body, '<input type="hidden" name="action" value="delete">')
  const deleted = await post({ ...fields, action: 'delete' }, query)
  const to = `/dashboard${query}&drafts=1&deleted=2`
  t.match(deleted, { statusCode: 303, headers: { location: to } })
  const list = await get(to)
  t.match(list, '2 secrets deleted. 1 draft deleted.')
  t.match(list, kept)
  t.equal(dashboard.memory.data.secrets.size, 1)
  t.match(
    await get((await post({ ...fields, action: 'delete' })).headers.location ?? ''),
    '0 secrets deleted.',
  )
  const one = await post({ [kept]: 'on', action: 'delete' })
  t.match(await get(one.headers.location ?? ''), '1 secret deleted.')
})

t.test('with nothing ticked the list says so', async (t) => {
  const { make, folder, post, get } = await start(t)
  await make('Kept')
  for (const fields of [{}, { action: 'delete' }] as Fields[]) {
    const { statusCode, headers } = await post(fields, `?folder=${folder}`)
    t.equal(statusCode, 303)
    t.equal(headers.location, `/dashboard?folder=${folder}&done=noneSelected`)
    t.match(await get(headers.location ?? ''), /banner warning" role="status"><p>Nothing is selected\./)
  }
})

t.test('drafts are ticked in their list, which is shown again', async (t) => {
  const { dashboard, owner, folder, post, get } = await start(t)
  const { id } = await dashboard.makeDraft(owner.accountId, folder)
  for (const query of [`?list=drafts&folder=${folder}`, '?list=drafts']) {
    const body = await get(`/drafts${query.replace('list=drafts&', '').replace('?list=drafts', '')}`)
    t.match(unescaped(body), `<form method="post" action="${path}${query}">`)
    t.match(body, `<label><input type="checkbox" name="draft-${id}"><svg`)
  }
  const query = `?list=drafts&folder=${folder}`
  const none = await post({}, query)
  t.equal(none.headers.location, `/drafts${query}&done=noneSelected`)
  t.match(await get(none.headers.location ?? ''), 'Nothing is selected.')
  const asked = await post(boxes(`draft-${id}`), query)
  t.match(unescaped(asked.body), `action="${path}${query}"`)
  const deleted = await post({ [`draft-${id}`]: 'on', action: 'delete' }, query)
  t.equal(deleted.headers.location, `/drafts${query}&drafts=1`)
  t.match(await get(deleted.headers.location ?? ''), '>1 draft deleted.<')
})

t.test('what is not the owner’s, or not there, is ignored', async (t) => {
  const { dashboard, make, post } = await start(t)
  const stranger = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(stranger.accountId)
  const theirs = (await dashboard.makeSecret(stranger.accountId, folder, { label: 'Theirs' })).id
  const draft = (await dashboard.makeDraft(stranger.accountId, folder)).id
  const others = boxes(theirs, `draft-${draft}`, `draft-${theirs}`, draft, unknownId)
  t.equal((await post(others)).statusCode, 404)
  const id = await make('Own')
  const asked = await post({ ...others, [id]: 'on' })
  t.match(asked.body, 'Own')
  t.notMatch(asked.body, 'Theirs')
  const deleted = await post({ ...others, [id]: 'on', action: 'delete' })
  t.equal(deleted.headers.location, '/dashboard?deleted=1')
  t.equal(dashboard.memory.data.secrets.size, 2, 'theirs stay')
  t.same(
    auditIn(dashboard).map(({ secret_id }) => secret_id),
    [id],
  )
})

t.test('a field that is no box, or another action, is refused', async (t) => {
  const { dashboard, make, post } = await start(t)
  const id = await make('Kept')
  const before = dashboard.snapshot()
  for (const fields of [{ x: 'on' }, { 'draft-x': 'on' }, { ['x'.repeat(36)]: 'on' }, { action: 'x' }])
    t.equal((await post({ [id]: 'on', ...fields })).statusCode, 400, JSON.stringify(fields))
  t.equal(dashboard.snapshot(), before)
})

t.test('a hundred can be deleted at once, with one count; more are refused in words', async (t) => {
  const { dashboard, make, post } = await start(t, { perMinute: 3 })
  const ids: string[] = []
  for (let n = 0; n < 101; n += 1) ids.push(await make(`${n}`))
  const before = dashboard.snapshot()
  const tooMany = await post({ ...boxes(...ids), action: 'delete' })
  t.equal(tooMany.statusCode, 400)
  t.match(tooMany.body, 'At most 100 can be deleted at once. Nothing was deleted.')
  t.equal(dashboard.snapshot(), before)
  const hundred = boxes(...ids.slice(1))
  t.equal((await post(hundred)).statusCode, 200)
  t.equal((await post({ ...hundred, action: 'delete' })).headers.location, '/dashboard?deleted=100')
  t.equal(dashboard.memory.data.secrets.size, 1)
  t.equal((await post(boxes(ids[0] ?? ''))).statusCode, 429, 'each form counts once')
})

// Promise (The owner's pages): Each secret that is deleted has an audit line, also when several are deleted at once
t.test('the log names each secret that was deleted, also when an error ends it', async (t) => {
  let bad = ''
  const { dashboard, owner, make, post } = await start(t, {
    replace: ({ secrets }) => ({
      secrets: {
        ...secrets,
        erase: (...given: Parameters<typeof secrets.erase>) =>
          given[1] === bad
            ? errAsync({ code: 'storage_unavailable', reason: 'busy' } as const)
            : secrets.erase(...given),
      },
    }),
  })
  const first = await make('First')
  bad = await make('Bad')
  const refused = await post({ ...boxes(first, bad), action: 'delete' })
  t.match(refused, { statusCode: 503, headers: { 'retry-after': '5' } })
  t.match(refused.body, `name="${bad}"`, 'the selection is kept')
  const { accountId: account_id } = owner
  t.match(auditIn(dashboard), [{ event: 'secret_destroyed', account_id, secret_id: first }])
  t.equal(auditIn(dashboard).length, 1)
})

/** Two finished secrets in each of two folders, and one that waits. */
async function startFinished(t: Test) {
  const started = await start(t)
  const { dashboard, owner, folder, make } = started
  const other = await dashboard.makeFolder(owner.accountId, 'Other <b>')
  for (const folderId of [folder, folder, other, other]) {
    const { link } = await dashboard.makeSecret(owner.accountId, folderId, { openLimit: 1 })
    expectOk(await dashboard.sotto.openSecret({ token: link.token }))
  }
  await make('Waiting')
  return { ...started, other }
}

t.test('only the list of finished secrets offers to remove all of them', async (t) => {
  const { folder, get } = await startFinished(t)
  const button = /<form method="get" action="\/secrets\/finished">.*>Remove all finished \((\d)\)</
  t.match(await get('/dashboard?status=finished'), button)
  t.equal(button.exec(await get('/dashboard?status=finished'))?.[1], '4')
  const ofFolder = await get(`/dashboard?folder=${folder}&status=finished`)
  t.equal(button.exec(ofFolder)?.[1], '2')
  t.match(ofFolder, `<input type="hidden" name="folder" value="${folder}">`)
  for (const query of ['', '?status=waiting', '?status=opened', `?folder=${folder}`])
    t.notMatch(await get(`/dashboard${query}`), button, query)
})

// Promise (The owner's pages): Several are deleted in one call, and all finished ones: after a question that says how many
t.test('all finished secrets are removed, of the chosen folder or of all', async (t) => {
  const { dashboard, owner, other, get } = await startFinished(t)
  const post = (query: string) => dashboard.post(`/secrets/finished${query}`, {}, { as: owner })
  const asked = await get(`/secrets/finished?folder=${other}`)
  t.match(asked, '2 secrets leave the list. Nobody can open them any more')
  t.match(asked, '<bdi>Other &lt;b&gt;</bdi>')
  t.match(asked, `action="/secrets/finished?folder=${other}"`)
  const removed = await post(`?folder=${other}`)
  t.match(removed, { statusCode: 303, headers: { location: `/dashboard?folder=${other}&removed=2` } })
  t.match(await get(removed.headers.location ?? ''), '>2 removed<')
  t.equal(dashboard.memory.data.secrets.size, 3)
  t.match(await get('/secrets/finished'), '2 secrets leave the list.')
  t.equal((await post('')).headers.location, '/dashboard?removed=2')
  t.equal(dashboard.memory.data.secrets.size, 1, 'the one that waits')
  t.match(auditIn(dashboard), [
    { event: 'finished_secrets_removed', account_id: owner.accountId, folder_id: other },
    { event: 'finished_secrets_removed', account_id: owner.accountId },
  ])
})

t.test('a folder of another account, or none, is not found', async (t) => {
  const { dashboard, owner } = await startFinished(t)
  const stranger = await dashboard.makeOwner()
  const theirs = await dashboard.makeFolder(stranger.accountId)
  const before = dashboard.snapshot()
  for (const folder of [theirs, unknownId, 'x', ''])
    for (const method of ['GET', 'POST']) {
      const answer = await dashboard.request(method, `/secrets/finished?folder=${folder}`, { as: owner })
      t.equal(answer.statusCode, 404, `${method} ${folder}`)
    }
  t.equal(dashboard.snapshot(), before)
})
