import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { portOf } from '../src/free-port.ts'
import { findFreePort } from '../src/index.ts'

const host = '127.0.0.1'

t.test('a free port can be listened on, and is given once', async (t) => {
  const first = await findFreePort()
  await occupy(t, first)
  t.not(await findFreePort(), first)
})

t.test('a port in use is passed over', async (t) => {
  const taken = (await findFreePort()) + 1
  await occupy(t, taken)
  t.ok((await findFreePort()) > taken)
})

t.test('no port is one that fetch refuses or that the system gives to outgoing connections', async (t) => {
  const ports = Array.from({ length: 40_000 }, (_, request) => portOf(request))
  t.ok(Math.min(...ports) > 10_080)
  t.ok(Math.max(...ports) < 32_768)
  t.equal(new Set(ports).size, 20_000)
})

t.test('the search ends after a hundred ports in use', async (t) => {
  const last = await findFreePort()
  const request = last - portOf(0)
  for (let next = 1; next <= 100; next += 1) await occupy(t, portOf(request + next))
  await t.rejects(findFreePort(), { code: 'EADDRINUSE' })
})

t.test('a host that is not of this machine is an error', async (t) => {
  await t.rejects(findFreePort('192.0.2.1'), { code: 'EADDRNOTAVAIL' })
})

/** Listens on a port until the test ends, unless another program does. */
async function occupy(t: Test, port: number): Promise<void> {
  const server: Server = createServer().listen({ host, port })
  t.teardown(() => server.close())
  await once(server, 'listening').catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
  })
}
