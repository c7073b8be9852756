import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { apiRoutes, sottoServerOptions } from '../src/index.ts'
import { oneHost, quotaOf, startApi } from './support/api.ts'
import { createWorld } from './support/world.ts'

const origins = { baseUrl: oneHost, linkBaseUrl: oneHost }

t.test('paths', async (t) => {
  t.test('every path below the prefix is the API’s, and no other', async (t) => {
    const api = await startApi(t)
    for (const url of [
      '/api',
      '/api/',
      '/api?x',
      '/api/folders/',
      '/api/folders/x',
      '/api//folders',
      '/api/FOLDERS',
      '/api/secret/',
      '/api/secret/a/b',
      '/api/folders%2F',
      '/api/folders;x',
      '/api/secrets.json',
    ]) {
      const answer = await api.call('GET', url)
      t.same(
        answer.json(),
        { success: false, version: '1.0', message: 'There is nothing at this path.' },
        url,
      )
      t.equal(answer.statusCode, 404, url)
      t.equal(answer.headers['x-ratelimit-limit'], '60', url)
    }
    for (const url of ['/', '/apiary', '/API/folders', '//api/folders', '/api%2Ffolders', '/x/api/folders']) {
      const answer = await api.call('GET', url)
      t.equal(answer.statusCode, 404, url)
      t.notOk(answer.headers['x-ratelimit-limit'], url)
    }
  })

  t.test('a known path with another method is 405 with Allow', async (t) => {
    const api = await startApi(t)
    const known = {
      '/api/folders': 'GET, HEAD',
      '/api/secrets': 'GET, HEAD',
      '/api/secret': 'POST',
      '/api/secret/x': 'GET, HEAD',
    }
    for (const [url, allow] of Object.entries(known)) {
      for (const method of [
        'OPTIONS',
        'TRACE',
        'PUT',
        'PATCH',
        'DELETE',
        'PROPFIND',
        'M-SEARCH',
        allow === 'POST' ? 'GET' : 'POST',
      ]) {
        const answer = await api.call(method, url, ['PUT', 'PATCH'].includes(method) ? '{' : undefined)
        t.equal(answer.statusCode, 405, `${method} ${url}`)
        t.equal(answer.headers.allow, allow, `${method} ${url}`)
      }
    }
  })

  t.test('escapes of letters in a path are read', async (t) => {
    const api = await startApi(t)
    t.equal(
      (await api.app.inject({ url: '/%61pi/%66olders', headers: { authorization: `Bearer ${api.token}` } }))
        .statusCode,
      200,
    )
    t.equal((await api.call('DELETE', '/api/%66olders')).statusCode, 405)
  })

  t.test('HEAD is GET without the body', async (t) => {
    const api = await startApi(t)
    const { id } = await api.makeSecret(api.accountId, api.folderId)
    for (const url of [
      '/api/folders',
      '/api/secrets',
      `/api/secret/${id}`,
      '/api/secret/x',
      '/api/nothing',
    ]) {
      const [get, head] = [await api.call('GET', url), await api.call('HEAD', url)]
      t.equal(head.statusCode, get.statusCode, url)
      t.same(Object.keys(head.headers), Object.keys(get.headers), url)
      t.equal(head.headers['content-length'], get.headers['content-length'], url)
      t.equal(head.body, '', url)
      t.equal(Number(quotaOf(get)[1]) - Number(quotaOf(head)[1]), 1, `${url} is counted`)
    }
  })
})

t.test('every answer carries the headers that keep it private', async (t) => {
  const api = await startApi(t, { perMinute: 5 })
  const answers = [
    await api.call('GET', '/api/folders'),
    await api.inject({ url: '/api/folders' }),
    await api.call('GET', '/api/unknown'),
    await api.call('POST', '/api/secret', '{'),
    await api.inject({ url: '/api/folders', headers: { host: 'a b' } }),
    await api.inject({ url: '/healthz' }),
    await api.inject({ url: '/nothing' }),
  ]
  for (const { headers, statusCode } of answers) {
    t.match(
      headers,
      {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': /default-src 'none'/,
      },
      String(statusCode),
    )
  }
})

t.test('Accept does not matter: JSON always', async (t) => {
  const api = await startApi(t)
  for (const accept of ['text/html', 'text/html,*/*;q=0.1', 'application/xml', 'nonsense']) {
    const answer = await api.inject({ url: '/api/folders', headers: { accept } })
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8', accept)
  }
})

