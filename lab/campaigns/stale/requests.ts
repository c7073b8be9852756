import { once } from 'node:events'
import { request as httpRequest, Agent, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Answer, Asked } from './facts.ts'

/** The answer of a request. Without an agent it has a connection of its own. */
export async function answerOf(origin: string, asked: Asked, agent: Agent | false): Promise<Answer> {
  const { method, path, body } = asked
  const sent = httpRequest(origin + path, { method, agent, headers: headersOf(asked) }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}

/** A connection on which the first request, a list, is sent immediately, and the second one when it is asked for. */
export function secondOfPipeline(origin: string, otherToken: string, asked: Asked) {
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const list: Asked = { method: 'GET', path: '/api/secrets', token: otherToken }
  const started = once(socket, 'connect').then(() => void socket.write(bytesOf(list, { host })))
  const answers = text(socket)
  return {
    started,
    async sendSecond(): Promise<Answer> {
      socket.write(bytesOf(asked, { host, connection: 'close' }))
      const [, , second = ''] = (await answers).split(/HTTP\/1\.1 (?=\d+ )/)
      const [head = '', body = ''] = second.split('\r\n\r\n')
      return { status: Number.parseInt(head) || 0, body }
    },
  }
}

function headersOf({ method, token, body = '', idempotencyKey }: Asked): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    ...(method === 'POST' && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
}

function bytesOf(asked: Asked, more: Readonly<Record<string, string>>): string {
  const headers = Object.entries({ ...more, ...headersOf(asked) })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${asked.method} ${asked.path} HTTP/1.1\r\n${lines}\r\n${asked.body ?? ''}`
}

/** The clients that send the other requests. */
export interface Busy {
  readonly folderId: string
  readonly token: string
  /** An access token of somebody without folders. */
  readonly readerToken: string
}

/**
 * Sends requests of others on several connections until `stop` is called, which returns how many there were. None of them decrypts anything:
 * a row under a new key would make the server read the keys before it has to.
 */
export function keepBusy(origin: string, { folderId, token, readerToken }: Busy, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const body = JSON.stringify({ label: 'a label', note: 'a note', folder_id: folderId })
  let isStopping = false
  let count = 0
  const loop = async (asked: Asked): Promise<void> => {
    for (; !isStopping; count += 1) await answerOf(origin, asked, agent)
  }
  const loops = Array.from({ length: connections }, (_, at) =>
    loop(
      at % 4 === 0
        ? { method: 'POST', path: '/api/secret', token, body }
        : { method: 'GET', path: '/api/folders', token: readerToken },
    ),
  )
  return {
    async stop(): Promise<number> {
      isStopping = true
      await Promise.all(loops)
      agent.destroy()
      return count
    },
  }
}
