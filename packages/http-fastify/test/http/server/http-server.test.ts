import { once } from 'node:events'
import { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { ResultAsync } from 'neverthrow'
import t from 'tap'
import { sottoServerOptions } from '../../../src/index.ts'
import { lingerAfterAnswer } from '../../../src/http/server/last-answer.ts'
import { quotaOf, startApi, type Api } from '../../support/api.ts'
import { answersIn, firstAnswer, head, listen, open, sendRaw } from '../../support/raw.ts'

/** Sends one request, checks its answer against the document and returns it. */
async function ask(
  api: Api,
  port: number,
  method: string,
  url: string,
  lines: readonly string[],
  body = '',
  version = '1.1',
) {
  const request = head(
    `${method} ${url} HTTP/${version}`,
    ...lines,
    ...(version === '1.1' ? ['Connection: close'] : []),
  )
  const received = await sendRaw(port, request + body)
  const [answer, ...others] = answersIn(received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''))
  api.conformance(method, new URL(url.replace(/^(?!\/|http)/, '/'), 'http://x').pathname, answer!)
  t.equal(others.length, 0, 'one answer')
  return answer!
}

const authorized = ({ token }: Api) => ['Host: localhost:3000', `Authorization: Bearer ${token}`]
const shown = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
  quotaOf({ headers: headers as never })

t.test(
  'a missing, malformed, empty or duplicate Host is 400 and counts nothing, whatever the token',
  async (t) => {
    const api = await startApi(t)
    const port = await listen(api.app)
    const hosts = [
      [],
      ['Host:'],
      ['Host: a b'],
      ['Host: a', 'Host: a'],
      ['Host: a,b'],
      ['Host: a', ...new Array<string>(2_500).fill('a:'), 'Host: b'],
    ]
    for (const lines of hosts) {
      const answer = await ask(api, port, 'GET', '/api/folders', [
        ...lines,
        `Authorization: Bearer ${api.token}`,
      ])
      t.equal(answer.status, 400, lines.slice(0, 2).join())
      t.same(shown(answer), ['60', '60'])
    }
    const old = await ask(api, port, 'GET', '/api/folders', [`Authorization: Bearer ${api.token}`], '', '1.0')
    t.equal(old.status, 400, 'HTTP/1.0')
    t.equal((await ask(api, port, 'GET', '/api/folders', authorized(api), '', '1.0')).status, 200)
  },
)

t.test('bad percent-encoding and an over-long id are unknown ids', async (t) => {
  const api = await startApi(t)
  const port = await listen(api.app)
  for (const id of ['%zz', '%', '%ff', '%c3%28', 'x'.repeat(2_000)]) {
    const answer = await ask(api, port, 'GET', `/api/secret/${id}`, authorized(api))
    t.equal(answer.status, 404, id.slice(0, 20))
    t.match(answer.body, /There is no such secret/)
  }
  t.equal((await ask(api, port, 'GET', '/api/%zz', authorized(api))).status, 404)
  t.equal((await ask(api, port, 'POST', '/api/secret/%zz', authorized(api))).status, 405)
})

// Promise (The JSON API): A URL that is too long: 414
t.test('a URL of 2,048 bytes is accepted, any longer one is 414', async (t) => {
  const api = await startApi(t)
  const port = await listen(api.app)
  const url = (length: number) => '/api/folders?'.padEnd(length, 'x')
  t.equal((await ask(api, port, 'GET', url(2_048), authorized(api))).status, 200)
  for (const length of [2_049, 10_000, 16_300, 16_384, 40_000]) {
    const answer = await ask(api, port, 'GET', url(length), authorized(api))
    t.equal(answer.status, 414, String(length))
    t.same(shown(answer), ['60', '60'], 'of the address, not of the account')
  }
})

// Promise (The JSON API): Headers that are too large: 431
t.test('headers of more than 16 KiB are 431', async (t) => {
  const api = await startApi(t)
  const port = await listen(api.app)
  t.equal(
    (await ask(api, port, 'GET', '/api/folders', [...authorized(api), `X: ${'x'.repeat(16_000)}`])).status,
    200,
  )
  for (const length of [16_384, 30_000, 100_000]) {
    const answer = await ask(api, port, 'GET', '/api/folders', [
      ...authorized(api),
      `X: ${'x'.repeat(length)}`,
    ])
    t.equal(answer.status, 431, String(length))
    t.same(shown(answer), ['60', '60'], 'of the address, not of the account')
  }
})

