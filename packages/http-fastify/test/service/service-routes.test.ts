import Fastify from 'fastify'
import { errAsync, okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { linkRoutes, serviceRoutes, sottoServerOptions, type ServiceRoutesOptions } from '../../src/index.ts'
import { createWorld } from '../support/world.ts'

async function start(t: Test, options: Partial<ServiceRoutesOptions> = {}) {
  const { sotto } = createWorld()
  const app = Fastify(sottoServerOptions({ sotto }))
  t.teardown(() => app.close())
  const origins = { baseUrl: 'https://api.example.org', linkBaseUrl: 'https://s.example.org' }
  await app.register(serviceRoutes, { ...origins, sotto, ready: () => okAsync(), ...options })
  return app
}

const onBase = { host: 'api.example.org' }

t.test('/healthz and /readyz answer on every host', async (t) => {
  const app = await start(t)
  for (const host of ['api.example.org', 's.example.org', '10.0.0.1:3000']) {
    t.same((await app.inject({ url: '/healthz', headers: { host } })).json(), {
      success: true,
      version: '1.0',
      data: { status: 'alive' },
    })
    t.same((await app.inject({ url: '/readyz', headers: { host } })).json(), {
      success: true,
      version: '1.0',
      data: { status: 'ready' },
    })
  }
  t.equal((await app.inject({ url: '/healthz', headers: { host: 'a b' } })).statusCode, 400)
})

t.test('/readyz is 503 when nothing can be written, without the reason', async (t) => {
  const app = await start(t, { ready: () => errAsync({ code: 'storage_unavailable', reason: 'full' }) })
  const answer = await app.inject({ url: '/readyz' })
  t.equal(answer.statusCode, 503)
  t.match(answer.headers['retry-after'], /^[1-9]/)
  t.notMatch(answer.body, /full|storage/)
  t.equal((await app.inject({ url: '/healthz' })).statusCode, 200, 'it is alive')
})

t.test('the documentation is only on the host of the base URL', async (t) => {
  const app = await start(t)
  for (const url of ['/docs', '/openapi.json']) {
    t.equal((await app.inject({ url, headers: onBase })).statusCode, 200, url)
    t.equal((await app.inject({ url, headers: { host: 's.example.org' } })).statusCode, 404, url)
    t.equal((await app.inject({ url, headers: { host: 'other.example.org' } })).statusCode, 404, url)
  }
})

t.test('the root of the base host says what this is and where it is described', async (t) => {
  for (const linkBaseUrl of ['https://s.example.org', 'https://api.example.org']) {
    const app = await start(t, { linkBaseUrl })
    const json = await app.inject({ url: '/', headers: onBase })
    t.equal(json.statusCode, 200)
    t.same(json.json(), {
      success: true,
      version: '1.0',
      data: {
        service: 'sotto',
        documentation: 'https://api.example.org/docs',
        openapi: 'https://api.example.org/openapi.json',
      },
    })
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const page = await app.inject({ url: '/', headers: { ...onBase, accept } })
    t.equal(page.statusCode, 200)
    t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    t.match(page.headers['content-security-policy'], /^default-src 'none'/)
    t.match(page.body, '<a class="button" href="/docs">')
    for (const { headers } of [json, page]) t.equal(headers.vary, 'Accept')
    const posted = await app.inject({ method: 'POST', url: '/', headers: onBase })
    t.equal(posted.statusCode, 405)
    t.equal(posted.headers.allow, 'GET, HEAD')
  }
})

t.test('with two hosts, the root belongs to the links on theirs', async (t) => {
  const { sotto } = createWorld()
  const app = Fastify(sottoServerOptions({ sotto }))
  t.teardown(() => app.close())
  const origins = { baseUrl: 'https://api.example.org', linkBaseUrl: 'https://s.example.org' }
  await app.register(linkRoutes, { ...origins, sotto })
  await app.register(serviceRoutes, { ...origins, sotto, ready: () => okAsync() })
  const of = async (host: string, url = '/') => {
    const { statusCode, headers, body } = await app.inject({ url, headers: { host, accept: 'text/html' } })
    const { date: _, ...rest } = headers
    return { statusCode, headers: rest, body }
  }
  for (const host of ['api.example.org', 'API.example.org', 'api.example.org:443'])
    t.equal((await of(host)).statusCode, 200, host)
  t.same(await of('s.example.org'), await of('s.example.org', `/${'A'.repeat(43)}`), 'as an unknown link')
  for (const host of ['other.example.org', 'apiXexample.org', 'api.example.org:444'])
    t.match(await of(host), { statusCode: 404, body: 'There is no page here' })
})

t.test('an unknown path is a plain 404, another method 405, a long URL 414', async (t) => {
  const app = await start(t)
  const unknown = await app.inject({ url: '/nothing/here', headers: onBase })
  t.equal(unknown.statusCode, 404)
  t.same(unknown.json(), { success: false, version: '1.0', message: 'There is nothing at this path.' })
  const other = await app.inject({ method: 'POST', url: '/docs', headers: onBase, payload: { a: 1 } })
  t.equal(other.statusCode, 405)
  t.equal(other.headers.allow, 'GET, HEAD')
  t.equal((await app.inject({ url: `/${'x'.repeat(2_048)}`, headers: onBase })).statusCode, 414)
})

t.test('a browser gets a page for an unknown or undecodable path, in its language', async (t) => {
  const app = await start(t)
  for (const url of ['/nothing/here', '/a/b/c', '/%ff/x', '/%/x', '/dashboard/x']) {
    const headers = { ...onBase, accept: 'text/html,*/*;q=0.8', 'accept-language': 'de' }
    const answer = await app.inject({ url, headers })
    t.equal(answer.statusCode, 404, url)
    t.match(answer.headers, { 'content-type': /^text\/html/, 'cache-control': 'no-store' })
    t.match(answer.body, 'Hier ist keine Seite')
    t.match((await app.inject({ url, headers: onBase })).json(), { success: false }, 'a program gets JSON')
  }
})

t.test('a defect is a plain 500', async (t) => {
  const app = await start(t, {
    ready: () => {
      throw new Error('confidential')
    },
  })
  const answer = await app.inject({ url: '/readyz' })
  t.equal(answer.statusCode, 500)
  t.same(answer.json(), { success: false, version: '1.0', message: 'Server error.' })
})

t.test('beside linkRoutes it still answers its own paths, for every method', async (t) => {
  const { sotto } = createWorld()
  const app = Fastify(sottoServerOptions({ sotto }))
  t.teardown(() => app.close())
  const origins = { baseUrl: 'https://api.example.org', linkBaseUrl: 'https://api.example.org' }
  await app.register(linkRoutes, { ...origins, sotto })
  await app.register(serviceRoutes, { ...origins, sotto, ready: () => okAsync() })
  for (const url of ['/', '/healthz', '/readyz', '/docs', '/openapi.json']) {
    t.equal((await app.inject({ url })).statusCode, 200, url)
    for (const method of ['POST', 'DELETE', 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url })
      t.equal(answer.statusCode, 405, `${method} ${url}`)
      t.equal(answer.headers.allow, 'GET, HEAD')
    }
  }
})

t.test('the documentation follows the prefix of the API', async (t) => {
  const app = await start(t, { apiPrefix: '/sotto/v1' })
  const { paths } = (await app.inject({ url: '/openapi.json', headers: onBase })).json<{ paths: object }>()
  t.ok('/sotto/v1/folders' in paths && !('/api/folders' in paths))
  t.match((await app.inject({ url: '/docs', headers: onBase })).body, '/sotto/v1/folders')
})
