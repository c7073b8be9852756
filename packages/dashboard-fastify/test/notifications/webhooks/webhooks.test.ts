import type { Uuid, WebhookChange } from '@sotto/core'
import { createMemoryWebhookSender, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startDashboard, unescaped, type Dashboard, type Owner } from '../../support/app.ts'

const page = '/settings/notifications'
const add = `${page}/webhooks`
const url = 'https://hooks.example.org/sotto'
const refused = { code: 'send_failed', reason: 'status 503', verdict: 'retry' } as const

async function makeWebhook({ sotto }: Dashboard, { accountId }: Owner, at = url): Promise<Uuid> {
  return expectOk(await sotto.createWebhook({ accountId, url: at })).id
}

/** As the worker does after it has posted. */
async function change(
  { memory }: Dashboard,
  { accountId }: Owner,
  id: Uuid,
  to: WebhookChange,
): Promise<void> {
  expectOk(await memory.webhooks.update(accountId, id, () => to))
}

// Promise (The owner's pages): A webhook’s secret is shown once and not logged, nor its address
t.test('the secret of a new webhook is shown once, and neither it nor the address is logged', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const answer = await dashboard.post(add, { url }, { as: owner })
  t.equal(answer.statusCode, 201)
  const [secret = 'none'] = /whsec_[A-Za-z0-9+/=]{32}/.exec(answer.body) ?? []
  t.match(answer.body, `>${secret}</code>`)
  t.match(answer.body, 'data-copy="secret"')
  const shown = await dashboard.get(page, { as: owner })
  t.match(shown.body, url)
  t.notOk(shown.body.includes(secret))
  const log = dashboard.logLines.join('')
  const [id] = [...dashboard.memory.data.webhooks.keys()]
  t.match(log, new RegExp(`"event":"webhook_created","account_id":"${owner.accountId}","webhook_id":"${id}"`))
  for (const hidden of [secret, url, 'hooks.example.org']) t.notOk(log.includes(hidden), hidden)
})

t.test('an address that is refused is named at its field and kept', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const before = dashboard.snapshot()
  for (const [typed, message] of [
    ['', 'Enter a complete address'],
    ['hooks', 'Enter a complete address'],
    [`${url}#part`, 'Enter a complete address'],
    [`https://example.org/${'x'.repeat(2_048)}`, 'Enter a complete address'],
    ['http://hooks.example.org', 'begins with https://'],
    ['https://127.0.0.1/', 'This service posts nothing to this address'],
    ['"><script>', 'Enter a complete address'],
  ] as const) {
    const { statusCode, body } = await dashboard.post(add, { url: typed }, { as: owner })
    t.equal(statusCode, 400, typed)
    const [, field = ''] = /(<input type="url".*?class="error".*?<\/p>)/s.exec(body) ?? []
    t.match(field, message, typed)
    t.match(field, /aria-invalid="true" autofocus/, typed)
    t.ok(unescaped(field).includes(`value="${typed}"`), typed)
    t.notMatch(body, '"><script>')
  }
  t.equal(dashboard.snapshot(), before)
})

// Promise (The owner's pages): An account has five webhooks at most
t.test('an account has five webhooks at most, and the page says so', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  for (let nth = 0; nth < 5; nth += 1) {
    t.match((await dashboard.get(page, { as: owner })).body, `action="${add}"`)
    t.equal((await dashboard.post(add, { url: `${url}/${nth}` }, { as: owner })).statusCode, 201)
  }
  const before = dashboard.snapshot()
  const sixth = await dashboard.post(add, { url }, { as: owner })
  for (const { body } of [sixth, await dashboard.get(page, { as: owner })]) {
    t.match(body, 'You have 5 webhooks, which is the most')
    t.notMatch(body, `action="${add}"`)
  }
  t.equal(sixth.statusCode, 409)
  t.equal(dashboard.snapshot(), before)
})

t.test('the page says why a test was not delivered, and to which webhook', async (t) => {
  const webhookSender = createMemoryWebhookSender({ answer: () => refused })
  const dashboard = await startDashboard(t, { replace: () => ({ webhookSender }) })
  const owner = await dashboard.makeOwner()
  const id = await makeWebhook(dashboard, owner)
  await change(dashboard, owner, id, { disabled: { atMicros: 7, reason: 'failing' } })
  const { statusCode, body } = await dashboard.post(`${add}/${id}/test`, {}, { as: owner })
  t.equal(statusCode, 200)
  const [, message = ''] = /role="alert"><p>(.*?)<\/p>/.exec(body) ?? []
  t.match(message, url)
  t.match(message, '<bdi lang="en">status 503</bdi>')
  t.match(body, '>Disabled<')
})

