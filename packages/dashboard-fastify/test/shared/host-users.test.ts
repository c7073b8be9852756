import { allScopes, type Scope } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { errAsync, ok, okAsync } from 'neverthrow'
import t from 'tap'
import type { Test } from 'tap'
import { apiRoutes, type Authenticate } from '@sotto/http-fastify'
import { dashboardRoutes, type DashboardRoutesOptions } from '../../src/index.ts'
import {
  disposition,
  multipartBody,
  multipartType,
  type SentPart,
} from '../../../http-fastify/test/support/multipart.ts'
import { createWorld, type World, type WorldOptions } from '../../../http-fastify/test/support/world.ts'
import { formType, origin, password } from '../support/app.ts'

// The pages in an application with users of its own. Its session is the cookie `user`, which holds the user's name.

interface Host extends World {
  readonly app: FastifyInstance
  /** The paths of `dashboardRoutes`. */
  readonly urls: readonly string[]
  get(url: string, user?: string, headers?: Record<string, string>): ReturnType<typeof send>
  post(url: string, fields: Record<string, string>, user?: string): ReturnType<typeof send>
}

interface HostOptions {
  readonly scopes?: readonly Scope[]
  readonly authenticate?: Authenticate
  readonly pages?: Partial<DashboardRoutesOptions>
  readonly files?: WorldOptions['files']
}

const asBrowser = { host: 'localhost:3000', accept: 'text/html', 'sec-fetch-site': 'same-origin' }

function send(app: FastifyInstance, method: 'GET' | 'POST', url: string, more: object) {
  return app.inject({ method, url, ...more })
}

async function embed(
  t: Test,
  { scopes = allScopes, pages, files, ...options }: HostOptions = {},
): Promise<Host> {
  const world = createWorld({ files })
  const { sotto } = world
  const authenticate: Authenticate =
    options.authenticate ??
    (({ headers }) => {
      const [, user] = /(?:^|; )user=(\w+)/.exec(headers.cookie ?? '') ?? []
      if (user === undefined) return ok(undefined)
      if (user === 'unknown') return errAsync({ code: 'token_invalid' })
      return sotto
        .ensureAccount({ externalId: user })
        .map(({ id }) => ({ accountId: id, via: { kind: 'host' } as const, scopes }))
    })
  const app = Fastify()
  t.teardown(() => app.close())
  app.get('/login', () => 'The application’s own.')
  const urls = new Set<string>()
  app.addHook('onRoute', ({ url }) => void urls.add(url))
  const origins = { baseUrl: origin, linkBaseUrl: origin }
  await app.register(dashboardRoutes, { sotto, ...origins, authenticate, ...pages })
  const own = [...urls]
  await app.register(apiRoutes, { prefix: '/api', sotto, ...origins, authenticate })
  const cookieOf = (user: string | undefined) => (user === undefined ? {} : { cookie: `user=${user}` })
  return {
    ...world,
    app,
    urls: own,
    get: (url, user, headers) =>
      send(app, 'GET', url, { headers: { ...asBrowser, ...cookieOf(user), ...headers } }),
    post: (url, fields, user) =>
      send(app, 'POST', url, {
        headers: { ...asBrowser, ...cookieOf(user), 'content-type': formType },
        payload: new URLSearchParams(fields).toString(),
      }),
  }
}