t.test('an unknown expectation is ignored, 100-continue is fulfilled', async (t) => {
  const api = await startApi(t)
  const port = await listen(api.app)
  t.equal(
    (await ask(api, port, 'GET', '/api/folders', [...authorized(api), 'Expect: the-worst'])).status,
    200,
  )
  const body = JSON.stringify({ label: 'l', note: 'n', folder_id: api.folderId })
  const lines = [
    ...authorized(api),
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  t.equal((await ask(api, port, 'POST', '/api/secret', lines, body)).status, 201)
})

t.test('CONNECT to a path is answered like any method, to anything else with 400', async (t) => {
  const api = await startApi(t)
  const port = await listen(api.app)
  const known = await ask(api, port, 'CONNECT', '/api/folders', authorized(api))
  t.equal(known.status, 405)
  t.equal(known.headers['allow'], 'GET, HEAD')
  t.equal((await ask(api, port, 'CONNECT', '/api/unknown', authorized(api))).status, 404)
  t.equal((await ask(api, port, 'CONNECT', '/api/folders', ['Host: a'])).status, 401)
  const tunnel = await ask(api, port, 'CONNECT', 'example.org:443', ['Host: example.org:443'])
  t.equal(tunnel.status, 400)
  t.same(shown(tunnel), ['60', '59'])
})

t.test('an upgrade is ignored', async (t) => {
  const api = await startApi(t)
  const port = await listen(api.app)
  for (const protocol of ['websocket', 'h2c']) {
    const request = head(
      'GET /api/folders HTTP/1.1',
      ...authorized(api),
      'Connection: Upgrade, close',
      `Upgrade: ${protocol}`,
    )
    t.equal(firstAnswer(await sendRaw(port, request)).status, 200, protocol)
  }
})

t.test('a CONNECT or upgrade whose client stays silent does not keep its connection', async (t) => {
  const api = await startApi(t, { server: { timeouts: { keepAliveMillis: 50 } } })
  const port = await listen(api.app)
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket']
  const requests: Record<string, string> = {
    'CONNECT to a path': head('CONNECT /api/folders HTTP/1.1', 'Host: a'),
    'CONNECT to the root': head('CONNECT / HTTP/1.1', 'Host: a'),
    'CONNECT to a host': head('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443'),
    upgrade: head('GET /api/folders HTTP/1.1', 'Host: a', ...upgrade),
    'upgrade with CONNECT': head('CONNECT /api/folders HTTP/1.1', 'Host: a', ...upgrade),
  }
  for (const [name, request] of Object.entries(requests)) {
    const connection = await open(port, { allowHalfOpen: true })
    connection.socket.write(request)
    await connection.received('"success":false')
    while ((await connectionsOf(api)) > 0) await pause(10)
    t.pass(name)
    connection.socket.destroy()
  }
})

t.test('a CONNECT waits for the answers to the requests before it', async (t) => {
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>()
  const api = await startApi(t, {
    replace: ({ folders }) => ({
      folders: {
        ...folders,
        page: (...given) => ResultAsync.fromSafePromise(held).andThen(() => folders.page(...given)),
      },
    }),
  })
  const port = await listen(api.app)
  const get = head('GET /api/folders HTTP/1.1', ...authorized(api))
  const connections = []
  for (const target of ['/api/unknown', 'example.org:443']) {
    const connection = await open(port)
    const connected = new Promise((resolve) => api.app.server.once('connect', resolve))
    connection.socket.write(get + get + head(`CONNECT ${target} HTTP/1.1`, ...authorized(api)))
    await connected
    connections.push(connection)
  }
  release(undefined)
  const [toPath, toHost] = await Promise.all(connections.map(({ closed }) => closed))
  const statuses = (received = '') => answersIn(received).map(({ status }) => status)
  t.same(statuses(toPath), [200, 200, 404])
  t.same(statuses(toHost), [200, 200, 400])
})

t.test(
  'a CONNECT whose client disconnects before the answers to earlier requests is forgotten',
  async (t) => {
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>()
    const api = await startApi(t, {
      replace: ({ folders }) => ({
        folders: {
          ...folders,
          page: (...given) => ResultAsync.fromSafePromise(held).andThen(() => folders.page(...given)),
        },
      }),
    })
    const connection = await open(await listen(api.app))
    const connected = new Promise((resolve) => api.app.server.once('connect', resolve))
    connection.socket.write(
      head('GET /api/folders HTTP/1.1', ...authorized(api)) + head('CONNECT / HTTP/1.1', ...authorized(api)),
    )
    await connected
    connection.socket.resetAndDestroy()
    while ((await connectionsOf(api)) > 0) await pause(10)
    release(undefined)
    t.notMatch(api.logLines.join(''), /"level":(50|60)/)
  },
)

t.test('the absolute form and the asterisk form are accepted', async (t) => {
  const api = await startApi(t, { baseUrl: 'http://api.example.org', linkBaseUrl: 'http://s.example.org' })
  const port = await listen(api.app)
  const lines = ['Host: s.example.org', `Authorization: Bearer ${api.token}`]
  t.equal((await ask(api, port, 'GET', 'http://api.example.org/api/folders', lines)).status, 200)
  const asterisk = firstAnswer(
    await sendRaw(port, head('OPTIONS * HTTP/1.1', 'Host: api.example.org', 'Connection: close')),
  )
  t.equal(asterisk.status, 404)
  t.same(JSON.parse(asterisk.body), {
    success: false,
    version: '1.0',
    message: 'There is nothing at this path.',
  })
})

// Promise (The JSON API): A body that is too large: 413
t.test('chunked bodies are accepted, and one that becomes too large is 413', async (t) => {
  const api = await startApi(t, { noteMaxBytes: 100 })
  const port = await listen(api.app)
  const lines = [...authorized(api), 'Content-Type: application/json', 'Transfer-Encoding: chunked']
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const body = JSON.stringify({ label: 'l', note: 'n', folder_id: api.folderId })
  const good = chunked(body.slice(0, 9)) + chunked(body.slice(9)) + '0\r\n\r\n'
  t.equal((await ask(api, port, 'POST', '/api/secret', lines, good)).status, 201)
  const large = chunked('x'.repeat(9_000)) + chunked('x'.repeat(9_000)) + '0\r\n\r\n'
  t.equal((await ask(api, port, 'POST', '/api/secret', lines, large)).status, 413)
})

t.test('a refused body is read to its end, and the connection stays usable', async (t) => {
  const api = await startApi(t, { noteMaxBytes: 100 })
  const port = await listen(api.app)
  const large = 'x'.repeat(1_000_000)
  const length = `Content-Length: ${large.length}`
  const post = (...lines: string[]) => head('POST /api/secret HTTP/1.1', 'Host: a', length, ...lines) + large
  const received = await sendRaw(
    port,
    post(`Authorization: Bearer ${api.token}`, 'Content-Type: application/json'),
    post(`Authorization: Bearer ${api.token}`, 'Content-Type: text/plain'),
    post(),
    head('GET /api/folders HTTP/1.1', ...authorized(api), 'Connection: close'),
  )
  t.same(
    answersIn(received).map(({ status }) => status),
    [413, 415, 401, 200],
  )
})

t.test('an endless body is answered, and the connection closed', async (t) => {
  const api = await startApi(t)
  const connection = await open(await listen(api.app))
  connection.socket.write(
    head(
      'POST /api/secret HTTP/1.1',
      ...authorized(api),
      'Content-Type: application/json',
      'Content-Length: 1000000000000',
    ),
  )
  const megabyte = Buffer.alloc(1024 * 1024, 0x20)
  for (let sent = 0; sent < 18; sent += 1) connection.socket.write(megabyte)
  await connection.received('too large')
  const answer = firstAnswer(await connection.closed)
  t.equal(answer.status, 413)
  t.equal(answer.headers['connection'], 'close')
})

t.test('a server that is shutting down answers running connections with 503, and then closes', async (t) => {
  const api = await startApi(t)
  const accepted = once(api.app.server, 'connection') as Promise<[Socket]>
  const connection = await open(await listen(api.app))
  const request = head('GET /api/folders HTTP/1.1', ...authorized(api))
  connection.socket.write(request.slice(0, -2))
  const [served] = await accepted
  while (served.bytesRead === 0) await nextTurn()
  const closed = api.app.close()
  while (api.app.server.listening) await nextTurn()
  connection.socket.write('\r\n')
  const answer = firstAnswer(await connection.closed)
  await closed
  t.equal(answer.status, 503)
  t.match(answer.headers['retry-after'], /^[1-9]/)
  t.equal(answer.headers['connection'], 'close')
  t.same(shown(answer), ['60', '60'], 'counts nothing')
})

t.test('a connection that says nothing more after its answer is closed', async (t) => {
  const api = await startApi(t, { server: { timeouts: { keepAliveMillis: 50 } } })
  const connection = await open(await listen(api.app))
  connection.socket.write(head('GET /api/folders HTTP/1.1', ...authorized(api)))
  t.equal(answersIn(await connection.closed).length, 1)
  const usual = await startApi(t)
  const [answer] = answersIn(
    await sendRaw(
      await listen(usual.app),
      head('GET /a HTTP/1.1', 'Host: a') + head('GET /a HTTP/1.0', 'Host: a'),
    ),
  )
  t.equal(answer?.headers['keep-alive'], 'timeout=72')
})

t.test('a connection whose client stops reading is closed after a while', async (t) => {
  const { app: usual, sotto } = await startApi(t)
  t.equal(usual.server.timeout, 120_000)
  const app = Fastify(sottoServerOptions({ sotto, timeouts: { silentMillis: 60_000 } }))
  t.teardown(() => app.close())
  t.equal(app.server.timeout, 60_000)
  app.get('/', (request, reply) => {
    request.socket.setTimeout(500)
    return reply.send(Buffer.alloc(64 * 1024 * 1024))
  })
  const accepted = once(app.server, 'connection')
  const { socket } = await open(await listen(app))
  const [connection] = (await accepted) as [Socket]
  const closed = once(connection, 'close')
  socket.pause()
  socket.write(head('GET / HTTP/1.1', 'Host: a'))
  await closed
  t.ok(connection.bytesWritten > 0, 'it was sent a part of the answer')
  socket.destroy()
})

// Promise (The JSON API): A process has 10,000 connections at most
t.test('a connection more than may be open is closed immediately', async (t) => {
  const api = await startApi(t, { server: { maxConnections: 2 } })
  const port = await listen(api.app)
  const request = head('GET /api/folders HTTP/1.1', ...authorized(api))
  const [one, other] = [await open(port), await open(port)]
  for (const { socket, received } of [one, other]) {
    socket.write(request)
    await received('"success":true')
  }
  t.equal(await sendRaw(port, request), '', 'no answer')
  one.socket.end()
  await one.closed
  while ((await connectionsOf(api)) > 1) await nextTurn()
  t.equal(
    (await ask(api, port, 'GET', '/api/folders', authorized(api))).status,
    200,
    'one that is closed makes room',
  )
  t.equal((await startApi(t)).app.server.maxConnections, 10_000)
  other.socket.destroy()
})

t.test('listening on localhost creates one server', async (t) => {
  const api = await startApi(t)
  await api.app.listen({ host: 'localhost', port: 0 })
  t.equal(api.app.addresses().length, 1)
})

t.test('TLS options are honoured', async (t) => {
  const api = await startApi(t)
  const app = Fastify({ ...sottoServerOptions({ sotto: api.sotto }), https: {} } as object)
  t.teardown(() => app.close())
  t.ok(app.server instanceof HttpsServer)
  t.ok(app.server.listeners('secureConnection').includes(lingerAfterAnswer))
})

function connectionsOf(api: Api): Promise<number> {
  return new Promise((resolve) => api.app.server.getConnections((_error, total) => resolve(total)))
}

t.test('HTTP/2 is refused with a clear error', async (t) => {
  const api = await startApi(t)
  t.throws(() => Fastify({ ...sottoServerOptions({ sotto: api.sotto }), http2: true } as object), TypeError)
})
