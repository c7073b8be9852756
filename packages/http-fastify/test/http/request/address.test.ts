import t from 'tap'
import { addressBucket, auditAddress } from '../../../src/http/request/addresses.ts'

t.test('an IPv4 address has a bucket of its own', async (t) => {
  t.equal(addressBucket('203.0.113.7'), '203.0.113.7')
})

t.test('an IPv4-mapped IPv6 address shares the bucket of the IPv4 address, in every spelling', async (t) => {
  for (const address of [
    '::ffff:203.0.113.7',
    '::FFFF:203.0.113.7',
    '::ffff:cb00:7107',
    '0:0:0:0:0:ffff:cb00:7107',
  ]) {
    t.equal(addressBucket(address), '203.0.113.7', address)
  }
})

t.test('all addresses of an IPv6 /64 share a bucket', async (t) => {
  const bucket = addressBucket('2001:db8:1:2::1')
  t.equal(bucket, '2001:db8:1:2::/64')
  t.equal(addressBucket('2001:0db8:0001:0002:ffff:ffff:ffff:ffff'), bucket)
  t.equal(addressBucket('2001:db8:1:2:0:0:203.0.113.7'), bucket)
  t.not(addressBucket('2001:db8:1:3::1'), bucket)
})

t.test('abbreviated addresses are expanded', async (t) => {
  t.equal(addressBucket('::1'), '0:0:0:0::/64')
  t.equal(addressBucket('::'), '0:0:0:0::/64')
  t.equal(addressBucket('2001:db8::'), '2001:db8:0:0::/64')
})

t.test('a port and a zone make no difference', async (t) => {
  t.equal(addressBucket('203.0.113.7:4711'), '203.0.113.7')
  t.equal(addressBucket('[2001:db8:1:2::1]:4711'), '2001:db8:1:2::/64')
  t.equal(addressBucket('[2001:db8:1:2::1]'), '2001:db8:1:2::/64')
  t.equal(addressBucket('fe80::1%eth0'), 'fe80:0:0:0::/64')
})

t.test('everything that is not an address shares one bucket', async (t) => {
  for (const address of [
    undefined,
    '',
    'unknown',
    '_hidden',
    '300.1.1.1',
    '203.0.113.7:x',
    'a'.repeat(5_000),
  ]) {
    t.equal(addressBucket(address), 'unknown', String(address).slice(0, 20))
  }
})

const logged: Readonly<Record<string, string>> = {
  '203.0.113.7': '203.0.113.7',
  '203.0.113.7:5678': '203.0.113.7',
  '::ffff:203.0.113.7': '203.0.113.7',
  '::FFFF:cb00:7107': '203.0.113.7',
  '[::ffff:203.0.113.7]:443': '203.0.113.7',
  '2001:DB8:0::0:3': '2001:db8::3',
  '[2001:db8::3]': '2001:db8::3',
  '[2001:db8::3]:443': '2001:db8::3',
  '[fe80::1%eth0]:443': 'fe80::1',
  'fe80::1%eth0': 'fe80::1',
  '2001:db8::203.0.113.7': '2001:db8::cb00:7107',
  unknown: 'unknown',
  _hidden: 'unknown',
  '': 'unknown',
  '203.0.113.7","address":"192.0.2.9': 'unknown',
  '203.0.113': 'unknown',
}

t.test('audit lines have the address alone, in one spelling, or say that it is unknown', async (t) => {
  for (const [ip, address] of Object.entries(logged)) t.equal(auditAddress({ ip }, true), address, ip)
  t.equal(auditAddress({ ip: undefined }, true), 'unknown')
  for (const isLogged of [false, undefined]) t.equal(auditAddress({ ip: '203.0.113.7' }, isLogged), undefined)
})