// Promise (The JSON API): The same is true for the pages
t.test('a user of the application makes, opens and destroys secrets on the pages', async (t) => {
  const { app, sotto, get, post } = await embed(t)
  t.equal((await get('/dashboard', 'ann')).statusCode, 200)
  t.equal((await post('/folders', { label: 'Doors' }, 'ann')).statusCode, 303)
  const listed = await app.inject({ url: '/api/folders', headers: { cookie: 'user=ann' } })
  const [folder] = listed.json<{ data: { id: string; label: string }[] }>().data
  t.match(folder, { label: 'Doors' }, 'the API shows the same account')
  const form = { label: 'Front', note: 'ring twice', folder: folder?.id ?? '', opens: '1', expires: '3600' }
  const made = await post('/secrets/new', { ...form, action: 'create' }, 'ann')
  t.equal(made.statusCode, 303)
  const path = String(made.headers.location).replace('?new=1', '')
  const page = await get(path, 'ann')
  const [, token = ''] = new RegExp(`${origin}/([\\w-]{43})`).exec(page.body) ?? []
  t.equal(expectOk(await sotto.openSecret({ token })).note, 'ring twice')
  t.equal((await get(path, 'bob')).statusCode, 404, 'another user finds nothing')
  t.equal((await post(`${path}/destroy`, {}, 'bob')).statusCode, 404)
  t.equal((await post(`${path}/destroy`, {}, 'ann')).statusCode, 303)
  t.equal((await get(path, 'ann')).statusCode, 404)
})

// Promise (The JSON API): The same is true for the pages: which then have no page for signing in, passwords, sessions or one-time links
t.test('the pages of signing in, passwords, sessions and one-time links are absent', async (t) => {
  const { urls, sotto, get, post } = await embed(t)
  const { token } = expectOk(await sotto.inviteAccount({ email: 'ann@example.org' }))
  const absent = [
    ...[
      '/',
      '/logout',
      `/welcome/${token}`,
      '/confirm/x',
      '/login/reset',
      '/settings/email',
      '/settings/password',
      '/settings/sessions',
    ],
    '/settings/sessions/00000000-0000-7000-8000-000000000000/name',
    '/settings/sessions/00000000-0000-7000-8000-000000000000/end',
    '/settings/delete',
  ]
  for (const path of absent) {
    t.equal((await get(path, 'ann')).statusCode, 404, `GET ${path}`)
    t.equal((await post(path, { password, email: 'x@example.org' }, 'ann')).statusCode, 404, `POST ${path}`)
  }
  const ofOwn = /login|logout|invitation|confirm|session|password|email|settings\/delete/
  t.same(
    urls.filter((url) => ofOwn.test(url)),
    [],
  )
  t.equal((await get('/login')).body, 'The application’s own.')
  const settings = await get('/settings', 'ann')
  t.equal(settings.statusCode, 200)
  for (const path of absent) t.notMatch(settings.body, `"${path}"`, path)
  t.match(settings.body, '/settings/download')
})

t.test('a session of Sotto admits nobody', async (t) => {
  const { sotto, get } = await embed(t)
  const { token } = expectOk(await sotto.inviteAccount({ email: 'ann@example.org' }))
  const session = expectOk(await sotto.choosePassword({ token, password, address: '192.0.2.1' }))
  t.equal((await get('/dashboard', undefined, { cookie: `sotto=${session.token}` })).statusCode, 401)
})

t.test('who is not signed in is sent to the application, with the way back', async (t) => {
  const pages = { signInUrl: '/login?from=sotto', signOutUrl: '/leave' }
  const { get, post } = await embed(t, { pages })
  for (const user of [undefined, 'unknown']) {
    const asked = await get('/settings/tokens', user)
    t.match(asked, { statusCode: 303, headers: { location: '/login?from=sotto&next=%2Fsettings%2Ftokens' } })
  }
  const kept = await post('/secrets/new', { label: 'typed', note: 'already' })
  t.equal(kept.statusCode, 401)
  t.match(kept.body, '<a class="button" href="/login?from=sotto" target="_blank"')
  t.match(kept.body, 'already</textarea>')
  const page = await get('/dashboard', 'ann')
  t.match(page.body, '<a href="/leave">Sign out</a>')
  t.notMatch(page.body, '/logout')
})

t.test('without addresses of the application’s pages, a page says that nobody is signed in', async (t) => {
  const { get, post } = await embed(t)
  const asked = await get('/dashboard')
  t.match([asked.statusCode, asked.body], [401, /Sign in to see that page/])
  t.notMatch(asked.body, 'href="/login"')
  t.notMatch((await post('/secrets/new', { label: 'typed' })).body, 'href="/login"')
  t.notMatch((await get('/dashboard', 'ann')).body, 'Sign out')
})

