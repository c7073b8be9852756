import { once } from 'node:events'
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { leaveBodiesUnread, readRefusedBody } from '../../../src/http/bodies/bodies.ts'
import { linkRoutes, sottoServerOptions } from '../../../src/index.ts'
import { oneHost, startApi, type Api, type ApiOptions } from '../../support/api.ts'
import { disposition, multipartBody, multipartType } from '../../support/multipart.ts'
import { answersIn, firstAnswer, head, listen, open, sendRaw } from '../../support/raw.ts'

const files = { maxBytes: 1_000, accountMaxBytes: 12_500 }
const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
const expecting = 'Expect: 100-continue'
const host = 'Host: localhost:3000'
const bearer = ({ token }: Pick<Api, 'token'>) => `Authorization: Bearer ${token}`
const json = 'Content-Type: application/json'
const multipart = `Content-Type: ${multipartType}`

async function start(t: Test, options: ApiOptions = {}) {
  const requests: IncomingMessage[] = []
  const api = await startApi(t, { files, ...options })
  api.app.server.on('checkContinue', (request: IncomingMessage) => void requests.push(request))
  return { ...api, port: await listen(api.app), requests }
}

/** A good form with a file. */
const formOf = ({ folderId }: Pick<Api, 'folderId'>) =>
  multipartBody([
    [[disposition('secret'), json], JSON.stringify({ label: 'l', note: 'n', folder_id: folderId })],
    [disposition('file', 'a'), 'content'],
  ])

// Promise (The JSON API): A client that waits for 100 Continue gets a refusal instead, and sends no body
t.test('a refusal comes without 100 Continue, and without a byte of the body', async (t) => {
  const api = await start(t)
  const { port } = api
  const length = 'Content-Length: 2000'
  const refusals: readonly (readonly [status: number, path: string, ...lines: string[]])[] = [
    [401, '/api/secret', multipart, length],
    [401, '/api/secret', 'Authorization: Bearer wrong', json, length],
    [401, '/api/secret', multipart, 'Transfer-Encoding: chunked'],
    [404, '/api/unknown', bearer(api), json, length],
    [405, '/api/folders', bearer(api), json, length],
    [413, '/api/secret', bearer(api), multipart, 'Content-Length: 100000000'],
    [413, '/api/secret', bearer(api), json, 'Content-Length: 100000000'],
    [415, '/api/secret', bearer(api), 'Content-Type: text/plain', length],
    [400, '/api/secret', bearer(api), 'Content-Type: multipart/form-data', length],
    [404, '/elsewhere/unknown', json, length],
  ]
  for (const [status, path, ...lines] of refusals) {
    const answer = firstAnswer(await sendRaw(port, head(`POST ${path} HTTP/1.1`, host, ...lines, expecting)))
    t.equal(answer.status, status, `${status} ${path}`)
    if (status === 413) t.match(answer.body, /too large|at most/)
    t.equal(answer.headers['connection'], 'close', 'a body that comes late is no request')
  }
  const readOnly = await api.makeToken(api.accountId, { scopes: ['read'] })
  const forbidden = head(
    'POST /api/secret HTTP/1.1',
    host,
    bearer({ token: readOnly }),
    multipart,
    length,
    expecting,
  )
  t.equal(firstAnswer(await sendRaw(port, forbidden)).status, 403)
  t.equal(api.requests.length, refusals.length + 1)
  t.ok(
    api.requests.every(({ complete }) => !complete),
    'no body was read to its end',
  )
})

