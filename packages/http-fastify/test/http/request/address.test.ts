import t from 'tap'
import { addressBucket } from '../../../src/http/request/addresses.ts'

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
