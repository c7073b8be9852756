import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

/** ErrorResponse of the protocol (version 3.0), with severity, SQLSTATE and message. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** Starts what is no server: `answer` gets each connection once the startup message has come. Returns its port. */
export async function startAnswering(t: Test, answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Starts a server or pooler that refuses every connection. Returns its port. */
export function startRefusing(t: Test, code: string, message = 'refused'): Promise<number> {
  return startAnswering(t, (socket) => socket.end(errorResponse(code, message)))
}
