import t from 'tap'
import { createAddressRules, isAddressRange } from '../src/addresses.ts'

const refused: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'link-local': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  broadcast: ['255.255.255.255'],
  'protocol assignments': ['192.0.0.1', '192.0.0.171', '2001:1::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  '6to4 relays': ['192.88.99.1'],
  reserved: ['240.0.0.1', '255.255.255.254'],
  unspecified: ['::'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:1'],
  'IPv4-translated': ['::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff::1'],
  '6to4': ['2002:7f00:1::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:ffff::1'],
  ORCHID: ['2001:10::1', '2001:20::1'],
  'unique local': ['fc00::1', 'fdff::1', 'fd00:ec2::254'],
  'site-local': ['fec0::1', 'feff::1'],
  discard: ['100::1'],
  'segment routing': ['5f00::1'],
  'not handed out': ['1::1', '200::1', '4000::1', '8000::1', 'f000::1'],
  "a cloud's own": ['168.63.129.16', '::ffff:168.63.129.16'],
  'not an address': ['', 'localhost', '127.1', '2130706433', '0177.0.0.1', '1.2.3.4/8', '1.1.1.1%eth0'],
  'with a zone': ['fe80::1%eth0'],
}

for (const [range, addresses] of Object.entries(refused)) {
  t.test(`refuses an address: ${range}`, async (t) => {
    for (const address of addresses) t.notOk(createAddressRules([]).isAllowed(address), address)
  })
}

t.test('allows public addresses', async (t) => {
  const rules = createAddressRules([])
  const addresses = ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0']
  const others = [
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
    '168.63.129.17',
  ]
  const six = ['2606:4700::1111', '2a00:1450::1', '2001:4860:4860::8888', '2003::1']
  for (const address of [...addresses, ...others, ...six]) {
    t.ok(rules.isAllowed(address), address)
    t.notOk(rules.isNamed(address), address)
  }
})

t.test('a range lifts the refusal of its addresses and of no others', async (t) => {
  const rules = createAddressRules([
    '10.1.0.0/16',
    '192.168.1.7',
    'fd00::/8',
    '64:ff9b::/96',
    '168.63.129.16',
  ])
  for (const address of [
    '168.63.129.16',
    '10.1.0.0',
    '10.1.255.255',
    '192.168.1.7',
    'fd12::1',
    '64:ff9b::10.0.0.1',
  ]) {
    t.ok(rules.isAllowed(address) && rules.isNamed(address), address)
  }
  for (const address of ['10.2.0.0', '10.0.255.255', '192.168.1.8', 'fc12::1', '64:ff9b:1::1', '127.0.0.1']) {
    t.notOk(rules.isAllowed(address) || rules.isNamed(address), address)
  }
  t.notOk(rules.isEmpty)
  t.ok(createAddressRules([]).isEmpty)
})

t.test('an IPv4 range names the IPv4-mapped addresses too, to which connections are the same', async (t) => {
  const rules = createAddressRules(['10.0.0.0/8'])
  t.ok(rules.isNamed('::ffff:10.0.0.1'))
  t.notOk(rules.isAllowed('::ffff:127.0.0.1'))
})

t.test('a range is an address or a CIDR range no wider than the widest private network', async (t) => {
  for (const text of [
    '10.0.0.0/8',
    '10.1.2.3/8',
    '127.0.0.1',
    '192.168.0.0/32',
    'fc00::/7',
    '::1',
    '::1/128',
  ]) {
    t.ok(isAddressRange(text), text)
  }
  const malformed = [
    '',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '010.0.0.0/8',
    '10.0.0.0/33',
    '/8',
  ]
  const wide = ['0.0.0.0/0', '10.0.0.0/7', '::/0', 'fc00::/6', '::1/129']
  const odd = [
    '::ffff:10.0.0.0/104',
    '::ffff:a00:1',
    'fe80::1%eth0',
    'localhost',
    ' 10.0.0.0/8',
    '10.0.0.0 /8',
  ]
  for (const text of [...malformed, ...wide, ...odd]) {
    t.notOk(isAddressRange(text), text)
    t.throws(() => createAddressRules([text]), TypeError)
  }
})