t.test(
  'a body that is sent while its refusal arrives is read, and its connection ends a second later',
  async (t) => {
    const api = await start(t)
    const { socket, received } = await open(api.port, { allowHalfOpen: true })
    const errors: Error[] = []
    socket.on('error', (error) => errors.push(error))
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    const refused = head('POST /api/secret HTTP/1.1', host, json, 'Content-Length: 60000', expecting)
    socket.write(refused)
    await received('HTTP/1.1 401')
    const [ofServer] = api.requests.map((request) => request.socket)
    for (let part = 0; part < 6; part += 1) {
      socket.write(Buffer.alloc(10_000))
      await nextTurn()
    }
    while (ofServer?.bytesRead !== refused.length + 60_000 && ofServer?.destroyed === false) await nextTurn()
    mock.timers.tick(999)
    t.equal(ofServer?.destroyed, false)
    mock.timers.tick(1)
    t.equal(ofServer?.destroyed, true, 'although the client has not closed its side')
    await received('access token')
    t.same(errors, [])
    socket.destroy()
  },
)

t.test('nothing that follows a refused body is a request', async (t) => {
  const api = await start(t)
  const { socket, received } = await open(api.port, { allowHalfOpen: true })
  socket.write(head('POST /api/secret HTTP/1.1', host, json, 'Content-Length: 10', expecting))
  await received('HTTP/1.1 401')
  const body = JSON.stringify({ label: 'l', note: 'n', folder_id: api.folderId })
  const lines = [host, bearer(api), json, `Content-Length: ${body.length}`]
  socket.write(`0123456789${head('POST /api/secret HTTP/1.1', ...lines)}${body}`)
  const [ofServer] = api.requests.map((request) => request.socket)
  if (ofServer?.closed === false) await once(ofServer, 'close')
  socket.destroy()
  const list = (await api.call('GET', '/api/secrets')).json<{ data: unknown }>()
  t.same(list.data, [], 'no secret was created')
})

t.test('a used-up quota is said without 100 Continue', async (t) => {
  const api = await start(t, { perMinute: 1 })
  const lines = [host, bearer(api), multipart, 'Content-Length: 2000', expecting]
  await api.call('GET', '/api/folders')
  const answer = firstAnswer(await sendRaw(api.port, head('POST /api/secret HTTP/1.1', ...lines)))
  t.equal(answer.status, 429)
})

t.test('a form and JSON are awaited with 100 Continue, and the connection stays usable', async (t) => {
  const api = await start(t)
  const jsonBody = JSON.stringify({ label: 'l', note: 'n', folder_id: api.folderId })
  for (const [type, body] of [
    [multipart, formOf(api)],
    [json, Buffer.from(jsonBody)],
  ] as const) {
    const connection = await open(api.port)
    const lines = [host, bearer(api), type, `Content-Length: ${body.length}`, expecting]
    connection.socket.write(head('POST /api/secret HTTP/1.1', ...lines))
    await connection.received(interim)
    connection.socket.write(body)
    await connection.received('"success":true')
    connection.socket.write(head('GET /api/folders HTTP/1.1', host, bearer(api), 'Connection: close'))
    const received = await connection.closed
    t.ok(received.startsWith(interim))
    t.same(
      answersIn(received.slice(interim.length)).map(({ status }) => status),
      [201, 200],
    )
  }
})

t.test('what is wrong with the body of a form comes after 100 Continue', async (t) => {
  const api = await start(t)
  const connection = await open(api.port)
  const body = multipartBody([[disposition('file', 'a'), 'content']])
  const lines = [
    host,
    bearer(api),
    multipart,
    `Content-Length: ${body.length}`,
    'Connection: close',
    expecting,
  ]
  connection.socket.write(head('POST /api/secret HTTP/1.1', ...lines))
  await connection.received(interim)
  connection.socket.write(body)
  t.equal(firstAnswer((await connection.closed).slice(interim.length)).status, 400)
})

