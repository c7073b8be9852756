import t from 'tap'
import { quotaOf, startApi, type Api } from '../support/api.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

// Promise (The JSON API): 60 requests a minute per account, all tokens together
t.test('every request of an account counts against one bucket, HEAD and problems too', async (t) => {
  const api = await startApi(t)
  const other = await api.makeToken(api.accountId)
  t.same(quotaOf(await api.call('GET', '/api/folders')), ['60', '59'])
  t.same(quotaOf(await api.call('HEAD', '/api/folders')), ['60', '58'])
  t.same(quotaOf(await api.call('GET', '/api/unknown')), ['60', '57'])
  t.same(quotaOf(await api.call('DELETE', '/api/folders')), ['60', '56'])
  t.same(quotaOf(await api.call('POST', '/api/secret', '{')), ['60', '55'])
  t.same(quotaOf(await api.inject({ url: '/api/secrets', headers: bearer(other) })), ['60', '54'])
})

// Promise (The JSON API): Above the quota: 429, Retry-After, x-ratelimit-reset; refused calls are not counted
t.test('a used-up quota is 429 with its end, and refused requests are not counted', async (t) => {
  const api = await startApi(t, { perMinute: 2 })
  await api.call('GET', '/api/folders')
  api.clock.advance(1_500_000)
  await api.call('GET', '/api/folders')
  for (let refused = 0; refused < 3; refused += 1) {
    const answer = await api.call('GET', '/api/folders')
    t.equal(answer.statusCode, 429)
    t.same(quotaOf(answer), ['2', '0'])
    t.equal(answer.headers['retry-after'], '59', 'whole seconds, rounded up')
    const endMicros = api.clock.nowMicros() - 1_500_000 + 60_000_000
    t.equal(answer.headers['x-ratelimit-reset'], String(Math.ceil(endMicros / 1_000_000)))
  }
  api.clock.advance(58_500_000)
  t.same(quotaOf(await api.call('GET', '/api/folders')), ['2', '1'])
})

t.test('requests without a valid token count against the bucket of their address', async (t) => {
  const api = await startApi(t, { perMinute: 2 })
  t.same(quotaOf(await api.inject({ url: '/api/folders' })), ['2', '1'])
  t.same(quotaOf(await api.inject({ url: '/api/folders', headers: bearer('sotto_x') })), ['2', '0'])
  t.equal((await api.inject({ url: '/api/folders' })).statusCode, 429)
  t.equal((await api.inject({ url: '/api/unknown', headers: bearer('sotto_x') })).statusCode, 429)
  t.equal((await api.inject({ url: '/api/folders', remoteAddress: '203.0.113.9' })).statusCode, 401)
})

// Promise (The JSON API): A full bucket of an address never blocks a valid token
t.test('the full bucket of an address never blocks a valid token', async (t) => {
  const api = await startApi(t, { perMinute: 1 })
  await api.inject({ url: '/api/folders' })
  t.equal((await api.inject({ url: '/api/folders' })).statusCode, 429)
  t.equal((await api.call('GET', '/api/folders')).statusCode, 200)
})

t.test('X-Forwarded-For counts only from a trusted proxy', async (t) => {
  const forwarded = (api: Api, address: string, remoteAddress: string) =>
    api.inject({ url: '/api/folders', headers: { 'x-forwarded-for': address }, remoteAddress })
  const direct = await startApi(t)
  await forwarded(direct, '198.51.100.1', '203.0.113.1')
  t.same(
    quotaOf(await forwarded(direct, '198.51.100.2', '203.0.113.1')),
    ['60', '58'],
    'ignored without a trusted proxy',
  )

  const proxied = await startApi(t, { server: { trustProxy: ['10.0.0.0/8'] } })
  await forwarded(proxied, '198.51.100.1', '10.0.0.1')
  t.same(
    quotaOf(await forwarded(proxied, '198.51.100.2', '10.0.0.1')),
    ['60', '59'],
    'believed from a trusted proxy',
  )
  t.same(
    quotaOf(await forwarded(proxied, '1.1.1.1, 198.51.100.1', '10.0.0.1')),
    ['60', '58'],
    'only its last hop',
  )
  t.same(
    quotaOf(await forwarded(proxied, '198.51.100.1', '203.0.113.1')),
    ['60', '59'],
    'ignored from any other address',
  )
})

t.test('counters that cannot be read are 503', async (t) => {
  const api = await startApi(t)
  api.memory.quota.close()
  const answer = await api.call('GET', '/api/folders')
  t.equal(answer.statusCode, 503)
  t.match(answer.headers['retry-after'], /^[1-9]/)
  t.same(quotaOf(answer), ['60', '0'])
  const early = await api.inject({ url: '/api/folders', headers: { host: 'a b' } })
  t.equal(early.statusCode, 400)
  t.same(quotaOf(early), ['60', '0'])
})
