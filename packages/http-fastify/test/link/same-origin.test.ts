import t from 'tap'
import { isForeign } from '../../src/link/same-origin.ts'

const origin = 'https://s.example.org'

t.test('Sec-Fetch-Site decides where it is sent, whatever Origin says', async (t) => {
  t.notOk(isForeign({ 'sec-fetch-site': 'same-origin' }, origin))
  t.notOk(isForeign({ 'sec-fetch-site': 'same-origin', origin: 'null' }, origin))
  for (const site of ['same-site', 'cross-site', 'none', '', 'same-origin, same-origin', 'SAME-ORIGIN']) {
    t.ok(isForeign({ 'sec-fetch-site': site }, origin), site)
    t.ok(isForeign({ 'sec-fetch-site': site, origin }, origin), `${site} with the right Origin`)
  }
})

t.test('without it, Origin must be the configured one', async (t) => {
  t.notOk(isForeign({ origin }, origin))
  for (const other of [
    'null',
    '',
    'http://s.example.org',
    'https://s.example.org:8443',
    'https://example.org',
    'https://s.example.org/',
    `${origin}, ${origin}`,
  ]) {
    t.ok(isForeign({ origin: other }, origin), other)
  }
})

t.test('what sends neither is no browser', async (t) => {
  t.notOk(isForeign({}, origin))
  t.notOk(isForeign({ host: 'elsewhere.example', referer: 'https://elsewhere.example/' }, origin))
})
