import t from 'tap'
import type { Test } from 'tap'
import {
  restsMaxBytes,
  limitsOf,
  startBytes,
  startsMaxBytes,
  type ServerLimits,
} from '../../../http-fastify/test/support/server-limits.ts'
import { apiRoutes } from '@sotto/http-fastify'
import { formType, startDashboard, type Dashboard, type Owner } from '../support/app.ts'
import { head, listen, open } from '../../../http-fastify/test/support/raw.ts'

interface Crowd {
  readonly dashboard: Dashboard
  readonly owner: Owner
  readonly limits: ServerLimits
  /** A request with a body to each plugin, from somebody who may send it. */
  readonly requests: readonly Request[]
}

interface Request {
  readonly plugin: string
  readonly lines: readonly string[]
  readonly body: string
  /** The status of its answer. */
  readonly done: number
}

/** The API, the links and the owner's pages on one server. */
async function startAll(t: Test): Promise<Crowd> {
  const dashboard = await startDashboard(t)
  const { sotto, app } = dashboard
  const origins = { baseUrl: 'http://localhost:3000', linkBaseUrl: 'http://localhost:3000' }
  await app.register(apiRoutes, { prefix: '/api', sotto, ...origins })
  const owner = await dashboard.makeOwner()
  const folderId = await dashboard.makeFolder(owner.accountId)
  const token = await dashboard.makeToken(owner.accountId)
  const secret = await dashboard.makeSecret(owner.accountId, folderId)
  const json = 'Content-Type: application/json'
  return {
    dashboard,
    owner,
    limits: limitsOf(app.server),
    requests: [
      {
        plugin: 'API',
        lines: ['POST /api/secret HTTP/1.1', json, `Authorization: Bearer ${token}`],
        body: JSON.stringify({ label: 'l', note: 'n', folder_id: folderId }),
        done: 201,
      },
      {
        plugin: 'links',
        lines: [`POST /${secret.link.token} HTTP/1.1`, json],
        body: '{}'.padEnd(100),
        done: 200,
      },
      {
        plugin: 'pages',
        lines: ['POST /folders HTTP/1.1', `Content-Type: ${formType}`, `Cookie: sotto=${owner.token}`],
        body: 'label=A+folder',
        done: 303,
      },
    ],
  }
}

const host = 'Host: localhost:3000'

// Promise (The owner's pages): All bodies together hold at most 64 MiB: then 503
t.test('all plugins share one byte budget for bodies: beyond it the answer is 503', async (t) => {
  const { dashboard, limits, requests } = await startAll(t)
  const port = await listen(dashboard.app)
  for (const { plugin, lines, body, done } of requests) {
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    for (const [how, line, sent] of [
      ['with a length', `Content-Length: ${body.length}`, body],
      ['chunked', 'Transfer-Encoding: chunked', chunked],
    ] as const) {
      const { socket, received } = await open(port)
      const request = head(...lines, host, line) + sent
      t.ok(limits.starts.take(startsMaxBytes - 1))
      socket.write(request)
      await received('HTTP/1.1 503')
      await received('retry-after: 5')
      limits.starts.take(1 - startsMaxBytes)
      socket.write(request)
      await received(`HTTP/1.1 ${done}`)
      t.pass(`${plugin}, ${how}`)
      socket.destroy()
    }
  }
  t.ok(limits.starts.take(startsMaxBytes), 'nothing is held after the answers')
  const lines = dashboard.logLines.filter((line) => line.includes('body_no_room'))
  t.equal(lines.length, 6)
  for (const line of lines) t.match(line, '"level":40')
})

t.test('a body takes bytes of the budget while it arrives, and none once its client has left', async (t) => {
  const { dashboard, limits, requests } = await startAll(t)
  const port = await listen(dashboard.app)
  const isEmpty = (): boolean => {
    const isTaken = limits.starts.take(startsMaxBytes)
    if (isTaken) limits.starts.take(-startsMaxBytes)
    return isTaken
  }
  for (const { plugin, lines, body } of requests) {
    const { socket } = await open(port)
    socket.write(head(...lines, host, `Content-Length: ${body.length + 1}`))
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    t.ok(isEmpty(), `${plugin}: what is only announced takes no bytes`)
    socket.write(body)
    while (isEmpty()) await nextTurn()
    socket.destroy()
    while (!isEmpty()) await nextTurn()
    t.pass(plugin)
  }
})

t.test('each of several requests that are sent together has its own body', async (t) => {
  const { dashboard, limits, requests } = await startAll(t)
  const { socket, received } = await open(await listen(dashboard.app))
  const whole = requests.map(
    ({ lines, body }) => head(...lines, host, `Content-Length: ${body.length}`) + body,
  )
  socket.write(whole.join(''))
  for (const { plugin, done } of requests) {
    await received(`HTTP/1.1 ${done}`)
    t.pass(plugin)
  }
  while (!limits.starts.take(startsMaxBytes)) await nextTurn()
  t.pass('nothing is held after the answers')
  socket.destroy()
})

// Promise (The owner's pages): All bodies together hold at most 64 MiB: then 503: and short ones are still taken
t.test('while long bodies take the whole budget, short ones are still taken', async (t) => {
  const { dashboard, owner, limits, requests } = await startAll(t)
  t.ok(limits.bodies.resize(0, restsMaxBytes + startBytes))
  const port = await listen(dashboard.app)
  for (const { plugin, lines, body, done } of requests) {
    const { socket, received } = await open(port)
    socket.write(head(...lines, host, `Content-Length: ${body.length}`) + body)
    await received(`HTTP/1.1 ${done}`)
    t.pass(plugin)
    socket.destroy()
  }
  const long = await dashboard.post('/secrets/new', { note: 'x'.repeat(startBytes) }, { as: owner })
  t.match(long, { statusCode: 503, headers: { 'retry-after': '5', 'content-type': /^text\/html/ } })
})

// Promise (The owner's pages): Nobody who is not signed in makes the server hold a long form
t.test('nobody who is not signed in makes the server hold a long form', async (t) => {
  const { dashboard, owner, limits } = await startAll(t)
  t.ok(limits.starts.take(startsMaxBytes))
  for (const as of [undefined, { token: 'A'.repeat(43) }]) {
    for (const label of ['x', 'x'.repeat(1_000_000)]) {
      const answer = await dashboard.post('/folders', { label }, { as })
      t.match(answer, { statusCode: 401, body: 'Nothing was saved or changed.' })
    }
  }
  t.equal((await dashboard.request('PUT', '/folders', { body: 'x' })).statusCode, 405)
  const elsewhere = { 'sec-fetch-site': 'cross-site' }
  const crossSite = await dashboard.post('/folders', { label: 'x' }, { as: owner, headers: elsewhere })
  t.equal(crossSite.statusCode, 403)
  t.equal((await dashboard.post('/folders', { label: 'x' }, { as: owner })).statusCode, 503)
})

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
