import { allScopes, type Caller, type Scope } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { err, errAsync, ok, okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import type { ApiRoutesOptions } from '../../src/index.ts'
import { disposition, multipartBody, multipartType } from '../support/multipart.ts'
import { quotaOf, startApi, type Api, type ApiOptions } from '../support/api.ts'

// The API in an application that authenticates its own users, here by the header `x-user`.

type Authenticate = NonNullable<ApiRoutesOptions['authenticate']>
type Sotto = Api['sotto']

/** The users of the application, each with an account that is created when it is first needed. */
function byUser(sotto: () => Sotto, scopes: readonly Scope[] = allScopes): Authenticate {
  return ({ headers: { 'x-user': user } }) =>
    typeof user === 'string'
      ? sotto()
          .ensureAccount({ externalId: user })
          .map(({ id }) => ({ accountId: id, via: { kind: 'host' }, scopes }))
      : okAsync(undefined)
}

async function startWithUsers(
  t: Parameters<typeof startApi>[0],
  options: ApiOptions & { scopes?: readonly Scope[] } = {},
) {
  const api: Api = await startApi(t, { ...options, authenticate: byUser(() => api.sotto, options.scopes) })
  const ask = (user: string | undefined, method: 'GET' | 'POST', url: string, payload?: object) =>
    api.inject({
      method,
      url,
      headers: user === undefined ? {} : { 'x-user': user },
      ...(payload && { payload }),
    })
  return { api, ask }
}

// Promise (The JSON API): An embedding application can authenticate its own users
t.test('a user of the application has an account with data of its own', async (t) => {
  const { api, ask } = await startWithUsers(t)
  const { id: accountId } = expectOk(await api.sotto.ensureAccount({ externalId: 'ann' }))
  const folder_id = await api.makeFolder(accountId, 'Of Ann')
  t.match((await ask('ann', 'GET', '/api/folders')).json(), { data: [{ id: folder_id, label: 'Of Ann' }] })
  const created = await ask('ann', 'POST', '/api/secret', { label: 'l', note: 'n', folder_id })
  t.equal(created.statusCode, 201)
  t.same((await ask('bob', 'GET', '/api/folders')).json(), { success: true, version: '1.0', data: [] })
  t.equal((await ask('bob', 'GET', created.headers.location!)).statusCode, 404)
})

t.test('every request of a user counts against the same account', async (t) => {
  const { ask } = await startWithUsers(t, { perMinute: 2 })
  t.same(quotaOf(await ask('ann', 'GET', '/api/folders')), ['2', '1'])
  t.same(quotaOf(await ask('ann', 'GET', '/api/unknown')), ['2', '0'])
  t.equal((await ask('ann', 'GET', '/api/folders')).statusCode, 429)
  t.same(quotaOf(await ask('bob', 'GET', '/api/folders')), ['2', '1'])
})

t.test(
  'a request without credentials is 401 with the challenge, and counts against its address',
  async (t) => {
    const { ask } = await startWithUsers(t, { perMinute: 2 })
    const answer = await ask(undefined, 'GET', '/api/folders')
    t.equal(answer.statusCode, 401)
    t.equal(answer.headers['www-authenticate'], 'Bearer realm="sotto"')
    t.same(quotaOf(answer), ['2', '1'])
    t.same(quotaOf(await ask(undefined, 'GET', '/api/unknown')), ['2', '0'])
    t.equal((await ask(undefined, 'GET', '/api/folders')).statusCode, 429)
    t.equal((await ask('ann', 'GET', '/api/folders')).statusCode, 200, 'which never blocks a user')
  },
)

t.test('access tokens are ignored', async (t) => {
  const { api } = await startWithUsers(t)
  t.equal((await api.call('GET', '/api/folders')).statusCode, 401, 'a valid token alone')
  const authorization = 'Bearer nonsense, of another system'
  const answer = await api.inject({ url: '/api/folders', headers: { 'x-user': 'ann', authorization } })
  t.equal(answer.statusCode, 200, 'a header that is no token of ours')
})

t.test('the scopes of the caller apply', async (t) => {
  const { ask } = await startWithUsers(t, { scopes: ['read'] })
  t.equal((await ask('ann', 'GET', '/api/folders')).statusCode, 200)
  const refused = await ask('ann', 'POST', '/api/secret', {})
  t.equal(refused.statusCode, 403)
  t.equal(refused.headers['www-authenticate'], 'Bearer realm="sotto", error="insufficient_scope"')
})

/** An API that finds another caller, or none, once the files of a form have arrived; and what sends such a form to it. */
async function startForm(
  t: Test,
  second: (caller: Caller) => ReturnType<Authenticate>,
  options: ApiOptions = {},
) {
  let calls = 0
  const api = await startApi(t, {
    files: { maxBytes: 1_000, accountMaxBytes: 10_000 },
    ...options,
    authenticate() {
      const caller = { accountId: api.accountId, via: { kind: 'host' }, scopes: allScopes } as const
      return (calls += 1) === 1 ? ok(caller) : second(caller)
    },
  })
  const secret = JSON.stringify({ label: 'l', note: 'n', folder_id: api.folderId })
  const payload = multipartBody([
    [disposition('secret'), secret],
    [disposition('file', 'a'), 'a'],
  ])
  const headers = { 'content-type': multipartType }
  return {
    api,
    send: () => api.inject({ method: 'POST', url: '/api/secret', headers, payload }),
    counts: () => ({
      calls,
      secrets: api.memory.data.secrets.size,
      contents: api.memory.fileContents.contents.size,
    }),
  }
}

const refusedNow: Readonly<Record<string, (caller: Caller) => ReturnType<Authenticate>>> = {
  'has lost the scope': (caller) => ok({ ...caller, scopes: ['read'] }),
  'is another one': (caller) => ok({ ...caller, accountId: 'another' }),
  'has signed out': () => ok(undefined),
  'has an id that no account has': () => err({ code: 'fields_invalid', errors: [] }),
}

for (const [how, second] of Object.entries(refusedNow))
  t.test(`a caller who ${how} once the files have arrived is 401`, async (t) => {
    for (const logAddresses of [true, false]) {
      const { api, send, counts } = await startForm(t, second, { logAddresses })
      t.equal((await send()).statusCode, 401)
      t.same(counts(), { calls: 2, secrets: 0, contents: 0 })
      const [line] = api.logLines.filter((each) => each.includes('"event":"token_refused"'))
      t.equal(line?.includes('"address":"127.0.0.1"'), logAddresses)
    }
  })

t.test(
  'when the second look throws, its status is the answer, and nothing is left of the files',
  async (t) => {
    const { send, counts } = await startForm(t, () => {
      throw Object.assign(new Error('expired'), { statusCode: 400 })
    })
    t.equal((await send()).statusCode, 400)
    t.same(counts(), { calls: 2, secrets: 0, contents: 0 })
  },
)

t.test('URL length and Host are checked before authentication', async (t) => {
  let calls = 0
  const authenticate: Authenticate = () => {
    calls += 1
    return ok(undefined)
  }
  const api = await startApi(t, { authenticate })
  t.equal((await api.inject({ url: '/api/folders', headers: { host: 'a b' } })).statusCode, 400)
  t.equal((await api.inject({ url: `/api/${'x'.repeat(2_100)}` })).statusCode, 414)
  t.equal(calls, 0)
  await api.inject({ url: '/api/folders' })
  t.equal(calls, 1, 'once for each other request')
})

t.test(
  'an error has the status of its code, is logged if it is the server’s, and counts nothing',
  async (t) => {
    const cases: [ReturnType<Authenticate>, number, RegExp | undefined][] = [
      [ok(undefined), 401, undefined],
      [err({ code: 'token_invalid' }), 401, /token_refused/],
      [errAsync({ code: 'storage_unavailable', reason: 'busy' }), 503, /storage_unavailable/],
      [errAsync({ code: 'storage_failed', detail: 'the disk is on fire' }), 500, /the disk is on fire/],
      [errAsync({ code: 'key_retired' }), 503, /key_retired/],
      [
        err({ code: 'fields_invalid', errors: [{ field: 'externalId', rule: 'empty' }] }),
        500,
        /fields_invalid/,
      ],
    ]
    for (const [result, status, logged] of cases) {
      const api = await startApi(t, { authenticate: () => result })
      const answer = await api.inject({ url: '/api/folders' })
      t.equal(answer.statusCode, status)
      t.notMatch(answer.body, /externalId|fire|storage/)
      t.same(quotaOf(answer), ['60', status === 401 ? '59' : '60'])
      if (logged === undefined) t.same(api.logLines, [])
      else t.match(api.logLines.join(''), logged)
    }
  },
)

t.test('an id that no account can have is an error of the application, not of the caller', async (t) => {
  const { api, ask } = await startWithUsers(t)
  const answer = await ask('', 'GET', '/api/folders')
  t.equal(answer.statusCode, 500)
  t.same(answer.json(), { success: false, version: '1.0', message: 'Server error.' })
  t.match(api.logLines.join(''), /"rule":"empty"/)
})

t.test('credentials that are not valid are 401 with invalid_token', async (t) => {
  const api = await startApi(t, { authenticate: () => err({ code: 'token_invalid' }) })
  const answer = await api.inject({ url: '/api/folders' })
  t.equal(answer.headers['www-authenticate'], 'Bearer realm="sotto", error="invalid_token"')
})

t.test('an exception is a plain 500, or the status that it names', async (t) => {
  const thrown = new Error('confidential')
  const unavailable = Object.assign(new Error('confidential'), { statusCode: 503 })
  const ways: [Authenticate, number][] = [
    [() => Promise.reject(thrown), 500],
    [
      () => {
        throw thrown
      },
      500,
    ],
    [() => Promise.reject(unavailable), 503],
    [() => undefined as never, 500],
  ]
  for (const [authenticate, status] of ways) {
    const api = await startApi(t, { authenticate })
    const answer = await api.inject({ url: '/api/folders' })
    t.equal(answer.statusCode, status)
    t.same(quotaOf(answer), ['60', '60'])
    t.notMatch(answer.body + api.logLines.join(''), /confidential/)
    t.match(api.logLines.join(''), /authentication\.test\.ts|gate\.ts/, 'the log says where')
  }
})

t.test('without it, requests are authenticated by access token', async (t) => {
  const api = await startApi(t, { authenticate: undefined })
  t.equal((await api.call('GET', '/api/folders')).statusCode, 200)
  t.equal((await api.inject({ url: '/api/folders', headers: { 'x-user': 'ann' } })).statusCode, 401)
})
