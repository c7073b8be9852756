import Fastify, { type FastifyInstance } from 'fastify'
import { okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { apiRoutes, linkRoutes, serviceRoutes, type Origins } from '../../../src/index.ts'
import { createWorld } from '../../support/world.ts'

const { sotto } = createWorld()
const origins = { baseUrl: 'https://api.example.org', linkBaseUrl: 'https://s.example.org' }
const ready = () => okAsync()

type Register = (app: FastifyInstance, options: { prefix?: string } & Origins) => PromiseLike<unknown>
const plugins: Readonly<Record<string, Register>> = {
  apiRoutes: (app, options) => app.register(apiRoutes, { sotto, prefix: '/api', ...options }),
  linkRoutes: (app, options) => app.register(linkRoutes, { sotto, ...options }),
  serviceRoutes: (app, options) => app.register(serviceRoutes, { sotto, ready, ...options }),
}

/** An application, which is closed at the end of the test. */
function createApp(t: Test, options: object = {}): FastifyInstance {
  const app = Fastify(options)
  t.teardown(() => app.close())
  return app
}

/** What registering rejects with, when it is awaited and when it is not. */
async function rejections(t: Test, register: (app: FastifyInstance) => PromiseLike<unknown>, options = {}) {
  const awaited = await Promise.resolve(register(createApp(t, options))).then(
    () => 'no error',
    (error: unknown) => error,
  )
  const app = createApp(t, options)
  void register(app)
  const notAwaited = await Promise.resolve(app.ready()).then(
    () => 'no error',
    (error: unknown) => error,
  )
  return [awaited, notAwaited]
}

async function isRefused(
  t: Test,
  what: string,
  register: (app: FastifyInstance) => PromiseLike<unknown>,
  options = {},
) {
  for (const error of await rejections(t, register, options))
    t.ok(error instanceof TypeError, `${what}: ${String(error)}`)
}

for (const [name, register] of Object.entries(plugins)) {
  t.test(`${name} rejects origins that are not bare`, async (t) => {
    for (const bad of ['', 'localhost', 'https://a.example.org/b', 'https://u:p@a', 'ftp://a']) {
      await isRefused(t, `baseUrl ${bad}`, (app) => register(app, { ...origins, baseUrl: bad }))
      await isRefused(t, `linkBaseUrl ${bad}`, (app) => register(app, { ...origins, linkBaseUrl: bad }))
    }
  })

  t.test(`${name} rejects an HTTP/2 server`, async (t) => {
    await isRefused(t, 'http2', (app) => register(app, origins), { http2: true })
  })
}

for (const name of ['linkRoutes', 'serviceRoutes']) {
  t.test(`${name} rejects a prefix, its own and that of a surrounding plugin`, async (t) => {
    const register = plugins[name]!
    await isRefused(t, 'own', (app) => register(app, { ...origins, prefix: '/x' }))
    await isRefused(t, 'surrounding', (app) =>
      app.register(
        async (inner) => {
          await register(inner, origins)
        },
        { prefix: '/x' },
      ),
    )
  })
}

t.test('apiRoutes rejects a missing prefix and one that is not plain', async (t) => {
  await isRefused(t, 'none', (app) => app.register(apiRoutes, { sotto, ...origins }))
  for (const prefix of ['/', '/api/', '//api', '/:tenant/api', '/api/*', '/a b'])
    await isRefused(t, prefix, (app) => plugins['apiRoutes']!(app, { ...origins, prefix }))
})

t.test('linkRoutes rejects when the application has a route for one segment', async (t) => {
  const routes: ((app: FastifyInstance) => unknown)[] = [
    (app) => app.get('/:slug', () => 'x'),
    (app) => app.post('/:slug', () => 'x'),
  ]
  for (const add of routes) {
    await isRefused(t, '/:slug', (app) => {
      add(app)
      return plugins['linkRoutes']!(app, origins)
    })
  }
})

t.test('serviceRoutes rejects when the application has a not-found handler', async (t) => {
  const errors = await rejections(t, (app) => {
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('of the application'))
    return plugins['serviceRoutes']!(app, origins)
  })
  for (const error of errors) t.match(error, { message: /Not found handler already set/ })
})

t.test('all three plugins work together on one application', async (t) => {
  const app = createApp(t)
  for (const register of Object.values(plugins)) await register(app, origins)
  await app.ready()
  t.equal((await app.inject({ url: '/healthz' })).statusCode, 200)
})