t.test('a client that does not wait keeps its connection, whatever the answer', async (t) => {
  const api = await start(t)
  const form = formOf(api)
  const post = (...lines: string[]) =>
    head('POST /api/secret HTTP/1.1', host, `Content-Length: ${form.length}`, expecting, ...lines) +
    form.toString()
  const received = await sendRaw(
    api.port,
    post(bearer(api), multipart),
    post(multipart),
    head('DELETE /api/unknown HTTP/1.1', host, bearer(api), expecting, 'Content-Length: 0'),
    head('GET /api/folders HTTP/1.1', host, bearer(api), 'Connection: close'),
  )
  t.same(
    answersIn(received.replaceAll(interim, '')).map(({ status }) => status),
    [201, 401, 404, 200],
  )
})

t.test('a client of HTTP/1.0 never gets 100 Continue', async (t) => {
  const api = await start(t)
  const form = formOf(api)
  const lines = [host, bearer(api), multipart, `Content-Length: ${form.length}`, expecting]
  const connection = await open(api.port)
  connection.socket.write(head('POST /api/secret HTTP/1.0', ...lines))
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  connection.socket.write(form)
  t.equal(firstAnswer(await connection.closed).status, 201)
})

t.test('routes of an application around the plugins get bodies as ever', async (t) => {
  const { sotto } = await start(t)
  const app = Fastify(sottoServerOptions({ sotto }))
  t.teardown(() => app.close())
  app.post('/mine', (request) => request.body)
  app.post('/unread', { preParsing: (_request, reply) => void reply.send('no') }, () => '')
  const port = await listen(app)
  const lines = [host, json, 'Content-Length: 8', 'Connection: close', expecting]
  const connection = await open(port)
  connection.socket.write(head('POST /mine HTTP/1.1', ...lines))
  await connection.received(interim)
  connection.socket.write('{"a": 1}')
  t.match(await connection.closed, /\{"a":1\}/)
  const unread = await sendRaw(port, head('POST /unread HTTP/1.1', ...lines))
  t.equal(firstAnswer(unread).status, 200)
})

t.test('a form that is refused is kept for its answer, but never asked for', async (t) => {
  const { sotto } = await start(t)
  const app = Fastify(sottoServerOptions({ sotto }))
  t.teardown(() => app.close())
  leaveBodiesUnread(app)
  app.post('/refused', async (_request, reply) => {
    const body = await readRefusedBody(reply, 100)
    return reply.code(401).send(body === undefined ? 'nothing' : `kept ${Buffer.from(body).toString()}`)
  })
  const port = await listen(app)
  const form = 'Content-Type: application/x-www-form-urlencoded'
  const refused = head(
    'POST /refused HTTP/1.1',
    host,
    form,
    'Content-Length: 3',
    'Connection: close',
    expecting,
  )
  t.match(firstAnswer(await sendRaw(port, refused)), { status: 401, body: 'nothing' })
  const sent = await sendRaw(port, `${refused}a=b`)
  t.match(
    firstAnswer(sent.replace(interim, '')),
    { status: 401, body: 'kept a=b' },
    'of a client that does not wait',
  )
})

t.test('links refuse before the body, too', async (t) => {
  const { sotto } = await start(t)
  const app = Fastify(sottoServerOptions({ sotto }))
  t.teardown(() => app.close())
  await app.register(linkRoutes, { sotto, baseUrl: oneHost, linkBaseUrl: oneHost })
  const port = await listen(app)
  const post = (type: string, length: number) =>
    head(`POST /${'A'.repeat(43)} HTTP/1.1`, host, type, `Content-Length: ${length}`, expecting)
  const plain = 'Content-Type: text/plain'
  t.equal(firstAnswer(await sendRaw(port, post(plain, 2))).status, 415)
  t.equal(firstAnswer(await sendRaw(port, post(json, 20_000))).status, 413)
  const end = head('GET / HTTP/1.1', host, 'Connection: close')
  const received = await sendRaw(port, `${post(plain, 2)}{}${post(json, 2)}{}${end}`)
  t.same(
    answersIn(received.replaceAll(interim, '')).map(({ status }) => status),
    [415, 404, 404],
    'a client that does not wait keeps its connection',
  )
})
