import Fastify, { type FastifyReply } from 'fastify'
import t from 'tap'
import { watchAnswers, type GivenAnswer } from '../../../src/index.ts'
import { startApi, type Api } from '../../support/api.ts'
import { answersIn, head, listen, open, sendRaw } from '../../support/raw.ts'

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Requests that get their answers from routes, hooks, Fastify and the parser. */
const requests = (token: string): readonly string[] => [
  head(
    'GET /api/folders HTTP/1.1',
    'Host: localhost:3000',
    `Authorization: Bearer ${token}`,
    'Connection: close',
  ),
  head('GET /api/folders HTTP/1.1', 'Host: localhost:3000', 'Connection: close'),
  head('GET /unknown/path HTTP/1.1', 'Host: localhost:3000', 'Connection: close'),
  head('GET /api/%zz HTTP/1.1', 'Host: localhost:3000', 'Connection: close'),
  head('CONNECT /api/folders HTTP/1.1', 'Host: localhost:3000', 'Connection: close'),
  head('CONNECT example.org:443 HTTP/1.1', 'Host: localhost:3000'),
  'nonsense\r\n\r\n',
  head('GET /api/folders HTTP/1.1', 'Host: localhost:3000', `A: ${'x'.repeat(100_000)}`),
]

async function answerTo(port: number, bytes: string) {
  const [answer] = answersIn(await sendRaw(port, bytes))
  return { status: answer?.status, id: String(answer?.headers['x-request-id']) }
}

// Promise (Installing and operating): Every answer has an id that the server made
t.test('every answer carries an id of its own, those of the parser included', async (t) => {
  const api = await startApi(t)
  const port = await listen(api.app)
  const ids = new Set<string>()
  for (const bytes of requests(api.token)) {
    const { id } = await answerTo(port, bytes)
    t.match(id, idPattern, bytes.slice(0, 40))
    ids.add(id)
  }
  t.equal(ids.size, requests('').length, 'no two are the same')
})

// Promise (Installing and operating): Every answer has an id that the server made: never one that a client sent
t.test('an id that a client sends is ignored', async (t) => {
  const api = await startApi(t)
  const port = await listen(api.app)
  const sent = ['X-Request-Id: mine', 'Request-Id: mine', 'X-Correlation-Id: mine']
  const { id } = await answerTo(
    port,
    head('GET /api/folders HTTP/1.1', 'Host: a', ...sent, 'Connection: close'),
  )
  t.match(id, idPattern)
  t.notMatch(api.logLines.join(''), 'mine')
})

/** A server whose answers are recorded. */
async function watched(
  t: Parameters<typeof startApi>[0],
): Promise<{ api: Api; port: number; given: GivenAnswer[] }> {
  const given: GivenAnswer[] = []
  const onAnswer = (answer: GivenAnswer): void => void given.push(answer)
  const api = await startApi(t, {
    server: { onAnswer },
    prepare: (app) => watchAnswers(app, onAnswer),
  })
  return { api, port: await listen(api.app), given }
}

t.test('every answer is reported once, with its id, the pattern of its route and its status', async (t) => {
  const { api, port, given } = await watched(t)
  const answers = []
  for (const bytes of requests(api.token)) answers.push(await answerTo(port, bytes))
  t.same(
    given.map(({ requestId, status }) => ({ id: requestId, status })),
    answers,
  )
  t.same(
    given.map(({ method, route }) => [method, route]),
    [
      ['GET', '/api/folders'],
      ['GET', '/api/folders'],
      ['GET', undefined],
      ['GET', '/api/*'],
      ['CONNECT', undefined],
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ],
  )
  for (const { millis } of given) t.ok(millis >= 0)
})

t.test('an answer is reported once, also when its client leaves without the rest of the body', async (t) => {
  const given: GivenAnswer[] = []
  const onAnswer = (answer: GivenAnswer): void => void given.push(answer)
  const api = await startApi(t, {
    server: { onAnswer },
    prepare(app) {
      watchAnswers(app, onAnswer)
      const onRequest = async (_request: unknown, reply: FastifyReply) => reply.code(503).send()
      app.post('/early', { onRequest }, async () => 'never')
    },
  })
  const { socket, received, closed } = await open(await listen(api.app), { allowHalfOpen: true })
  socket.write(`${head('POST /early HTTP/1.1', 'Host: localhost:3000', 'Content-Length: 100')}abc`)
  await received('503 Service Unavailable')
  socket.end()
  t.equal((await closed).match(/HTTP\/1\.1 /g)?.length, 1)
  t.same(
    given.map(({ route, status }) => [route, status]),
    [['/early', 503]],
  )
})

t.test('a request that the parser ends half-way is reported once', async (t) => {
  const { api, port, given } = await watched(t)
  const headers = [
    'Host: localhost:3000',
    `Authorization: Bearer ${api.token}`,
    'Content-Type: application/json',
  ]
  const bytes = `${head('POST /api/secret HTTP/1.1', ...headers, 'Transfer-Encoding: chunked')}zz\r\n`
  const answer = await answerTo(port, bytes)
  t.equal(answer.status, 400)
  await api.app.close()
  t.same(
    given.map(({ requestId, status }) => ({ id: requestId, status })),
    [answer],
  )
})

t.test('lines of the log name the request by its id, and have ISO times', async (t) => {
  const lines: string[] = []
  const api = await startApi(t)
  const port = await listen(api.app)
  const bad = head(
    'GET /api/folders HTTP/1.1',
    'Host: localhost:3000',
    'Authorization: Bearer x',
    'Connection: close',
  )
  const { id } = await answerTo(port, bad)
  lines.push(...api.logLines.filter((line) => line.includes('token_refused')))
  const [line] = lines.map((text) => JSON.parse(text) as { reqId: string; time: string })
  t.equal(line?.reqId, id)
  t.match(line?.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

t.test('without these options an application has the ids of its own', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.get('/x', (request) => request.id)
  t.notOk((await app.inject('/x')).headers['x-request-id'])
})