t.test('the list says how each webhook is doing', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const id = await makeWebhook(dashboard, owner)
  const time = (micros: number): string =>
    `<time datetime="${new Date(micros / 1000).toISOString().slice(0, 16)}Z"`
  const at = dashboard.clock.nowMicros()
  const list = async (): Promise<string> => {
    const { body } = await dashboard.get(page, { as: owner })
    return /<ul class="items">.*?<\/ul>/s.exec(body)?.[0] ?? ''
  }
  t.match(await list(), />Active</)
  await change(dashboard, owner, id, { failingSinceMicros: at })
  t.match(await list(), />Failing</)
  t.ok((await list()).includes(`failing since ${time(at)}`))
  for (const [reason, words] of [
    ['failing', 'Nothing could be delivered for three days.'],
    ['gone', 'The receiver answered that this address is no longer in use (410).'],
  ] as const) {
    await change(dashboard, owner, id, { disabled: { atMicros: at + 1_000_000, reason } })
    const text = await list()
    t.match(text, />Disabled</)
    t.ok(text.includes(`disabled ${time(at + 1_000_000)}`), reason)
    t.ok(text.includes(`${words} A test that is delivered enables it again.`), reason)
  }
})

// Promise (The owner's pages): Only its owner sees a webhook’s address, without its end
t.test('an address is shown to its owner only, without its end and what it asks for', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const id = await makeWebhook(dashboard, owner, `https://hooks.example.org/services/${'x'.repeat(40)}/KEY1`)
  await makeWebhook(dashboard, owner, `${url}?key=KEY2`)
  for (const path of [page, `${add}/${id}/delete`]) {
    const { body } = await dashboard.get(path, { as: owner })
    t.match(body, 'https://hooks.example.org/services/xx')
    t.notMatch(body, 'KEY', path)
  }
  t.ok((await dashboard.get(page, { as: owner })).body.includes(`${url}?…`))
  const stranger = await dashboard.get(page, { as: await dashboard.makeOwner() })
  t.notMatch(stranger.body, 'hooks.example.org')
  t.match(stranger.body, 'No webhooks')
})

t.test('a corrupted webhook does not hide the others, and counts towards the limit', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const ids: Uuid[] = []
  for (let nth = 0; nth < 5; nth += 1) ids.push(await makeWebhook(dashboard, owner, `${url}/${nth}`))
  const { webhooks } = dashboard.memory.data
  const [first, second] = ids.map((id) => webhooks.get(id))
  if (first === undefined || second === undefined) throw new Error('there are no webhooks')
  webhooks.set(first.id, { ...first, endpoint: second.endpoint })
  const { body, statusCode } = await dashboard.get(page, { as: owner })
  t.equal(statusCode, 200)
  t.match(body, /role="alert"><p>Some webhooks cannot be shown/)
  t.match(body, `${url}/4`)
  t.match(body, 'which is the most')
  t.match(dashboard.logLines.join(''), 'data_damaged')
})

t.test('where nothing is posted, webhooks can be deleted but not added', async (t) => {
  const dashboard = await startDashboard(t, { canPost: false })
  const owner = await dashboard.makeOwner()
  const id = await makeWebhook(dashboard, owner)
  const { body } = await dashboard.get(page, { as: owner })
  t.match(body, 'This service posts no notifications to webhooks.')
  t.notMatch(body, `action="${add}"`)
  t.notMatch(body, `${add}/${id}/test`)
  const before = dashboard.snapshot()
  t.equal((await dashboard.post(add, { url }, { as: owner })).statusCode, 409)
  t.equal(dashboard.snapshot(), before)
  const deleted = await dashboard.post(`${add}/${id}/delete`, {}, { as: owner })
  t.match(deleted, { statusCode: 303, headers: { location: `${page}?done=webhookDeleted` } })
  t.equal(dashboard.memory.data.webhooks.size, 0)
  t.match(
    dashboard.logLines.join(''),
    `"event":"webhook_deleted","account_id":"${owner.accountId}","webhook_id":"${id}"`,
  )
})
