import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Test } from 'tap'
import { tlsFiles } from './tls.ts'

export interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: string
}

export interface Receiver {
  readonly port: number
  readonly requests: readonly Received[]
  /** The last request; throws when there was none. */
  last(): Received
  /** How many connections were made to it. */
  connections(): number
}

/** A server on 127.0.0.1 that keeps what it receives and answers as told; by default 204. */
export async function startReceiver(
  t: Test,
  {
    answer = (response) => response.writeHead(204).end(),
    isTls = false,
  }: { readonly answer?: (response: ServerResponse, count: number) => void; readonly isTls?: boolean } = {},
): Promise<Receiver> {
  const requests: Received[] = []
  const server = isTls ? createTlsServer(tlsFiles) : createServer()
  // It keeps a connection as long as the sender does.
  server.keepAliveTimeout = 0
  server.on('request', (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const { method, url, headers, rawHeaders } = request
      requests.push({ method, url, headers, rawHeaders, body })
      answer(response, requests.length)
    })
  })
  const { port, connections } = await listening(t, server)
  return { port, requests, last: () => lastOf(requests), connections }
}

function lastOf(requests: readonly Received[]): Received {
  const last = requests.at(-1)
  if (!last) throw new Error('nothing was posted')
  return last
}

/** A server on 127.0.0.1 that does as it is told with each connection. */
export async function startRaw(
  t: Test,
  onConnection: (socket: Socket) => void,
): Promise<{ readonly port: number; connections(): number }> {
  return listening(t, createTcpServer(onConnection))
}

async function listening(t: Test, server: Server): Promise<{ port: number; connections(): number }> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}
