import t from 'tap'
import { isCrossSite } from '../../../src/http/request/headers.ts'

const origin = 'https://s.example.org'

t.test('Sec-Fetch-Site decides if it is there, whatever the Origin', async (t) => {
  t.notOk(isCrossSite({ 'sec-fetch-site': 'same-origin' }, origin))
  t.notOk(isCrossSite({ 'sec-fetch-site': 'same-origin', origin: 'null' }, origin))
  for (const site of ['same-site', 'cross-site', 'none', '', 'same-origin, same-origin', 'SAME-ORIGIN']) {
    t.ok(isCrossSite({ 'sec-fetch-site': site }, origin), site)
    t.ok(isCrossSite({ 'sec-fetch-site': site, origin }, origin), `${site} with the right Origin`)
  }
})

t.test('without it, the Origin must be the configured one', async (t) => {
  t.notOk(isCrossSite({ origin }, origin))
  for (const other of [
    'null',
    '',
    'http://s.example.org',
    'https://s.example.org:8443',
    'https://example.org',
    'https://s.example.org/',
    `${origin}, ${origin}`,
  ]) {
    t.ok(isCrossSite({ origin: other }, origin), other)
  }
})

t.test('a client that sends neither is not a browser', async (t) => {
  t.notOk(isCrossSite({}, origin))
  t.notOk(isCrossSite({ host: 'elsewhere.example', referer: 'https://elsewhere.example/' }, origin))
})
