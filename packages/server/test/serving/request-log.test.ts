import t from 'tap'
import { addOwner, addSecret, startTestServer } from '../support/installation.ts'

interface Line {
  readonly msg: string
  readonly reqId?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number
  readonly millis?: number
}

// Promise (Installing and operating): The log has one line a request, which the id names
t.test('one line a request names its answer, and nothing that was sent', async (t) => {
  const server = await startTestServer(t, t.testdir(), { env: { SOTTO_LOG_LEVEL: 'info' } })
  const owner = await addOwner(server.installation)
  const secret = await addSecret(server.installation, owner, {})
  const { token } = secret.link
  const requests: [path: string, method: string, route: string | undefined, status: number][] = [
    [`/${token}?q=canary`, 'GET', '/:token', 200],
    ['/canary', 'GET', '/:token', 404],
    ['/canary/canary', 'GET', undefined, 404],
    [`/api/secret/${secret.id}?q=canary`, 'GET', '/api/secret/:id', 200],
    ['/api/canary', 'GET', '/api/*', 404],
    ['/welcome/canary', 'GET', '/welcome/:token', 404],
    ['/healthz', 'GET', '/healthz', 200],
  ]
  const ids: (string | null)[] = []
  for (const [path, method] of requests)
    ids.push((await server.call(path, { method, token: owner.token })).headers.get('x-request-id'))
  await server.server.stop()
  const lines = server.log.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'request')
  t.same(
    lines.map(({ reqId, method, route, status }) => [reqId, method, route, status]),
    requests.map(([, method, route, status], at) => [ids[at], method, route, status]),
  )
  for (const { millis } of lines) t.type(millis, 'number')
  const all = server.log.join('')
  for (const hidden of ['canary', token, secret.id, '127.0.0.1"']) t.notMatch(all, hidden)
})

t.test('requests that are answered together have a line each', async (t) => {
  const server = await startTestServer(t, t.testdir(), { env: { SOTTO_LOG_LEVEL: 'info' } })
  const answers = await Promise.all(Array.from({ length: 50 }, () => server.call('/healthz')))
  await server.server.stop()
  const lines = server.log.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'request')
  t.strictSame(
    new Set(lines.map(({ reqId }) => reqId)),
    new Set(answers.map(({ headers }) => headers.get('x-request-id'))),
  )
  t.equal(lines.length, 50)
})
