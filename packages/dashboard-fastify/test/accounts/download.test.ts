import type { FullPorts } from '@sotto/identity'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { expectOk } from '@sotto/test-kit'
import { errAsync, ResultAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { head, listen, open as openConnection, sendRaw } from '../../../http-fastify/test/support/raw.ts'
import { password, sessionOf, startDashboard, type Dashboard } from '../support/app.ts'
import { makeThings, webhookUrl } from '../support/paths.ts'

interface Download {
  readonly account: Readonly<Record<string, unknown>>
  readonly folders: readonly Readonly<Record<string, unknown>>[]
  readonly drafts: readonly Readonly<Record<string, unknown>>[]
  readonly secrets: readonly Readonly<Record<string, unknown>>[]
  readonly files: readonly unknown[]
  readonly requests: readonly unknown[]
  readonly access_tokens: readonly Readonly<Record<string, unknown>>[]
  readonly sessions: readonly Readonly<Record<string, unknown>>[]
  readonly identities: readonly unknown[]
  readonly passkeys: readonly Readonly<Record<string, unknown>>[]
  readonly webhooks: readonly Readonly<Record<string, unknown>>[]
}

const path = '/settings/download'
const names = [
  ...['account', 'folders', 'drafts', 'secrets', 'files', 'requests', 'access_tokens', 'sessions'],
  ...['identities', 'passkeys', 'webhooks'],
]

t.test('a download has the account and a list for everything else, also when it is empty', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  await makeThings(dashboard, await dashboard.makeOwner())
  const answer = await dashboard.post(path, {}, { as: owner })
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="sotto.json"',
    'cache-control': 'no-store',
  })
  const content = answer.json<Download>()
  t.same(Object.keys(content), names)
  const mails = { enabled: true, name_labels: false }
  t.match(content.account, { id: owner.accountId, email: owner.email, language: null, mails })
  for (const list of [
    'drafts',
    'secrets',
    'files',
    'requests',
    'access_tokens',
    'identities',
    'passkeys',
    'webhooks',
  ] as const) {
    t.same(content[list], [], list)
  }
  t.match(content.folders, [{ label: 'Inbox' }])
  t.match(content.sessions, [{ id: owner.sessionId }])
})

// Promise (The owner's pages): A download has everything of an account, but no note of a secret
t.test('it has the notes of drafts, but no note, token or password that gives access', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const { accountId } = owner
  const folderId = await dashboard.makeFolder(accountId)
  const token = await dashboard.makeToken(accountId)
  await dashboard.makeSecret(accountId, folderId, { note: 'note of a secret' })
  const draft = { accountId, folderId, label: 'Draft' }
  expectOk(await dashboard.sotto.saveDraft({ ...draft, note: 'note of\na draft' }))
  dashboard.clock.advance(1)
  expectOk(await dashboard.sotto.saveDraft({ ...draft, note: 'guarded note', password: 'the password' }))
  const { secret } = expectOk(await dashboard.sotto.createWebhook({ accountId, url: webhookUrl }))
  const answer = await dashboard.post(path, {}, { as: owner })
  t.same(
    answer.json<Download>().drafts.map(({ note }) => note),
    ['note of\na draft', null],
  )
  for (const hidden of ['note of a secret', 'guarded note', 'the password', token, owner.token, secret]) {
    t.notOk(answer.body.includes(hidden), hidden)
  }
  t.equal(answer.statusCode, 200)
})

/** A dashboard whose downloads stop before their access tokens until `open` is called. */
async function startGated(t: Test): Promise<{ dashboard: Dashboard; open: () => void }> {
  const gate = Promise.withResolvers<undefined>()
  const replace = ({ accessTokens }: FullPorts): Partial<FullPorts> => ({
    accessTokens: {
      ...accessTokens,
      page: (...given) =>
        ResultAsync.fromSafePromise(gate.promise).andThen(() => accessTokens.page(...given)),
    },
  })
  return { dashboard: await startDashboard(t, { replace }), open: () => gate.resolve(undefined) }
}

