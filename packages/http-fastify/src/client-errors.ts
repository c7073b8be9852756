import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Quota } from '@sotto/core'
import type { FastifyHttpOptions } from 'fastify'
import { errorText, jsonHeaders } from './answers.ts'
import { http } from './node-http.ts'
import { quotaHeaders, quotaOfAddress, shownQuota, type QuotaPorts } from './quota-headers.ts'
import { refusals, type Refusal } from './refusals.ts'
import { urlMaxBytes } from './request-target.ts'

type ClientErrorHandler = NonNullable<FastifyHttpOptions<Server>['clientErrorHandler']>
type ClientError = Parameters<ClientErrorHandler>[0]

/** How long the client may go on sending once it was answered, before the connection is cut. */
const lingerMillis = 1_000

/**
 * Answers what Node's HTTP parser gives up on: no HTTP, headers too large, too slow. The answer is the API's like any other. It
 * shows the quota of the caller if that is known already, or else of the socket's address.
 */
export function createClientErrorHandler(ports: QuotaPorts): ClientErrorHandler {
  const answered = new WeakSet<Socket>()
  return (error, socket) => {
    // What the client still sends behind its fault is a fault again.
    if (answered.has(socket)) return
    answered.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else answer(ports, error, socket).catch(() => socket.destroy())
  }
}

/**
 * Answers a CONNECT whose target is no path of this server. There are no tunnels here; Node would close the connection without
 * a word.
 */
export function createTunnelHandler(ports: QuotaPorts): (socket: Socket) => void {
  return (socket) => {
    socket.on('error', () => socket.destroy())
    quotaOfAddress(ports, socket.remoteAddress)
      .then((quota) => send(socket, refusals.badRequest, quota))
      .catch(() => socket.destroy())
  }
}

async function answer(ports: QuotaPorts, error: ClientError, socket: Socket): Promise<void> {
  // The fault may lie in a request that was sent ahead: the one before it gets its own answer first.
  const before = responseUnderWay(socket)
  if (before?.req.complete) await new Promise((resolve) => before.once('close', resolve))
  const quota = shownQuota(responseUnderWay(socket)) ?? (await quotaOfAddress(ports, socket.remoteAddress))
  if (responseUnderWay(socket)?.headersSent) socket.destroy()
  else send(socket, refusalOfClient(error), quota)
}

/** Sends the last answer of a connection, and lets the client finish before it is cut: a reset could overtake the answer. */
function send(socket: Socket, refusal: Refusal, quota: Quota): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(responseText(refusal, quotaHeaders(quota)))
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMillis).unref()
}

/** Node keeps the response that a socket is busy with under this name, and asks it the same question. */
function responseUnderWay(
  socket: Socket & { _httpMessage?: ServerResponse | null },
): ServerResponse | undefined {
  return socket._httpMessage ?? undefined
}

function refusalOfClient({ code, rawPacket }: ClientError): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusals.timeout
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return refusals.bodyTooLarge
  if (code !== 'HPE_HEADER_OVERFLOW') return refusals.badRequest
  return hasLongUrl(rawPacket) ? refusals.urlTooLong : refusals.headersTooLarge
}

/** The parser counts the URL among the headers: its bytes tell which of them was too large. */
function hasLongUrl(packet: unknown): boolean {
  if (!(packet instanceof Uint8Array)) return false
  const start = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength).toString(
    'latin1',
    0,
    urlMaxBytes + 64,
  )
  return new RegExp(`^\\s*[A-Z-]+ [^\\s]{${urlMaxBytes + 1}}`).test(start)
}

function responseText(refusal: Refusal, quota: Record<string, string>): string {
  const body = errorText(refusal)
  const headers = {
    ...jsonHeaders,
    ...quota,
    ...refusal.headers,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${refusal.status} ${http.STATUS_CODES[refusal.status] ?? ''}`, ...lines, '', body].join(
    '\r\n',
  )
}
