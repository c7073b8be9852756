import { connect, type AddressInfo, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Answer } from './conformance.ts'

/** Listens on a free port of 127.0.0.1. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** Sends bytes and reads until the server closes the connection. */
export async function sendRaw(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const connection = await open(port)
  for (const part of parts) connection.socket.write(part)
  return connection.closed
}

export interface Connection {
  readonly socket: Socket
  /** Everything that was received, when the connection is closed. */
  readonly closed: Promise<string>
  /** Resolves when what was received contains `text`. */
  received(text: string): Promise<void>
}

/** @param options `allowHalfOpen` keeps the client's side open when the server has closed its own */
export async function open(
  port: number,
  options: { readonly allowHalfOpen?: boolean; readonly localAddress?: string } = {},
): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', ...options })
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  // A reset counts as a close.
  socket.on('error', () => undefined)
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  await new Promise((resolve) => socket.once('connect', resolve))
  const received = (expected: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!text.includes(expected)) return
        socket.off('data', look)
        resolve()
      }
      socket.on('data', look).once('close', () => reject(new Error(`never received: ${expected}`)))
      look()
    })
  return { socket, closed, received }
}

/** The answers in what was received, one after the other, each with a Content-Length. */
export function answersIn(received: string): Answer[] {
  const answers: Answer[] = []
  for (let rest = received; rest !== '';) {
    const answer = firstAnswer(rest)
    const end = rest.indexOf('\r\n\r\n') + 4 + Number(answer.headers['content-length'] ?? Number.NaN)
    answers.push({
      ...answer,
      body: Number.isNaN(end) ? answer.body : rest.slice(rest.indexOf('\r\n\r\n') + 4, end),
    })
    rest = Number.isNaN(end) ? '' : rest.slice(end)
  }
  return answers
}

/** The first answer. Everything after its head is its body. */
export function firstAnswer(received: string): Answer {
  const end = received.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: received.slice(end + 4),
  }
}

/** The head of a request. */
export function head(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`
}