t.test('no password is asked for, and other sites still change nothing', async (t) => {
  const { sotto, app, get, post, clock } = await embed(t, { pages: { canPost: true } })
  clock.advance(20 * 60 * 1_000_000)
  for (const path of ['/settings/tokens', '/settings/notifications'])
    t.notMatch((await get(path, 'ann')).body, 'type="password"', path)
  const { id: accountId } = expectOk(await sotto.ensureAccount({ externalId: 'ann' }))
  const fields = { name: 'laptop', read: 'on', expires: '0' }
  t.equal((await post('/settings/tokens', fields, 'ann')).statusCode, 201)
  t.equal(
    (await post('/settings/notifications/webhooks', { url: 'https://example.org/h' }, 'ann')).statusCode,
    201,
  )
  t.equal(expectOk(await sotto.listWebhooks({ accountId })).items.length, 1)
  const forged = await app.inject({
    method: 'POST',
    url: '/folders',
    headers: { ...asBrowser, cookie: 'user=ann', 'content-type': formType, 'sec-fetch-site': 'cross-site' },
    payload: 'label=x',
  })
  t.equal(forged.statusCode, 403)
})

t.test('a caller who may not do everything finds no page', async (t) => {
  const { get, post } = await embed(t, { scopes: ['read'] })
  t.equal((await get('/dashboard', 'ann')).statusCode, 404)
  t.equal((await post('/folders', { label: 'x' }, 'ann')).statusCode, 404)
})

t.test('an error of the application is one of the server', async (t) => {
  for (const [authenticate, status] of [
    [() => errAsync({ code: 'storage_unavailable', reason: 'busy' } as const), 503],
    [() => errAsync({ code: 'fields_invalid', errors: [] } as const), 500],
    [() => Promise.reject(new Error('confidential')), 500],
    [
      () =>
        okAsync({
          accountId: '00000000-0000-7000-8000-000000000000',
          via: { kind: 'host' as const },
          scopes: allScopes,
        }),
      404,
    ],
  ] as const) {
    const { get } = await embed(t, { authenticate })
    const answer = await get('/dashboard', 'ann')
    t.equal(answer.statusCode, status)
    t.notMatch(answer.body, 'confidential')
  }
})

t.test('addresses of pages without users of the application are refused', async (t) => {
  const { sotto } = createWorld()
  for (const pages of [{ signInUrl: '/x' }, { signOutUrl: '/x' }]) {
    const app = Fastify()
    t.teardown(() => app.close())
    const options = { sotto, baseUrl: origin, linkBaseUrl: origin, ...pages }
    await t.rejects(Promise.resolve(app.register(dashboardRoutes, options)), TypeError)
  }
})

t.test(
  'when somebody else has signed in once the files have arrived, nothing is stored for either',
  async (t) => {
    for (const [last, status, stored] of [
      ['bob', 401, 0],
      ['ann', 303, 1],
    ] as const) {
      const users = ['ann', 'ann', last]
      const host = await embed(t, {
        files: { maxBytes: 1_000, accountMaxBytes: 10_000 },
        authenticate: () =>
          host.sotto
            .ensureAccount({ externalId: users.shift() ?? 'nobody' })
            .map(({ id }) => ({ accountId: id, via: { kind: 'host' } as const, scopes: allScopes })),
      })
      const { id } = expectOk(await host.sotto.ensureAccount({ externalId: users.shift() ?? '' }))
      const fields = { folder: await host.makeFolder(id), note: 'the note', opens: '1', expires: '3600' }
      const parts = Object.entries(fields).map(([name, value]): SentPart => [disposition(name), value])
      const sent = await send(host.app, 'POST', '/secrets/new?action=create', {
        headers: { ...asBrowser, 'content-type': multipartType },
        payload: multipartBody([...parts, [disposition('files', 'a.txt'), 'abc']]),
      })
      t.equal(sent.statusCode, status)
      const { memory } = host
      t.same([memory.data.secrets.size, memory.fileContents.contents.size], [stored, stored])
      t.same(users, [], 'asked twice')
    }
  },
)
