import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { apiRoutes, sottoServerOptions } from '../../src/index.ts'
import { oneHost, quotaOf } from '../support/api.ts'
import { createWorld } from '../support/world.ts'

// The API as a plugin of another application, with routes, parsers, hooks and handlers of its own.

const origins = { baseUrl: oneHost, linkBaseUrl: oneHost }
const echo = { body: { type: 'object', properties: { n: { type: 'integer' } } } }

/** @param prepare sets up the application, before the API is registered */
async function embed(prepare: (app: FastifyInstance) => void, options = {}) {
  const world = createWorld()
  const app = Fastify(options)
  t.teardown(() => app.close())
  prepare(app)
  await app.register(apiRoutes, { prefix: '/sotto/v1', sotto: world.sotto, ...origins })
  const accountId = await world.makeAccount()
  const folder_id = await world.makeFolder(accountId)
  const authorization = `Bearer ${await world.makeToken(accountId)}`
  const post = (body: object) =>
    app.inject({
      method: 'POST',
      url: '/sotto/v1/secret',
      headers: { authorization },
      payload: { label: 'l', note: 'n', folder_id, ...body },
    })
  return { app, authorization, post }
}

t.test('the application’s validator, parsers and handlers do not apply to the API', async (t) => {
  const { app, authorization, post } = await embed((app) => {
    app.addContentTypeParser('text/plain', (_request, _payload, done) => done(null, { label: 'x' }))
    app.setErrorHandler((_error, _request, reply) => reply.code(418).send('of the application'))
    app.setNotFoundHandler((_request, reply) => reply.code(418).send('of the application'))
    app.get('/*', (_request, reply) => reply.code(418).send('of the application'))
    app.all('/sotto/*', (_request, reply) => reply.code(418).send('of the application'))
  })
  t.equal((await post({})).statusCode, 201)
  const invalid = await post({ open_limit: '3', pasword: 'p' })
  t.equal(invalid.statusCode, 400, 'nothing is converted or removed')
  t.same(Object.keys(invalid.json<{ errors: object }>().errors), ['open_limit', 'pasword'])
  for (const url of ['/sotto/v1', '/sotto/v1/', '/sotto/v1/unknown', '/sotto/v1/secret/x']) {
    const answer = await app.inject({ url, headers: { authorization } })
    t.equal(answer.statusCode, 404, url)
    t.ok(answer.headers['x-ratelimit-limit'], url)
  }
  const plain = {
    method: 'POST',
    url: '/sotto/v1/secret',
    headers: { authorization, 'content-type': 'text/plain' },
    payload: 'x',
  } as const
  t.equal((await app.inject(plain)).statusCode, 415)
})

t.test('the API does not apply to the application’s routes', async (t) => {
  const { app } = await embed((app) => {
    app.post('/echo', { schema: echo }, (request) => request.body as object)
    app.post('/text', (request) => ({ text: request.body }))
    app.get('/fails', () => Promise.reject(new Error('of the application')))
  })
  const converted = await app.inject({ method: 'POST', url: '/echo', payload: { n: '3' } })
  t.same(converted.json(), { n: 3 }, 'its validator converts')
  const text = await app.inject({
    method: 'POST',
    url: '/text',
    headers: { 'content-type': 'text/plain' },
    payload: 'x',
  })
  t.same(text.json(), { text: 'x' }, 'its parsers parse')
  const failed = await app.inject({ url: '/fails' })
  t.match(failed.json(), { message: 'of the application' }, 'its errors are its own')
  t.notOk(failed.headers['x-ratelimit-limit'])
  t.match((await app.inject({ url: '/nothing' })).json(), { error: 'Not Found' }, 'its 404 is its own')
})

t.test('the application’s routes also work with the server options', async (t) => {
  const { app } = await embed(
    (app) => {
      app.post('/echo', { schema: echo }, (request) => request.body as object)
      app.get('/plain', () => ({ plain: true }))
    },
    sottoServerOptions({ sotto: createWorld().sotto }),
  )
  t.same((await app.inject({ method: 'POST', url: '/echo', payload: { n: '3' } })).json(), { n: 3 })
  t.equal((await app.inject({ method: 'HEAD', url: '/plain' })).statusCode, 200)
})

t.test('what a hook throws is answered in JSON, with the quota, and without its message', async (t) => {
  const { app } = await embed((app) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const statusCode = Number(request.headers['x-fail'])
      done(Number.isNaN(statusCode) ? undefined : Object.assign(new Error('confidential'), { statusCode }))
    })
  })
  for (const [thrown, status] of [
    [403, 403],
    [418, 418],
    [503, 503],
    [500, 500],
    [200, 500],
  ]) {
    const answer = await app.inject({ url: '/sotto/v1/folders', headers: { 'x-fail': String(thrown) } })
    t.equal(answer.statusCode, status)
    t.same(quotaOf(answer), ['60', '60'])
    t.notMatch(answer.body, /confidential/)
  }
})

t.test('Location follows the whole prefix, that of surrounding plugins included', async (t) => {
  const { post } = await embed(() => undefined)
  t.match((await post({})).headers.location, /^\/sotto\/v1\/secret\/[0-9a-f-]{36}$/)

  const world = createWorld()
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(
    async (inner) => {
      await inner.register(apiRoutes, { prefix: '/api', sotto: world.sotto, ...origins })
    },
    { prefix: '/tenant' },
  )
  const accountId = await world.makeAccount()
  const headers = { authorization: `Bearer ${await world.makeToken(accountId)}` }
  const payload = { label: 'l', note: 'n', folder_id: await world.makeFolder(accountId) }
  const created = await app.inject({ method: 'POST', url: '/tenant/api/secret', headers, payload })
  t.match(created.headers.location, /^\/tenant\/api\/secret\//)
  t.equal((await app.inject({ url: created.headers.location!, headers })).statusCode, 200)
})

t.test('a single use-case can be wrapped', async (t) => {
  const world = createWorld()
  const created: string[] = []
  const sotto: typeof world.sotto = {
    ...world.sotto,
    createSecret: (input) => world.sotto.createSecret(input).andTee(({ label }) => created.push(label)),
  }
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(apiRoutes, { prefix: '/api', sotto, ...origins })
  const accountId = await world.makeAccount()
  const answer = await app.inject({
    method: 'POST',
    url: '/api/secret',
    headers: { authorization: `Bearer ${await world.makeToken(accountId)}` },
    payload: { label: 'seen', note: 'n', folder_id: await world.makeFolder(accountId) },
  })
  t.equal(answer.statusCode, 201)
  t.same(created, ['seen'])
})
