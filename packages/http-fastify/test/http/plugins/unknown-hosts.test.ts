import Fastify from 'fastify'
import { okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import {
  apiRoutes,
  linkRoutes,
  logUnknownHosts,
  serviceRoutes,
  sottoServerOptions,
} from '../../../src/index.ts'
import { createWorld } from '../../support/world.ts'

async function start(t: Test, origins: { baseUrl: string; linkBaseUrl: string }) {
  const { sotto, clock } = createWorld()
  const lines: string[] = []
  const log = { level: 'warn', stream: { write: (line: string) => lines.push(line) } }
  const app = Fastify(sottoServerOptions({ sotto, log }))
  t.teardown(() => app.close())
  logUnknownHosts(app, { ...origins, clock })
  await app.register(apiRoutes, { prefix: '/api', sotto, ...origins })
  await app.register(linkRoutes, { sotto, ...origins })
  await app.register(serviceRoutes, { sotto, ready: () => okAsync(), ...origins })
  const status = async (host: string, url = '/api/folders') =>
    (await app.inject({ url, headers: { host } })).statusCode
  return { status, lines, clock }
}

const twoHosts = { baseUrl: 'https://api.example.org', linkBaseUrl: 'https://s.example.org:8443' }

// Promise (Installing and operating): A request for an unknown host is logged once an hour, with the expected hosts
t.test('an unknown host is logged once an hour, with the hosts that are expected', async (t) => {
  const { status, lines, clock } = await start(t, twoHosts)
  for (const url of ['/api/folders', '/', '/no-such-path', `/${'A'.repeat(43)}`, '/docs'])
    t.equal(await status('upstream.internal:3000', url), 404, url)
  t.equal(await status('another.internal'), 404)
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines.join('')), {
    level: 40,
    expectedHosts: ['api.example.org', 's.example.org:8443'],
    msg: /none of this service/,
  })
  clock.advance(3_599_999_999)
  await status('another.internal')
  t.equal(lines.length, 1, 'within the hour')
  clock.advance(1)
  await status('another.internal')
  t.equal(lines.length, 2, 'after it')
})

// Promise (Installing and operating): A request for an unknown host is logged once an hour, with the expected hosts: and never with what
// was sent
t.test('what was sent as the host is never in the log', async (t) => {
  const { status, lines } = await start(t, twoHosts)
  await status('canary.internal')
  await status('canary internal')
  t.equal(lines.length, 2)
  t.notMatch(lines.join(''), /canary/)
})

t.test('a malformed host is a reason of its own', async (t) => {
  const { status, lines } = await start(t, twoHosts)
  t.equal(await status('a b'), 400)
  t.equal(await status('c d'), 400)
  t.equal(lines.length, 1)
  t.match(lines.join(''), /no Host, several, or one that is not valid/)
  await status('unknown.example.org')
  t.equal(lines.length, 2)
})

t.test('known hosts, and monitoring on any host, log nothing', async (t) => {
  const { status, lines } = await start(t, twoHosts)
  t.equal(await status('api.example.org', '/no-such-path'), 404)
  t.equal(await status('s.example.org:8443'), 404, 'the API is not on the host of links')
  t.equal(await status('10.0.0.1:3000', '/healthz'), 200)
  t.equal(await status('10.0.0.1:3000', '/readyz'), 200)
  t.same(lines, [])
})

t.test('with one host for both origins no host is unknown', async (t) => {
  const { status, lines } = await start(t, { ...twoHosts, linkBaseUrl: twoHosts.baseUrl })
  t.equal(await status('upstream.internal', '/no-such-path'), 404)
  t.same(lines, [])
})
