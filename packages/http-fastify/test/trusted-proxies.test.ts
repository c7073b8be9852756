import t from 'tap'
import { trustedProxies } from '../src/trusted-proxies.ts'

t.test('addresses and ranges are taken as they are', async (t) => {
  const proxies = ['127.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32']
  t.same(trustedProxies(proxies), proxies)
})

t.test('nobody is trusted by default', async (t) => {
  t.equal(trustedProxies([]), false)
})

t.test('anything that could mean everybody is a mistake of the programmer', async (t) => {
  for (const proxy of [
    '',
    '*',
    'true',
    '1',
    'loopback',
    'proxy.example.org',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
  ]) {
    t.throws(() => trustedProxies([proxy]), TypeError, proxy)
  }
})
