import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions as HttpsOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { FastifyServerFactory } from 'fastify'
import { continueWhenRead } from '../bodies/continue.ts'
import { headersMaxBytes } from '../request/target.ts'
import {
  closeWithConnection,
  earlierAnswersSent,
  endAfterAnswer,
  isAfterLast,
  lingerAfterAnswer,
} from './last-answer.ts'
import { http } from './node-http.ts'
import { AnswerWithId } from './request-id.ts'

/** The timeouts of a server, in milliseconds. */
export interface ServerTimeouts {
  /** How long the headers of a request may take to arrive; 10 s by default. */
  readonly headersMillis: number
  /** How long a whole request may take to arrive; 15 s by default. */
  readonly requestMillis: number
  /** How long an idle connection stays open; 72 s by default, longer than the usual 60 s of proxies. */
  readonly keepAliveMillis: number
  /** How long nothing may move on a connection during a request, as when a client stops reading; 120 s by default. */
  readonly silentMillis: number
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface ServerFactoryOptions {
  readonly timeouts?: Partial<ServerTimeouts> | undefined
  /** How many connections may be open at the same time. */
  readonly maxConnections?: number | undefined
  /** Answers a CONNECT whose target is not a path. */
  readonly refuseTunnel: (socket: Socket) => void
}

/**
 * Creates the HTTP server of a Fastify instance. Without a factory, Fastify creates a second server when it listens on `localhost`, which
 * lacks the listeners and some of the options; with one it does not.
 */
export function createServerFactory({
  timeouts = {},
  maxConnections = 10_000,
  refuseTunnel,
}: ServerFactoryOptions): FastifyServerFactory {
  const { headersMillis = 10_000, requestMillis = 15_000 } = timeouts
  const { keepAliveMillis = 72_000, silentMillis = 120_000 } = timeouts
  const httpOptions = {
    ServerResponse: AnswerWithId,
    maxHeaderSize: headersMaxBytes,
    // The plugins answer a missing Host themselves.
    requireHostHeader: false,
    headersTimeout: Math.min(headersMillis, requestMillis),
    requestTimeout: requestMillis,
    keepAliveTimeout: keepAliveMillis,
    // Node looks for slow requests every 30 s only, by default.
    connectionsCheckingInterval: 500,
  }
  return (given: Handler, options) => {
    const handler: Handler = (request, response) => {
      if (isAfterLast(request)) return
      closeWithConnection(request, response)
      given(request, response)
    }
    const https = httpsOptionsOf(options)
    const server = https
      ? createHttpsServer({ ...httpOptions, ...https }, handler)
      : http.createServer(httpOptions, handler)
    // The bytes are limited already. With a limit on their number Node ignores further headers silently, a second Host too.
    server.maxHeadersCount = 0
    server.maxConnections = maxConnections
    // A client that stops reading must not hold its connection forever.
    server.setTimeout(silentMillis)
    server.on(https ? 'secureConnection' : 'connection', lingerAfterAnswer)
    // An unknown expectation is ignored (RFC 9110, section 10.1.1); Node would answer it with a 417 of its own.
    server.on('checkExpectation', handler)
    server.on('checkContinue', continueWhenRead(handler))
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      boundReleased(socket, requestMillis)
      if (!request.url?.startsWith('/')) refuseTunnel(socket)
      else answerConnect(handler, request, socket).catch(() => socket.destroy())
    })
    return server
  }
}

function httpsOptionsOf(options: Record<string, unknown>): HttpsOptions | undefined {
  if (options['http2']) throw new TypeError('sottoServerOptions are for HTTP/1.1, not for HTTP/2')
  const { https } = options
  return https ? (https === true ? {} : https) : undefined
}

/** Bounds the life of a socket that Node's parser has released: Node neither times it out nor closes it with the server's other ones. */
function boundReleased(socket: Socket, millis: number): void {
  const cut = setTimeout(() => socket.destroy(), millis).unref()
  socket.once('close', () => clearTimeout(cut))
  socket.on('error', () => socket.destroy())
}

/** A CONNECT to a path is handled like any other request. Node creates no response for it. */
async function answerConnect(handler: Handler, request: IncomingMessage, socket: Socket): Promise<void> {
  await earlierAnswersSent(socket)
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const response = new AnswerWithId(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => endAfterAnswer(socket))
  handler(request, response)
}
