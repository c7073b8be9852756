import { expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { startDashboard } from '../support/app.ts'

async function start(t: Test) {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const { accountId } = owner
  const folderId = await dashboard.makeFolder(accountId, 'Customers')
  const ask = async (title = 'Router') => {
    const asked = { accountId, folderId, title, answersAllowed: 5, lifetimeSeconds: 3_600 }
    return expectOk(await dashboard.sotto.createRequest(asked))
  }
  const answer = async ({ link }: Awaited<ReturnType<typeof ask>>, note: string) => {
    expectOk(await dashboard.sotto.answerRequest({ token: link.token, address: 'a', note }))
    dashboard.memory.clock.advance(1_000_000)
    for await (const page of dashboard.sotto.listAnswers({ accountId })) return expectOk(page).items[0]!.id
    throw new Error('nothing is new')
  }
  const get = (path: string, headers = {}) => dashboard.get(path, { as: owner, headers })
  const unread = async () => {
    const { body } = await get('/help')
    return /<a href="\/requests"[^>]*>Requests(?: <b class="news">(\d+)<\/b>)?<\/a>/.exec(body)?.[1] ?? 'none'
  }
  return { dashboard, owner, folderId, ask, answer, get, unread }
}

t.test('the navigation counts answers until their pages were looked at', async (t) => {
  const { dashboard, owner, ask, answer, get, unread } = await start(t)
  t.equal(await unread(), 'none')
  const request = await ask()
  const [first, second] = [await answer(request, 'first'), await answer(request, 'second')]
  t.equal(await unread(), '2')
  t.equal((await get(`/requests/${request.id}`)).body.match(/>New<\/span>/g)?.length, 2)
  for (const name of ['sec-purpose', 'purpose', 'x-moz'])
    t.match(await get(`/drafts/${first}`, { [name]: 'prefetch;prerender' }), { statusCode: 200 })
  t.equal((await dashboard.request('HEAD', `/drafts/${first}`, { as: owner })).statusCode, 200)
  t.equal(await unread(), '2', 'nobody has looked')
  t.match((await get(`/drafts/${first}`)).body, 'Requests <b class="news">1</b>', 'it says so itself')
  t.equal(await unread(), '1')
  const list = (await get(`/requests/${request.id}`)).body
  t.equal(list.match(/>New<\/span>/g)?.length, 1)
  t.ok(list.indexOf(second) < list.indexOf(first), 'newest first')
  await get(`/drafts/${second}/text`)
  t.equal(await unread(), 'none')
})

t.test('answers among drafts are marked as new until their pages were looked at', async (t) => {
  const { dashboard, owner, folderId, ask, answer, get } = await start(t)
  const { accountId } = owner
  const request = await ask()
  const [first, second] = [await answer(request, 'first'), await answer(request, 'second')]
  expectOk(await dashboard.sotto.saveDraft({ accountId, folderId, label: 'Router', note: 'mine' }))
  const lists = [
    () => get('/drafts'),
    () => get(`/drafts?folder=${folderId}`),
    () => dashboard.post('/search', { words: 'router' }, { as: owner }),
  ]
  const marks = async () => {
    const pages = await Promise.all(lists.map((read) => read()))
    return pages.map(
      ({ body }) => body.match(/<small><span class="badge good">New<\/span> Draft</g)?.length ?? 0,
    )
  }
  t.same(await marks(), [2, 2, 2], 'not what its owner has written')
  await get(`/drafts/${first}`)
  t.same(await marks(), [1, 1, 1])
  t.match((await get('/drafts')).body, '.badge{')
  await get(`/drafts/${second}`)
  t.same(await marks(), [0, 0, 0])
  t.notMatch((await get('/drafts')).body, '.badge{')
})

t.test(
  'only pages with the navigation count new answers, and are shown without a number when that fails',
  async (t) => {
    let counts = 0
    let isBroken = false
    const dashboard = await startDashboard(t, {
      replace: ({ drafts }) => ({
        drafts: {
          ...drafts,
          countNewAnswers(accountId) {
            counts += 1
            return isBroken
              ? errAsync({ code: 'storage_unavailable', reason: 'busy' } as const)
              : drafts.countNewAnswers(accountId)
          },
        },
      }),
    })
    const owner = await dashboard.makeOwner()
    const { accountId } = owner
    const folderId = await dashboard.makeFolder(accountId, 'Customers')
    const draft = expectOk(await dashboard.sotto.saveDraft({ accountId, folderId, label: 'x', note: 'mine' }))
    const counted = async (answer: Promise<{ readonly statusCode: number }>) => {
      counts = 0
      return [(await answer).statusCode, counts]
    }
    const { get, post } = dashboard
    const fields = { title: '', text: '', name: '', folder: folderId, answers: '1', expires: '86400' }
    t.strictSame(await counted(post('/folders', { label: 'Friends' }, { as: owner })), [303, 0])
    t.strictSame(await counted(get(`/drafts/${draft.id}/text`, { as: owner })), [200, 0])
    t.strictSame(await counted(get('/drafts/none', { as: owner })), [404, 0], 'a notice')
    t.strictSame(await counted(get('/dashboard', { as: owner })), [200, 1])
    t.strictSame(await counted(post('/requests/new', fields, { as: owner })), [400, 1], 'the form again')
    isBroken = true
    dashboard.logLines.length = 0
    t.match(await get('/dashboard', { as: owner }), { statusCode: 200, body: '>Requests</a>' })
    t.match(dashboard.logLines.join(''), 'storage_unavailable')
  },
)

t.test(
  'an answer is read as an answer: its text, what it answers, and what can be done with it',
  async (t) => {
    const { dashboard, owner, ask, answer, get } = await start(t)
    const request = await ask('Router & co')
    const id = await answer(request, '\n <b>text</b>\r')
    const { body } = await get(`/drafts/${id}`)
    t.match(
      body,
      `<h1>Answer to <a href="/requests/${request.id}"><bdi translate="no">Router &amp; co</bdi></a></h1>`,
    )
    t.match(body, '>\n\n &lt;b&gt;text&lt;/b&gt;<span class="cr">&#13;</span></pre>')
    t.notMatch(body, '<textarea')
    for (const control of ['Copy</button>', 'Save as a file</a>', 'Edit</a>', 'Share</a>', 'Delete</button>'])
      t.match(body, control)
    const list = await get(`/requests/${request.id}`)
    for (const control of ['Copy</button>', 'Save as a file</a>', 'Share</a>', 'Delete</a>'])
      t.match(list.body, control)
    t.match(list.body, '<p id="text-' + id + '" hidden>\n &lt;b&gt;text&lt;/b&gt;&#13;</p>')
    const saved = await get(`/drafts/${id}/text`)
    t.match(saved.headers, { 'content-disposition': 'attachment; filename="Router & co.txt"' })
    t.equal(saved.body, '\n <b>text</b>\r')
    const edit = await get(`/drafts/${id}/edit`)
    t.match(edit.body, 'Answer to')
    t.match(edit.body, /value="1" checked/)
    t.match(edit.body, /value="604800" checked/)
    const deleted = await dashboard.post(`/drafts/${id}/delete`, {}, { as: owner })
    t.match(deleted, { statusCode: 303, headers: { location: `/requests/${request.id}?done=answerDeleted` } })
    t.match((await get(`/requests/${request.id}?done=answerDeleted`)).body, 'The answer is deleted.')
  },
)

t.test('a draft of its owner, and an answer with a password, show their forms', async (t) => {
  const { dashboard, owner, folderId, ask, answer, get } = await start(t)
  const { accountId } = owner
  const draft = expectOk(await dashboard.sotto.saveDraft({ accountId, folderId, label: 'x', note: 'mine' }))
  const own = await get(`/drafts/${draft.id}`)
  t.match(own.body, '<textarea')
  t.match(own.body, /value="unlimited" checked/)
  const id = await answer(await ask(), 'theirs')
  const content = { note: 'theirs', password: 'a password' }
  expectOk(await dashboard.sotto.editDraft({ accountId, id, folderId, label: 'Router', content }))
  const { body } = await get(`/drafts/${id}`)
  t.match(body, 'Answer to')
  t.notMatch(body, 'theirs')
  t.equal((await get(`/drafts/${id}/text`)).statusCode, 404)
  const { body: requests } = await get('/requests')
  t.notMatch(requests, ' data-copy=')
})

t.test('answers to a request that is erased are found, too', async (t) => {
  const { dashboard, ask, answer, get, unread } = await start(t)
  const id = await answer(await ask('Router'), 'text')
  dashboard.memory.clock.advance(2 * 3_600_000_000)
  expectOk(await dashboard.sotto.sweepExpired({}))
  t.equal(await unread(), '1')
  t.match(
    (await get('/requests')).body,
    new RegExp(`<h2>New answers</h2>[^]*<a href="/drafts/${id}"><bdi translate="no">Router</bdi>`),
  )
  t.match((await get(`/drafts/${id}`)).body, '<h1>Answer to <bdi translate="no">Router</bdi></h1>')
})

t.test('a request has a name: it is asked for, checked, and kept for the next', async (t) => {
  const { dashboard, owner, folderId, get } = await start(t)
  const fields = { title: '', text: 'What', folder: folderId, answers: '1', expires: '86400' }
  const nameOf = async () =>
    expectOk(await dashboard.sotto.getAccount({ accountId: owner.accountId })).displayName
  for (const name of ['', ' ', 'x'.repeat(61)]) {
    const refused = await dashboard.post('/requests/new', { ...fields, name }, { as: owner })
    t.equal(refused.statusCode, 400)
    for (const id of ['title', 'name']) t.match(refused.body, `id="${id}-error"`)
  }
  t.equal(await nameOf(), undefined)
  const named = { ...fields, title: 'Router', name: ' Ada Lovelace ' }
  t.equal((await dashboard.post('/requests/new', named, { as: owner })).statusCode, 303)
  t.equal(await nameOf(), 'Ada Lovelace')
  const { body } = await get('/requests/new')
  t.match(body, /name="name" value="Ada Lovelace"/)
  t.match(body, /<textarea id="text"[^>]* autofocus/)
})

t.test('opens of a secret with notify are new in lists until its page was looked at', async (t) => {
  const { dashboard, owner, folderId, get } = await start(t)
  const { accountId } = owner
  const input = { accountId, folderId, label: 'Door', note: 'x', notify: true }
  const { id, link } = expectOk(await dashboard.sotto.createSecret(input))
  t.match((await get('/dashboard')).body, '<title>Secrets ')
  for (let opens = 0; opens < 2; opens += 1) expectOk(await dashboard.sotto.openSecret({ token: link.token }))
  for (const path of ['/dashboard', `/dashboard?folder=${folderId}`]) {
    const { body } = await get(path)
    t.match(body, '<title>(2 new) Secrets ')
    t.match(body, '<b class="news">2 new</b> Opened')
  }
  const found = await dashboard.post('/search', { words: 'door' }, { as: owner })
  t.match(found.body, '<b class="news">2 new</b>')
  await get(`/secrets/${id}`, { 'sec-purpose': 'prefetch' })
  t.match((await get('/dashboard')).body, '2 new')
  await get(`/secrets/${id}`)
  t.notMatch((await get('/dashboard')).body, / new<|\(\d+ new\)/)
})