t.test('in somebody else’s application', async (t) => {
  const embed = async (set: (app: FastifyInstance) => void, options = {}) => {
    const world = createWorld()
    const app = Fastify(options)
    t.teardown(() => app.close())
    set(app)
    await app.register(apiRoutes, { prefix: '/sotto/v1', ports: world.ports, ...origins })
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

  t.test('the host’s validator, parsers and handlers do not reach into the API', async (t) => {
    const { app, authorization, post } = await embed((app) => {
      app.addContentTypeParser('text/plain', (_request, _payload, done) => done(null, { label: 'x' }))
      app.setErrorHandler((_error, _request, reply) => reply.code(418).send('the host’s'))
      app.setNotFoundHandler((_request, reply) => reply.code(418).send('the host’s'))
      app.get('/*', (_request, reply) => reply.code(418).send('the host’s'))
      app.all('/sotto/*', (_request, reply) => reply.code(418).send('the host’s'))
    })
    t.equal((await post({})).statusCode, 201)
    t.equal((await post({})).headers.location?.startsWith('/sotto/v1/secret/'), true)
    const faulty = await post({ open_limit: '3', pasword: 'p' })
    t.equal(faulty.statusCode, 400, 'nothing is coerced or removed')
    t.same(Object.keys(faulty.json<{ errors: object }>().errors), ['open_limit', 'pasword'])
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

  t.test('the API does not reach into the host’s routes', async (t) => {
    const { app } = await embed((app) => {
      app.post(
        '/echo',
        { schema: { body: { type: 'object', properties: { n: { type: 'integer' } } } } },
        (request) => request.body as object,
      )
      app.post('/text', (request) => ({ text: request.body }))
      app.get('/fails', () => Promise.reject(new Error('the host’s own')))
    })
    t.same(
      (await app.inject({ method: 'POST', url: '/echo', payload: { n: '3' } })).json(),
      { n: 3 },
      'his validator coerces',
    )
    const text = await app.inject({
      method: 'POST',
      url: '/text',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    })
    t.same(text.json(), { text: 'x' }, 'his parsers parse')
    const failed = await app.inject({ url: '/fails' })
    t.match(failed.json(), { message: 'the host’s own' }, 'his errors are his')
    t.notOk(failed.headers['x-ratelimit-limit'])
    t.match((await app.inject({ url: '/nothing' })).json(), { error: 'Not Found' })
  })

  t.test('with the server options, too', async (t) => {
    const world = createWorld()
    const { app } = await embed(
      (app) => {
        app.post(
          '/echo',
          { schema: { body: { type: 'object', properties: { n: { type: 'integer' } } } } },
          (request) => request.body as object,
        )
        app.get('/plain', () => ({ plain: true }))
      },
      sottoServerOptions({ ports: world.ports }),
    )
    t.same((await app.inject({ method: 'POST', url: '/echo', payload: { n: '3' } })).json(), { n: 3 })
    t.equal((await app.inject({ method: 'HEAD', url: '/plain' })).statusCode, 200)
  })

  t.test(
    'what a hook of the host throws is answered in JSON, with the quota, and without its message',
    async (t) => {
      const { app } = await embed((app) => {
        app.addHook('onRequest', (request, _reply, done) => {
          const statusCode = Number(request.headers['x-fail'])
          done(Number.isNaN(statusCode) ? undefined : Object.assign(new Error('confided'), { statusCode }))
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
        t.notMatch(answer.body, /confided/)
      }
    },
  )

  t.test('registering it without a prefix is a mistake of the programmer', async (t) => {
    const app = Fastify()
    t.teardown(() => app.close())
    await t.rejects(
      async () => app.register(apiRoutes, { ports: createWorld().ports, ...origins }),
      TypeError,
    )
  })
})

t.test('logs hold nothing that was confided', async (t) => {
  const confided = ['Zx9label', 'Zx9note', 'Zx9password', 'Zx9unknown']
  const api = await startApi(t, {
    replace: ({ secrets }) => ({
      secrets: {
        ...secrets,
        insert: () => {
          throw new Error(`a defect that quotes ${confided.join()}`)
        },
      },
    }),
  })
  const secret = { label: confided[0], note: confided[1], password: confided[2], folder_id: api.folderId }
  t.equal((await api.call('POST', '/api/secret', secret)).statusCode, 500)
  await api.call('POST', '/api/secret', { ...secret, [confided[3]!]: 1 })
  await api.call('POST', '/api/secret', JSON.stringify(secret).slice(0, -1))
  await api.call('GET', `/api/secret/${confided[3]}?${confided[0]}`)
  api.app.log.error({ err: new Error(confided[0]) }, 'x')
  const logged = api.logLines.join('')
  t.match(logged, /"type":"Error"/)
  t.match(logged, /api-routes\.test\.ts/, 'where the defect is')
  for (const text of [...confided, api.token, 'authorization'])
    t.notMatch(logged, new RegExp(text, 'i'), text)
})

t.test('requests that go well are not logged', async (t) => {
  const api = await startApi(t)
  await api.call('GET', '/api/folders')
  await api.call('GET', '/api/unknown')
  t.same(api.logLines, [])
})
