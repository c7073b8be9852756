import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { StorageError } from '@sotto/core'
import type { FullPorts } from '@sotto/identity'
import { expectOk } from '@sotto/test-kit'
import { err, errAsync, ResultAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { listen, open } from '../../../http-fastify/test/support/raw.ts'
import { startDashboard, type Dashboard } from '../support/app.ts'
import { formsFor, makeThings, pathOf } from '../support/paths.ts'

const busy = { code: 'storage_unavailable', reason: 'busy' } as const
const broken = { code: 'storage_failed', detail: 'disk I/O error at /canary' } as const

interface Failing {
  readonly dashboard: Dashboard
  /** From now on all stores answer this error; with `undefined` they work again. */
  fail(error: StorageError | undefined, except?: readonly string[]): void
}

/** The stores of a dashboard can be made to fail at any time. */
async function startFailing(t: Test): Promise<Failing> {
  let error: StorageError | undefined
  let healthy: readonly string[] = []
  const stores = [
    'accounts',
    'passwords',
    'sessions',
    'invitations',
    'emailChanges',
    'folders',
    'secrets',
    'drafts',
    'requests',
    'quota',
    'accessTokens',
    'signIns',
    'webhooks',
    'passkeys',
    'usedTokens',
  ] as const
  const switched = <Port extends object>(name: string, port: Port): Port =>
    new Proxy(port, {
      get(target, method, receiver) {
        const original: unknown = Reflect.get(target, method, receiver)
        if (typeof original !== 'function' || method === 'recordUse') return original
        return (...given: unknown[]): unknown =>
          error !== undefined && !healthy.includes(name)
            ? errAsync(error)
            : (original as (...args: unknown[]) => unknown).apply(target, given)
      },
    })
  const replace = (ports: FullPorts): Partial<FullPorts> =>
    Object.fromEntries(stores.map((name) => [name, switched(name, ports[name])]))
  const dashboard = await startDashboard(t, { replace })
  return {
    dashboard,
    fail(next, except = []) {
      error = next
      healthy = except
    },
  }
}

/** They answer without any store. */
const needsNoStore = new Set(['/login', '/login/reset', '/settings/delete', '/secrets/:id/destroy'])

/** With a store for sessions that works, they do, and so they change one. */
const changesSession = new Set([
  '/logout',
  '/settings/sessions/:id/name',
  '/settings/sessions/:id/end',
  '/settings/password',
])

const failures = [
  { error: busy, status: 503 },
  { error: broken, status: 500 },
] as const

t.test('a store that is busy or broken: a page with 503 or 500 and no detail, nothing changed', async (t) => {
  const { dashboard, fail } = await startFailing(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const forms = formsFor(things, owner)
  const before = dashboard.snapshot()
  for (const { error, status } of failures) {
    for (const healthy of [[], ['sessions'], ['sessions', 'quota']]) {
      fail(error, healthy)
      for (const url of dashboard.urls.filter((each) => healthy.length === 0 || !changesSession.has(each))) {
        const path = pathOf(url, things)
        for (const method of ['GET', 'POST']) {
          const answer =
            method === 'GET'
              ? await dashboard.get(path, { as: owner })
              : await dashboard.post(path, forms[url] ?? {}, { as: owner })
          const what = `${method} ${url} ${status} ${healthy.join()}`
          t.ok([status, 200, 303, 400, 405].includes(answer.statusCode), `${what}: ${answer.statusCode}`)
          if (method === 'GET' && !needsNoStore.has(url) && healthy.length === 0)
            t.ok([status, 405].includes(answer.statusCode), `${what}: ${answer.statusCode}`)
          t.notMatch(answer.body, /canary|disk|storage_/, what)
          if (answer.statusCode === 503) t.match(answer.headers['retry-after'], /^[1-9]\d*$/, what)
          if (answer.statusCode >= 500) t.match(answer.headers['content-type'], 'text/html', what)
        }
      }
    }
  }
  fail(undefined)
  t.match(dashboard.logLines.join(''), 'disk I/O error', 'it is logged')
  t.equal(dashboard.snapshot(), before)
})

t.test('a busy store does not lose what was typed in a form: it can be sent again', async (t) => {
  const { dashboard, fail } = await startFailing(t)
  const owner = await dashboard.makeOwner()
  fail(busy, ['sessions', 'quota'])
  t.equal((await dashboard.post('/folders', { label: 'x' }, { as: owner })).statusCode, 503)
  fail(undefined)
  t.equal((await dashboard.post('/folders', { label: 'x' }, { as: owner })).statusCode, 303)
})

t.test('a connection that breaks during a change: a page that says that it may have been done', async (t) => {
  const { dashboard, fail } = await startFailing(t)
  const owner = await dashboard.makeOwner()
  fail({ code: 'storage_unavailable', reason: 'outcome_unknown' }, ['sessions', 'quota'])
  const answer = await dashboard.post('/folders', { label: 'kept' }, { as: owner })
  t.equal(answer.statusCode, 503)
  t.match(answer.body, 'It may have been done all the same.')
  t.match(answer.body, 'kept', 'what was typed is not lost')
  t.notMatch(answer.body, 'Nothing was changed')
  t.match(dashboard.logLines.join(''), 'outcome_unknown', 'it is logged')
})

t.test(
  'a connection that breaks while a draft is shared: a page that says that it may have been done',
  async (t) => {
    const dashboard = await startDashboard(t, {
      replace: ({ drafts }) => ({
        drafts: {
          ...drafts,
          // The database has committed, but its answer is lost.
          share: (...given: Parameters<typeof drafts.share>) =>
            drafts
              .share(...given)
              .andThen(() => err({ code: 'storage_unavailable', reason: 'outcome_unknown' } as const)),
        },
      }),
    })
    const { accountId, ...owner } = await dashboard.makeOwner()
    const folder = await dashboard.makeFolder(accountId)
    const { id } = expectOk(
      await dashboard.sotto.saveDraft({ accountId, folderId: folder, label: 'L', note: 'N' }),
    )
    const fields = { folder, label: 'L', note: 'kept', opens: '1', expires: '3600', content: 'on' }
    const answer = await dashboard.post(`/drafts/${id}`, { ...fields, action: 'share' }, { as: owner })
    t.equal(answer.statusCode, 503)
    t.match(answer.body, 'It may have been done all the same.')
    t.match(answer.body, 'kept', 'what was typed is not lost')
    t.equal((await dashboard.get(`/secrets/${id}`, { as: owner })).statusCode, 200, 'and it was done')
  },
)

t.test('a defect: a page with 500, and the log says where it is but not what it quoted', async (t) => {
  let isBroken = false
  const dashboard = await startDashboard(t, {
    replace: ({ folders }) => ({
      folders: {
        ...folders,
        insert: (...given) => {
          if (!isBroken) return folders.insert(...given)
          throw new Error('defect with a canary')
        },
      },
    }),
  })
  const owner = await dashboard.makeOwner()
  isBroken = true
  const answer = await dashboard.post('/folders', { label: 'a label' }, { as: owner })
  t.equal(answer.statusCode, 500)
  t.match(answer.headers['content-type'], 'text/html')
  t.notMatch(answer.body, /canary|defect/)
  const lines = dashboard.logLines.join('')
  t.match(lines, 'errors.test.ts')
  t.notMatch(lines, /canary|a label/)
})

t.test('while the server closes, pages answer with 503', async (t) => {
  const { promise: gate, resolve: release } = Promise.withResolvers<undefined>()
  let isHeld = false
  const dashboard = await startDashboard(t, {
    replace: ({ sessions }) => ({
      sessions: {
        ...sessions,
        findByDigest: (digest) =>
          isHeld
            ? new ResultAsync(gate.then(async () => sessions.findByDigest(digest)))
            : sessions.findByDigest(digest),
      },
    }),
  })
  const owner = await dashboard.makeOwner()
  isHeld = true
  const head = `/dashboard HTTP/1.1\r\nHost: localhost:3000\r\nCookie: sotto=${owner.token}\r\n`
  const { socket, closed } = await open(await listen(dashboard.app))
  socket.write(`GET ${head}\r\n`)
  await once(dashboard.app.server, 'request')
  const closing = dashboard.app.close()
  await setImmediate()
  socket.write(`GET ${head}\r\n`)
  await once(dashboard.app.server, 'request')
  release(undefined)
  const received = await closed
  t.same(received.match(/^HTTP\/1\.1 \d+/gm), ['HTTP/1.1 200', 'HTTP/1.1 503'])
  t.match(received, /^connection: close\r$/im)
  await closing
})
