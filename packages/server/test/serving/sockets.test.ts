import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import { trackSockets } from '../../src/serving/sockets.ts'

t.test('sockets that the HTTP server has released are destroyed too', async (t) => {
  const server = createServer()
  const sockets = trackSockets(server)
  for (const event of ['connect', 'upgrade']) server.on(event, () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const [event, lines] of Object.entries({
    connect: ['CONNECT a:1 HTTP/1.1', 'Host: a'],
    upgrade: ['GET / HTTP/1.1', 'Host: a', 'Connection: upgrade', 'Upgrade: x'],
  })) {
    const client = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
    client.write(`${lines.join('\r\n')}\r\n\r\n`)
    await once(server, event)
    t.equal(await connectionsOf(), 1, event)
    const closed = once(client.resume(), 'close')
    sockets.destroyAll()
    await closed
    t.equal(await connectionsOf(), 0, event)
  }
  await new Promise((resolve) => server.close(resolve))

  function connectionsOf(): Promise<number> {
    return new Promise((resolve) => server.getConnections((_error, total) => resolve(total)))
  }
})
