import t from 'tap'
import { browserAccept, formType, startLinks } from '../support/links.ts'

const linkBaseUrl = 'https://s.example.org'

// Promise (Opening a link): Posts from other sites are refused
t.test('only the page of the link and clients that are not browsers can open', async (t) => {
  const links = await startLinks(t, { linkBaseUrl })
  const { secret, path } = await links.share({ openLimit: 9 })
  const post = (headers: Record<string, string>, accept: string) =>
    links.request('POST', path, { headers: { accept, 'content-type': formType, ...headers }, body: '' })

  const crossSite: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: 'https://other.example.org' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: linkBaseUrl },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://s.example.org' },
  ]
  for (const headers of crossSite) {
    const page = await post(headers, browserAccept)
    t.equal(page.statusCode, 403, JSON.stringify(headers))
    t.match(page.body, 'This request was not accepted')
    t.match(page.body, 'href=""', 'a link to continue')
    const json = await post(headers, 'application/json')
    t.equal(json.statusCode, 403, JSON.stringify(headers))
    t.match(json.json(), { success: false, version: '1.0', message: String })
  }
  t.equal(links.opens(secret), 0)

  const own: Record<string, string>[] = [
    {},
    { origin: linkBaseUrl },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: linkBaseUrl },
  ]
  for (const headers of own)
    t.equal((await post(headers, browserAccept)).statusCode, 200, JSON.stringify(headers))
  t.equal(links.opens(secret), own.length)
})

t.test('a refused guess is not counted', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share({ password: 'right' })
  for (let guess = 0; guess < 10; guess += 1) {
    const { statusCode } = await links.submit(path, { password: 'wrong' }, { 'sec-fetch-site': 'cross-site' })
    t.equal(statusCode, 403)
  }
  t.equal((await links.submit(path, { password: 'right' })).statusCode, 200)
})

t.test('the refusal is the same for every link', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share()
  const headers = { 'sec-fetch-site': 'cross-site' }
  const [real, unknown] = [await links.submit(path, {}, headers), await links.submit('/unknown', {}, headers)]
  t.equal(real.statusCode, 403)
  t.equal(real.body, unknown.body)
})

t.test('links are on their own host only', async (t) => {
  const links = await startLinks(t, { baseUrl: 'https://app.example.org', linkBaseUrl })
  const { secret, path } = await links.share()
  for (const host of ['app.example.org', 'unknown.example', '127.0.0.1']) {
    for (const target of [path, '/unknown', '/robots.txt']) {
      const answer = await links.request('GET', target, { headers: { host } })
      t.equal(answer.statusCode, 404, `${host}${target.replace(path, '/token')}`)
      t.match(answer.headers['content-type'], 'application/json')
    }
    t.equal((await links.request('POST', path, { headers: { host } })).statusCode, 404, host)
  }
  t.equal(links.opens(secret), 0)
  t.equal((await links.visit(path)).statusCode, 200)
  t.equal((await links.request('GET', path, { headers: { host: 'not a host' } })).statusCode, 400)
})

t.test('the origin is the configured one, whatever the Host header says', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share()
  const headers = { host: 'evil.example', origin: 'http://evil.example' }
  t.equal((await links.request('POST', path, { headers })).statusCode, 403)
})
