import Fastify from 'fastify'
import t from 'tap'
import { apiRoutes, sottoServerOptions } from '../../../src/index.ts'
import { oneHost, quotaOf } from '../../support/api.ts'
import { createWorld } from '../../support/world.ts'

// Promise (The JSON API): x-ratelimit-limit and x-ratelimit-remaining on every response under /api: those of the framework included
t.test('what the router refuses is answered in JSON, with the quota and without the URL', async (t) => {
  const { sotto } = createWorld()
  // Without rewriteUrl and with short parameters, the router itself refuses.
  const { rewriteUrl: _, ...options } = sottoServerOptions({ sotto })
  const app = Fastify({ ...options, routerOptions: { maxParamLength: 10 } })
  t.teardown(() => app.close())
  app.get('/short/:id', () => 'never')
  await app.register(apiRoutes, { prefix: '/api', sotto, baseUrl: oneHost, linkBaseUrl: oneHost })
  for (const [url, status] of [
    ['/api/secret/%zz', 400],
    ['/short/confidential-and-long', 414],
  ] as const) {
    const answer = await app.inject({ url })
    t.equal(answer.statusCode, status, url)
    t.same(quotaOf(answer), ['60', '60'])
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    t.notMatch(answer.body, /confidential|zz/)
  }
})
