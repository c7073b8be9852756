import t from 'tap'
import { bareOrigin, isBareOrigin, isHostName } from '../../../src/http/request/bare-origin.ts'

t.test('a bare origin is a scheme, a host and a port in their canonical spelling', async (t) => {
  for (const origin of [
    'http://localhost',
    'http://localhost:3000',
    'https://s.example.org:8443',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'https://my_host.example.org',
    'https://xn--bcher-kva.example',
  ]) {
    t.equal(isBareOrigin(origin), true, origin)
    t.equal(bareOrigin(origin).origin, origin)
  }
})

t.test('everything else is no bare origin, and reading it is a TypeError', async (t) => {
  for (const text of [
    '',
    'localhost',
    'localhost:3000',
    'http://',
    'ftp://example.org',
    'javascript:alert(1)',
    'http://example.org/',
    'http://example.org/path',
    'http://example.org?query',
    'http://example.org#fragment',
    'http://user:password@example.org',
    'http://Example.org',
    'HTTP://example.org',
    'http://example.org:80',
    'https://example.org:443',
    'http://example.org:',
    'http://bücher.example',
    'http://*.example.org',
    'http://a,b',
    "http://a'b",
    'http://example.org.',
    'http://127.1',
    ' http://example.org',
    `http://${'a'.repeat(254)}`,
  ]) {
    t.equal(isBareOrigin(text), false, JSON.stringify(text))
    t.throws(() => bareOrigin(text), TypeError, JSON.stringify(text))
  }
})

t.test('the name of a host begins and ends with a letter or digit', async (t) => {
  for (const name of ['a', 'localhost', 'A-b_c.example.org', '127.0.0.1', 'a'.repeat(253)]) {
    t.equal(isHostName(name), true, name)
  }
  for (const name of ['', '-a', 'a.', '_a', 'a b', 'a:1', '[::1]', 'ä', 'a'.repeat(254)]) {
    t.equal(isHostName(name), false, JSON.stringify(name))
  }
})
