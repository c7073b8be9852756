import { once } from 'node:events'
import { request as httpRequest, Agent, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Asked } from './facts.ts'

/** The status of a request's answer. Without an agent it has a connection of its own. */
export async function answerOf(origin: string, asked: Asked, agent: Agent | false): Promise<number> {
  const { method, path, token, body } = asked
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = httpRequest(origin + path, { method, agent, headers }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  await text(response)
  return response.statusCode ?? 0
}

/** A connection on which the first request, a list, is sent at once, and the second one when it is asked for. */
export function secondOfPipeline(origin: string, otherToken: string, asked: Asked) {
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const list: Asked = { method: 'GET', path: '/api/secrets', token: otherToken }
  const started = once(socket, 'connect').then(() => void socket.write(bytesOf(list, host)))
  const answers = text(socket)
  return {
    started,
    async sendSecond(): Promise<number> {
      socket.write(bytesOf(asked, host, 'Connection: close\r\n'))
      const statuses = [...(await answers).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
      return statuses[1] ?? 0
    },
  }
}

function bytesOf({ method, path, token, body = '' }: Asked, host: string, more = ''): string {
  const length =
    method === 'POST' ? `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n${length}${more}\r\n${body}`
}

/** Sends requests of another owner on several connections until `stop` is called, which returns how many there were. */
export function keepBusy(
  origin: string,
  { folderId, token }: { readonly folderId: string; readonly token: string },
  connections: number,
) {
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
        : { method: 'GET', path: '/api/folders', token },
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
