import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions as HttpsOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { FastifyServerFactory } from 'fastify'
import { http } from './node-http.ts'
import { headersMaxBytes } from './request-target.ts'

/** In milliseconds. */
export interface ServerTimeouts {
  /** How long the headers of a request may take; 15 s by default. */
  readonly headersMillis: number
  /** How long a whole request may take to arrive; 60 s by default. */
  readonly requestMillis: number
  /** How long an idle connection is kept; 72 s by default: longer than the usual 60 s of proxies in front. */
  readonly keepAliveMillis: number
}

/** How long a connection may stand still while a request is under way. */
const stalledMillis = 120_000

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface ServerFactoryOptions {
  readonly timeouts?: Partial<ServerTimeouts> | undefined
  /** Answers a CONNECT whose target is not a path. */
  readonly refuseTunnel: (socket: Socket) => void
}

/**
 * Makes the HTTP server of a Fastify instance. A factory, because Fastify copies neither listeners nor all of the options to the
 * second server that it makes when it listens on `localhost`; with one it makes none.
 */
export function createServerFactory({
  timeouts = {},
  refuseTunnel,
}: ServerFactoryOptions): FastifyServerFactory {
  const { headersMillis = 15_000, requestMillis = 60_000, keepAliveMillis = 72_000 } = timeouts
  const httpOptions = {
    maxHeaderSize: headersMaxBytes,
    // A missing Host is answered like any other request.
    requireHostHeader: false,
    headersTimeout: Math.min(headersMillis, requestMillis),
    requestTimeout: requestMillis,
    keepAliveTimeout: keepAliveMillis,
    // Node looks for slow requests every 30 s unless told otherwise.
    connectionsCheckingInterval: 500,
  }
  return (fastifyHandler, options) => {
    const handler: Handler = fastifyHandler
    const https = httpsOptionsOf(options)
    const server = https
      ? createHttpsServer({ ...httpOptions, ...https }, handler)
      : http.createServer(httpOptions, handler)
    // The bytes are limited already. Beyond a number of headers, Node drops them without a word, a second Host too.
    server.maxHeadersCount = 0
    // A reader that stands still must not hold its connection for ever.
    server.setTimeout(stalledMillis)
    // An expectation that is not known is ignored (RFC 9110, section 10.1.1); Node would answer it with a bare 417.
    server.on('checkExpectation', handler)
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      if (request.url?.startsWith('/')) answerConnect(handler, request, socket)
      else refuseTunnel(socket)
    })
    return server
  }
}

function httpsOptionsOf(options: Record<string, unknown>): HttpsOptions | undefined {
  if (options['http2']) throw new TypeError('sottoServerOptions are for HTTP/1.1')
  const { https } = options
  return https ? (https === true ? {} : https) : undefined
}

/** A CONNECT to a path is a request like any other, for which Node makes no response. */
function answerConnect(handler: Handler, request: IncomingMessage, socket: Socket): void {
  const response = new http.ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => socket.end())
  socket.on('error', () => socket.destroy())
  handler(request, response)
}
