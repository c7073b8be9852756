import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { createSiteOf, isValidHost } from '../../../src/http/request/target.ts'

const request = (hosts: readonly string[], url = '/') =>
  ({ rawHeaders: hosts.flatMap((host) => ['host', host]), url }) as unknown as IncomingMessage

t.test('hosts are names, addresses and ports', async (t) => {
  for (const host of [
    'localhost',
    'localhost:',
    'a.example.org',
    'a.example.org.',
    'A-b_c.org:0',
    '127.0.0.1:65535',
    '[::1]',
    '[2001:db8::1]:3000',
  ]) {
    t.equal(isValidHost(host), true, host)
  }
})

t.test('everything else is malformed', async (t) => {
  const malformed = [
    '',
    ' ',
    'a b',
    'a/b',
    'a@b',
    'a:b',
    'a:65536',
    ':3000',
    '[::1',
    '::1',
    '[1.2.3.4]',
    '[::g]',
    'a,b',
    'a?b',
    'a#b',
    'ä',
  ]
  for (const host of malformed) t.equal(isValidHost(host), false, JSON.stringify(host))
})

t.test('with one host for both origins any valid host is answered', async (t) => {
  const siteOf = createSiteOf({ baseUrl: 'http://localhost:3000', linkBaseUrl: 'http://localhost:3000' })
  t.equal(siteOf(request(['localhost:3000'])), 'both')
  t.equal(siteOf(request(['whatever.example.org'])), 'both')
})

t.test('with two hosts each is a site, and all others are unknown', async (t) => {
  const siteOf = createSiteOf({
    baseUrl: 'https://api.example.org',
    linkBaseUrl: 'https://s.example.org:8443',
  })
  t.equal(siteOf(request(['api.example.org'])), 'base')
  t.equal(siteOf(request(['API.example.org:443'])), 'base', 'case and default port aside')
  t.equal(siteOf(request(['s.example.org:8443'])), 'link')
  t.equal(siteOf(request(['s.example.org'])), 'unknown', 'another port')
  t.equal(siteOf(request(['example.org'])), 'unknown')
})

// Promise (The JSON API): No or a malformed Host: 400
t.test('a missing, a malformed and a duplicate Host are malformed', async (t) => {
  const siteOf = createSiteOf({ baseUrl: 'http://localhost', linkBaseUrl: 'http://localhost' })
  t.equal(siteOf(request([])), 'malformed')
  t.equal(siteOf(request(['a b'])), 'malformed')
  t.equal(siteOf(request(['localhost', 'localhost'])), 'malformed')
})

t.test(
  'the authority of an absolute URL takes precedence over the Host header, which must be valid too',
  async (t) => {
    const siteOf = createSiteOf({ baseUrl: 'http://api.example.org', linkBaseUrl: 'http://s.example.org' })
    t.equal(siteOf(request(['s.example.org'], 'http://api.example.org/api')), 'base')
    t.equal(siteOf(request(['api.example.org'], 'http://user@api.example.org/api')), 'malformed')
    t.equal(siteOf(request([], 'http://api.example.org/api')), 'malformed')
  },
)

t.test('an origin that is not bare is a TypeError', async (t) => {
  for (const baseUrl of [
    '',
    'localhost',
    'http://a/b',
    'http://a?b',
    'http://u:p@a',
    'ftp://a',
    'http://a#b',
  ]) {
    t.throws(() => createSiteOf({ baseUrl, linkBaseUrl: 'http://a' }), TypeError, baseUrl)
    t.throws(() => createSiteOf({ baseUrl: 'http://a', linkBaseUrl: baseUrl }), TypeError, baseUrl)
  }
})
