import Fastify, { type InjectOptions } from 'fastify'
import { okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { apiRoutes, linkRoutes, serviceRoutes, sottoServerOptions, type Origins } from '../../../src/index.ts'
import { createWorld } from '../../support/world.ts'

/** All plugins on one server. */
async function start(t: Test, origins: Origins) {
  const { sotto } = createWorld()
  const app = Fastify(sottoServerOptions({ sotto }))
  t.teardown(() => app.close())
  await app.register(apiRoutes, { prefix: '/api', sotto, ...origins })
  await app.register(linkRoutes, { sotto, ...origins })
  await app.register(serviceRoutes, { sotto, ...origins, ready: () => okAsync() })
  return async (origin: string, url: string, options: Omit<InjectOptions, 'url'> = {}) =>
    (await app.inject({ url, ...options, headers: { host: new URL(origin).host, ...options.headers } }))
      .headers
}

const ofBase = ['/api', '/api/folders', '/docs', '/openapi.json', '/healthz', '/readyz', '/nothing/here']
const ofLinks = [`/${'A'.repeat(43)}`, '/robots.txt', '/favicon.ico']
const hsts = 'max-age=31536000'

t.test('browsers must stay with https on each origin that is https, whatever the other is', async (t) => {
  for (const [base, link] of [
    ['https', 'https'],
    ['https', 'http'],
    ['http', 'https'],
    ['http', 'http'],
  ]) {
    const origins = { baseUrl: `${base}://api.example.org`, linkBaseUrl: `${link}://s.example.org` }
    const headersOf = await start(t, origins)
    for (const url of ofBase) {
      const { 'strict-transport-security': sent } = await headersOf(origins.baseUrl, url)
      t.equal(sent, base === 'https' ? hsts : undefined, `${url} on ${base}, links on ${link}`)
    }
    for (const url of ofLinks) {
      const { 'strict-transport-security': sent } = await headersOf(origins.linkBaseUrl, url)
      t.equal(sent, link === 'https' ? hsts : undefined, `${url} on ${link}, base on ${base}`)
    }
  }
})

t.test('every page has the same protection', async (t) => {
  const origin = 'https://sotto.example.org'
  const headersOf = await start(t, { baseUrl: origin, linkBaseUrl: origin })
  for (const url of ['/docs', `/${'A'.repeat(43)}`]) {
    const headers = await headersOf(origin, url, { headers: { accept: 'text/html' } })
    t.match(
      headers,
      {
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': /^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'/,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': /camera=\(\)/,
        'referrer-policy': 'no-referrer',
        'strict-transport-security': hsts,
        'x-content-type-options': 'nosniff',
      },
      url,
    )
  }
})