// Promise (The owner's pages): At most one download for each account and four in all run at a time
t.test('an account has one download under way, and all accounts together four', async (t) => {
  const { dashboard, open } = await startGated(t)
  const owners = []
  for (let n = 0; n < 5; n += 1) owners.push(await dashboard.makeOwner())
  const [first, , , , fifth] = owners
  const underWay = Promise.all(owners.slice(0, 4).map((as) => dashboard.post(path, {}, { as })))
  const second = await dashboard.post(path, {}, { as: first })
  t.match(second, { statusCode: 429, headers: { 'retry-after': '10', 'content-type': /^text\/html/ } })
  const other = await dashboard.post(path, {}, { as: fifth })
  t.match(other, { statusCode: 503, headers: { 'retry-after': '5', 'content-type': /^text\/html/ } })
  open()
  for (const answer of await underWay) t.equal(answer.statusCode, 200)
  for (const as of [fifth, first, fifth]) t.equal((await dashboard.post(path, {}, { as })).statusCode, 200)
})

t.test('a reader that leaves makes room for the next download', async (t) => {
  const { dashboard, open } = await startGated(t)
  const owner = await dashboard.makeOwner()
  await dashboard.makeFolder(owner.accountId)
  const connection = await openConnection(await listen(dashboard.app))
  const closed = new Promise((resolve) => {
    dashboard.app.server.once('request', (_, response) => response.once('close', resolve))
  })
  connection.socket.write(
    head(`POST ${path} HTTP/1.1`, 'Host: localhost:3000', `Cookie: sotto=${owner.token}`),
  )
  await connection.received('"account"')
  t.equal((await dashboard.post(path, {}, { as: owner })).statusCode, 429)
  connection.socket.destroy()
  await closed
  open()
  t.equal((await dashboard.post(path, {}, { as: owner })).statusCode, 200)
})

// Promise (The owner's pages): At most one download for each account and four in all run at a time: and count as changes
t.test('a download counts as a change', async (t) => {
  const dashboard = await startDashboard(t, { perMinute: 2 })
  const owner = await dashboard.makeOwner()
  for (const status of [200, 200, 429]) {
    t.equal((await dashboard.post(path, {}, { as: owner })).statusCode, status)
  }
  t.equal((await dashboard.post('/folders', { label: 'x' }, { as: owner })).statusCode, 429)
})

const broken = { code: 'storage_failed', detail: 'canary' } as const

t.test('an error before the first byte is an error page', async (t) => {
  let isBroken = false
  const dashboard = await startDashboard(t, {
    replace: ({ accounts }) => ({
      accounts: { ...accounts, find: (id) => (isBroken ? errAsync(broken) : accounts.find(id)) },
    }),
  })
  const owner = await dashboard.makeOwner()
  isBroken = true
  await dashboard.post(path, {}, { as: owner })
  const answer = await dashboard.post(path, {}, { as: owner })
  t.equal(answer.statusCode, 500, 'a failed one is no longer under way')
  t.match(answer.headers['content-type'], 'text/html')
  t.equal(answer.headers['content-disposition'], undefined)
  t.notMatch(answer.body, 'canary')
})

