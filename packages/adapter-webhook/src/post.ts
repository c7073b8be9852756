import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import type { ForReceiver } from './agents.ts'
import { http } from './node-http.ts'
import { reasonOf, SendingError } from './reasons.ts'

/** How many bytes of an answer's body are read: enough to use the connection again after an answer of usual length. */
const answerBytesMax = 16 * 1024
/** How long the body is read once the status is known. */
const bodyMillis = 1_000
const headerBytesMax = 16 * 1024
/** How many answers of 1xx may come before the answer. */
const informationMax = 8

export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly agent: Agent
  /** The time for everything: look-up, connection, TLS, the request, the answer and its body. */
  readonly timeoutMillis: number
}

/** The status of an answer, or why there is none, in a few words. */
export type Answer =
  { readonly status: number; readonly retryAfter: string | undefined } | { readonly reason: string }

/**
 * Posts once; never rejects. Resolves when nothing of it uses a connection any more, so that a caller who bounds how many messages it sends
 * at the same time bounds the connections too. Up to 16 KiB of the body are read and dropped, for a second at most: the connection can then
 * be used again.
 */
export function post(message: Post): Promise<Answer> {
  return new Promise((resolve) => {
    let current: ClientRequest | undefined
    let answer: Answer | undefined
    let bodyTimer: NodeJS.Timeout | undefined
    const end = (reason: string): void => {
      clearTimeout(timer)
      clearTimeout(bodyTimer)
      resolve(answer ?? { reason })
    }
    const cut = (): void => {
      current?.destroy(new SendingError('timeout'))
      end('timeout') // a request without a socket emits nothing when it is destroyed
    }
    const timer = setTimeout(cut, message.timeoutMillis)

    const start = (isRepeated: boolean): void => {
      const request = begin(message)
      current = request
      request.once('response', (response: IncomingMessage) => {
        answer = answerOf(response)
        bodyTimer = setTimeout(cut, bodyMillis)
        drain(response)
      })
      request.on('error', (error) => {
        if (answer === undefined && !isRepeated && isStale(request, error)) start(true)
        else answer ??= { reason: reasonOf(error, request) }
      })
      request.once('close', () => {
        if (current === request) end('connection cut')
      })
      request.end(message.body)
    }
    start(false)
  })
}

function begin({ url, headers, agent }: Post): ClientRequest {
  const options: RequestOptions & ForReceiver = {
    method: 'POST',
    headers,
    agent,
    maxHeaderSize: headerBytesMax,
    receiver: url.href,
  }
  const request = (url.protocol === 'https:' ? requestHttps : http.request)(url, options)
  let informations = 0
  request.on('information', () => {
    informations += 1
    if (informations > informationMax) request.destroy(new SendingError('malformed answer'))
  })
  // An answer that changes the protocol would look like a connection that was cut without this listener. With it Node lets go of the
  // connection, which nobody else would close.
  request.once('upgrade', (response: IncomingMessage, socket: Duplex) => {
    request.emit('response', response)
    socket.destroy()
  })
  return request
}

function answerOf({ statusCode = 0, headers }: IncomingMessage): Answer {
  return { status: statusCode, retryAfter: headers['retry-after'] }
}

function drain(response: IncomingMessage): void {
  let bytes = 0
  response.on('error', () => undefined) // the status is known already
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > answerBytesMax) response.destroy()
  })
}

/** Whether a connection that was kept open had been closed by the other side, which tells nothing about whether it answers. */
function isStale(request: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}
