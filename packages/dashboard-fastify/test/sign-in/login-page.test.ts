import t from 'tap'
import type { Test } from 'tap'
import { apiLoginPage } from '../../src/index.ts'
import { comparable, quotaOf, startApi, type ApiOptions } from '../../../http-fastify/test/support/api.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const challenge = 'Bearer realm="sotto"'
const heading = '<h1>Sign in</h1>'

function start(t: Test, options: ApiOptions = {}) {
  return startApi(t, { perMinute: 100, loginPage: apiLoginPage(), ...options })
}

// Promise (The owner's pages): A browser under `/api` without a valid token gets the login page with its 401
t.test('a browser without a valid token gets the login page with the 401 and its headers', async (t) => {
  const api = await start(t)
  const answer = await api.inject({ url: '/api/folders', headers: { accept: browser } })
  t.equal(answer.statusCode, 401)
  t.match(answer.headers, {
    'content-type': 'text/html; charset=utf-8',
    'www-authenticate': challenge,
    vary: 'Accept, Accept-Language',
    'cache-control': 'no-store',
    'content-security-policy': /form-action 'self'/,
    'referrer-policy': 'same-origin',
  })
  t.same(quotaOf(answer), ['100', '99'])
  t.match(answer.body, heading)
  t.match(answer.body, /<form method="post" action="\/login">/)
  t.match(answer.body, /This address is part of the API/)
  t.match(answer.body, '<a href="/login?lang=de"', 'the address of the API has no languages')
  const german = await api.inject({
    url: '/api/folders',
    headers: { accept: browser, 'accept-language': 'de' },
  })
  t.equal(german.headers['content-language'], 'de')
})

// Promise (The owner's pages): A browser under `/api` without a valid token gets the login page with its 401: everybody else gets JSON as
// before
t.test('everybody else gets the same JSON as without a login page, apart from Vary', async (t) => {
  const [withPage, without] = [await start(t), await start(t, { loginPage: undefined })]
  for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.9', 'x']) {
    for (const authorization of [undefined, 'Bearer x']) {
      const headers = { ...(accept && { accept }), ...(authorization && { authorization }) }
      const [answer, before] = [
        await withPage.inject({ url: '/api/folders', headers }),
        await without.inject({ url: '/api/folders', headers }),
      ]
      t.equal(answer.headers.vary, 'Accept, Accept-Language', 'caches keep page and JSON apart')
      delete answer.headers.vary
      t.same(comparable(answer), comparable(before), `${accept} ${authorization}`)
      t.same(quotaOf(answer), quotaOf(before))
    }
  }
})

t.test('with a valid token a browser gets JSON, whatever the answer', async (t) => {
  const api = await start(t)
  const reader = await api.makeToken(api.accountId, { scopes: ['read'] })
  const type = async (method: string, url: string, token = api.token) => {
    const headers = { accept: browser, authorization: `Bearer ${token}` }
    const { statusCode, headers: given } = await api.inject({ method, url, headers })
    return [statusCode, given['content-type']]
  }
  const json = 'application/json; charset=utf-8'
  t.same(await type('GET', '/api/folders'), [200, json])
  t.same(await type('GET', '/api/unknown'), [404, json])
  t.same(await type('DELETE', '/api/folders'), [405, json])
  t.same(await type('POST', '/api/secret', reader), [403, json])
})

// Promise (The owner's pages): A browser under `/api` without a valid token gets the login page with its 401: and it is one page for every
// token that is not valid
t.test('the page is the same for every token that is not valid, and for every path and method', async (t) => {
  const api = await start(t)
  const expired = await api.makeToken(api.accountId, { expiresInSeconds: 1 })
  api.clock.advance(2_000_000)
  const ask = async (authorization: string, method = 'GET', url = '/api/folders') => {
    const payload = method === 'POST' ? { payload: 'x'.repeat(1_000) } : {}
    return api.inject({ method, url, headers: { accept: browser, authorization }, ...payload })
  }
  const first = await ask('Bearer x')
  t.equal(first.headers['www-authenticate'], `${challenge}, error="invalid_token"`)
  t.match(first.body, heading)
  for (const answer of [
    await ask(`Bearer ${expired}`),
    await ask(`Bearer ${api.token}x`),
    await ask('Bearer x', 'POST', '/api/secret'),
    await ask('Bearer x', 'DELETE'),
    await ask('Bearer x', 'GET', '/api/unknown'),
  ])
    t.same(comparable(answer), comparable(first))
})

t.test('HEAD has the page’s headers and no body', async (t) => {
  const api = await start(t)
  const ask = (method: 'GET' | 'HEAD') =>
    api.inject({ method, url: '/api/secrets', headers: { accept: browser } })
  const [page, head] = [await ask('GET'), await ask('HEAD')]
  t.equal(head.body, '')
  t.same(comparable({ ...head, body: page.body }), comparable(page))
})

// Promise (The owner's pages): A browser under `/api` without a valid token gets the login page with its 401: counted as before
t.test('the page is counted as JSON is, and a used-up quota stays JSON', async (t) => {
  const api = await start(t, { perMinute: 2 })
  const ask = (accept: string) => api.inject({ url: '/api/folders', headers: { accept } })
  t.same(quotaOf(await ask(browser)), ['2', '1'])
  t.same(quotaOf(await ask('application/json')), ['2', '0'])
  const refused = await ask(browser)
  t.equal(refused.statusCode, 429)
  t.match(refused.json(), { success: false })
  t.same(quotaOf(await api.call('GET', '/api/folders', undefined, { accept: browser })), ['2', '1'])
})

t.test('on the host of links the API stays a plain 404', async (t) => {
  const api = await start(t, { baseUrl: 'https://a.example', linkBaseUrl: 'https://s.example' })
  const ask = (host: string) => api.inject({ url: '/api/folders', headers: { accept: browser, host } })
  t.match((await ask('s.example')).json(), { success: false })
  t.match((await ask('a.example')).body, heading)
})

t.test('the page has the name of the service', async (t) => {
  const api = await start(t, { loginPage: apiLoginPage({ branding: { name: 'Quiet & Co' } }) })
  const answer = await api.inject({ url: '/api/folders', headers: { accept: browser } })
  t.match(answer.body, 'Quiet &amp; Co')
})