t.test('an error in the middle ends the answer uncleanly, and is logged', async (t) => {
  let isBroken = false
  const replace = ({ accessTokens }: FullPorts): Partial<FullPorts> => ({
    accessTokens: {
      ...accessTokens,
      page: (...given) => (isBroken ? errAsync(broken) : accessTokens.page(...given)),
    },
  })
  const dashboard = await startDashboard(t, { replace })
  const owner = await dashboard.makeOwner()
  await dashboard.makeFolder(owner.accountId)
  const port = await listen(dashboard.app)
  const request = head(
    `POST ${path} HTTP/1.1`,
    'Host: localhost:3000',
    `Cookie: sotto=${owner.token}`,
    'Connection: close',
  )
  const whole = await sendRaw(port, request)
  t.match(whole, /\r\n0\r\n\r\n$/, 'the last chunk of a whole answer')
  isBroken = true
  const cut = await sendRaw(port, request)
  t.match(cut, 'HTTP/1.1 200')
  t.match(cut, '"folders"')
  t.notMatch(cut, '"access_tokens"')
  t.notMatch(cut, /\r\n0\r\n\r\n$/, 'no last chunk')
  t.notMatch(cut, 'canary')
  t.match(dashboard.logLines.join(''), 'canary')
})

t.test('the page asks, and neither starts a download nor counts', async (t) => {
  const dashboard = await startDashboard(t, { perMinute: 1 })
  const owner = await dashboard.makeOwner()
  for (let n = 0; n < 3; n += 1) {
    const { statusCode, headers, body } = await dashboard.get(path, { as: owner })
    t.equal(statusCode, 200)
    t.match(headers['content-type'], 'text/html')
    t.equal(headers['content-disposition'], undefined)
    t.match(body, `<form class="panel question" method="post" action="${path}"`)
  }
  t.equal((await dashboard.post(path, {}, { as: owner })).statusCode, 200)
  t.equal(dashboard.logLines.filter((line) => line.includes('account_downloaded')).length, 1)
})

// Promise (The owner's pages): Signing in leads to pages, not to a download
t.test('signing in to download leads to the page that asks', async (t) => {
  const dashboard = await startDashboard(t)
  const { email } = await dashboard.makeOwner()
  const signedIn = await dashboard.signIn({ email, password, next: path })
  t.match(signedIn, { statusCode: 303, headers: { location: path } })
  const page = await dashboard.get(path, { as: sessionOf(signedIn) })
  t.match(page.headers['content-type'], 'text/html')
  t.notMatch(dashboard.logLines.join(''), 'account_downloaded')
})

// Promise (The owner's pages): At most one download for each account and four in all run at a time: and a client that takes too little is
// disconnected, and its place is free
t.test('a reader that takes nothing is cut off after a minute, and its place is free', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const { accountId } = owner
  const folderId = await dashboard.makeFolder(accountId)
  for (let n = 0; n < 200; n += 1) {
    const note = 'x'.repeat(60_000)
    expectOk(await dashboard.sotto.saveDraft({ accountId, folderId, label: 'Draft', note }))
  }
  const connection = await openConnection(await listen(dashboard.app))
  const answered = new Promise<ServerResponse>((resolve) =>
    dashboard.app.server.once('request', (_, response: ServerResponse) => resolve(response)),
  )
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  connection.socket.write(
    head(`POST ${path} HTTP/1.1`, 'Host: localhost:3000', `Cookie: sotto=${owner.token}`),
  )
  await connection.received('"drafts"')
  connection.socket.pause()
  const answer = await answered
  while ((answer.socket?.bytesWritten ?? 0) - answer.writableLength < 64 * 1024) await setImmediate()
  mock.timers.tick(60_000)
  t.notOk(answer.destroyed, 'in the first minute enough was taken')
  t.equal((await dashboard.post(path, {}, { as: owner })).statusCode, 429)
  const closed = once(answer, 'close')
  // The system goes on taking some of it, as long as it has room.
  let minutes = 1
  for (; !answer.destroyed; minutes += 1) {
    for (let turn = 0; turn < 200; turn += 1) await setImmediate()
    mock.timers.tick(60_000)
  }
  t.ok(minutes < 10, `${minutes} minutes: it was too slow, not too long`)
  await closed
  mock.timers.reset()
  t.equal((await dashboard.post(path, {}, { as: owner })).statusCode, 200)
  t.match(dashboard.logLines.join(''), 'a download was cut off, because its reader took too long')
})
