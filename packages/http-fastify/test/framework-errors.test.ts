import Fastify from 'fastify'
import t from 'tap'
import { apiRoutes, sottoServerOptions } from '../src/index.ts'
import { oneHost, quotaOf } from './support/api.ts'
import { createWorld } from './support/world.ts'

t.test('what the router refuses is answered in JSON, with the quota, and without the URL', async (t) => {
  const { ports } = createWorld()
  // Without the rewriting of URLs and with short parameters, the router refuses on its own.
  const { rewriteUrl: _, ...options } = sottoServerOptions({ ports })
  const app = Fastify({ ...options, routerOptions: { maxParamLength: 10 } })
  t.teardown(() => app.close())
  app.get('/short/:id', () => 'never')
  await app.register(apiRoutes, { prefix: '/api', ports, baseUrl: oneHost, linkBaseUrl: oneHost })
  for (const [url, status] of [
    ['/api/secret/%zz', 400],
    ['/short/confided-and-long', 414],
  ] as const) {
    const answer = await app.inject({ url })
    t.equal(answer.statusCode, status, url)
    t.same(quotaOf(answer), ['60', '60'])
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    t.notMatch(answer.body, /confided|zz/)
  }
})
