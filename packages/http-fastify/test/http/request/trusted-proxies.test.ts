import t from 'tap'
import { isTrustedProxy, trustedProxies } from '../../../src/http/request/addresses.ts'

t.test('addresses and narrow ranges can be trusted, and are unchanged', async (t) => {
  const proxies = [
    '127.0.0.1',
    '192.0.2.7/32',
    '10.0.0.0/8',
    '::1',
    '2001:db8::/32',
    'fc00::/7',
    'fe80::1/128',
  ]
  for (const proxy of proxies) t.ok(isTrustedProxy(proxy), proxy)
  t.same(trustedProxies(proxies), proxies)
})

t.test('no proxy is trusted by default', async (t) => {
  t.equal(trustedProxies([]), false)
})

t.test('everything that could mean every client is a TypeError', async (t) => {
  const refused = {
    'not an address': ['', ' ', '*', 'true', '1', 'loopback', 'proxy.example.org', '10.0.0', '10.0.0.256'],
    'too wide': ['0.0.0.0/0', '10.0.0.0/7', '128.0.0.0/1', '::/0', '2000::/3', 'fc00::/6'],
    'no prefix length': ['10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.0/+8', '10.0.0.0/08'],
    'more than one': ['10.0.0.1, 10.0.0.2', '10.0.0.1 10.0.0.2'],
    'with a zone': ['fe80::1%eth0'],
    'IPv4 written as IPv6': ['::ffff:10.0.0.1', '::FFFF:0:0/96', '0:0:0:0:0:ffff:a00:1', '::ffff:a00:0/104'],
  }
  for (const [why, proxies] of Object.entries(refused)) {
    for (const proxy of proxies) {
      t.notOk(isTrustedProxy(proxy), `${why}: ${proxy}`)
      t.throws(() => trustedProxies(['127.0.0.1', proxy]), TypeError, `${why}: ${proxy}`)
    }
  }
})
