import { hostname } from 'node:os'
import { lookup } from 'node:dns/promises'
import t from 'tap'
import { createResolver } from '../src/resolve-name.ts'
import { startNameServer } from './support/name-server.ts'

t.test('finds the IPv4 and IPv6 addresses of a name', async (t) => {
  const { address, asked } = await startNameServer(t, { 'both.example': ['1.2.3.4', '::1', '10.0.0.1'] })
  const resolve = createResolver({ alsoHosts: false, servers: [address] })
  t.strictSame(await resolve('both.example'), ['1.2.3.4', '10.0.0.1', '::1'])
  t.strictSame(asked, ['both.example', 'both.example'], 'once for each family')
})

t.test('finds a name with addresses of one family', async (t) => {
  const { address } = await startNameServer(t, { 'six.example': ['::1'], 'four.example': ['1.2.3.4'] })
  const resolve = createResolver({ alsoHosts: false, servers: [address] })
  t.strictSame(await resolve('six.example'), ['::1'])
  t.strictSame(await resolve('four.example'), ['1.2.3.4'])
})

t.test('a name that does not exist, or has no addresses, has none', async (t) => {
  const { address } = await startNameServer(t, { 'empty.example': [] })
  const resolve = createResolver({ alsoHosts: false, servers: [address] })
  t.strictSame(await resolve('none.example'), [])
  t.strictSame(await resolve('empty.example'), [])
})

t.test('a name server that fails is another failure than a name that does not exist', async (t) => {
  const { address } = await startNameServer(t, { 'failing.example': 'server failure' })
  const resolve = createResolver({ alsoHosts: false, servers: [address] })
  await t.rejects(resolve('failing.example'), { message: 'name not resolved' })
})

const name = hostname()
const known = await lookup(name, { all: true }).catch(() => [])

t.test('a name that only this machine knows is found where hosts are asked for', async (t) => {
  const { address } = await startNameServer(t, {})
  t.strictSame(await createResolver({ alsoHosts: false, servers: [address] })(name), [])
  const found = await createResolver({ alsoHosts: true, servers: [address] })(name)
  const addresses = known.map((entry) => entry.address)
  t.strictSame(found, addresses, addresses.length === 0 ? 'this machine does not know its own name' : name)
})
