import Fastify from 'fastify'
import t from 'tap'
import { okAsync } from 'neverthrow'
import { apiRoutes, linkRoutes, serviceRoutes } from '../../src/index.ts'
import { createWorld } from '../support/world.ts'
import { startLinks } from '../support/links.ts'

const origin = 'http://localhost:3000'
const origins = { baseUrl: origin, linkBaseUrl: origin }

t.test('other routes of one segment belong to the application, whatever the order', async (t) => {
  const { sotto } = createWorld()
  const app = Fastify()
  t.teardown(() => app.close())
  app.get('/before', () => 'of the application')
  await app.register(linkRoutes, { sotto, ...origins })
  app.get('/after', () => 'of the application')
  for (const url of ['/before', '/after']) t.equal((await app.inject({ url })).body, 'of the application')
  t.equal((await app.inject({ url: '/other', headers: { accept: 'application/json' } })).statusCode, 404)
})

t.test('each plugin answers its own 404s', async (t) => {
  const { sotto } = createWorld()
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(apiRoutes, { prefix: '/api', sotto, ...origins })
  await app.register(linkRoutes, { sotto, ...origins })
  await app.register(serviceRoutes, { sotto, ready: () => okAsync(), ...origins })
  const messageAt = async (url: string) => {
    const answer = await app.inject({ url, headers: { accept: 'application/json' } })
    return [answer.statusCode, answer.json<{ message: string }>().message]
  }
  t.same(await messageAt('/unknown'), [404, 'There is no such link.'])
  t.same(await messageAt('/'), [200, undefined], 'the start page of serviceRoutes')
  t.same(await messageAt('/two/segments'), [404, 'There is nothing at this path.'])
  t.same(await messageAt('/api/unknown'), [
    401,
    'An access token is required: Authorization: Bearer <token>.',
  ])
})

t.test('a single use-case can be replaced', async (t) => {
  const { sotto } = createWorld()
  const app = Fastify()
  t.teardown(() => app.close())
  const opened = { label: 'l', note: 'replaced', opensLeft: undefined, expiresAtMicros: 0, from: undefined }
  await app.register(linkRoutes, {
    sotto: { previewLink: sotto.previewLink, openSecret: () => okAsync(opened) },
    ...origins,
  })
  const answer = await app.inject({ method: 'POST', url: '/anything' })
  t.match(answer.json(), { data: { note: 'replaced', opens_left: null } })
})

t.test('deeper paths belong to the application', async (t) => {
  const links = await startLinks(t, {
    prepare: (app) =>
      void app.setNotFoundHandler(async (_request, reply) => reply.code(404).send('of the application')),
  })
  const { path } = await links.share()
  for (const other of [`/a${path}`, `${path}/more`, `${path}/more/`]) {
    t.equal((await links.visit(other)).body, 'of the application', other.replace(path, '/token'))
  }
})
