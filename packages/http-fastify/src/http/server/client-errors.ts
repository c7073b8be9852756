import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Quota } from '@sotto/core'
import { problemText } from '@sotto/wire'
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify'
import type { QuotaUseCases } from '../../use-cases.ts'
import { sendThrown } from '../answers/answers.ts'
import { problems, type Problem } from '../answers/problems.ts'
import { quotaHeaders, quotaOfAddress, shownQuota, showQuota } from '../answers/quota-headers.ts'
import { jsonHeaders } from '../answers/security-headers.ts'
import { isLongBodyArriving } from '../bodies/drain.ts'
import type { GivenAnswer } from '../plugins/watch.ts'
import { urlMaxBytes } from '../request/target.ts'
import { earlierAnswersSent, endAfterAnswer, isBodyAfterAnswer, responseUnderWay } from './last-answer.ts'
import { http } from './node-http.ts'
import { newRequestId, requestIdHeader, requestIdOf } from './request-id.ts'

type ClientErrorHandler = NonNullable<FastifyHttpOptions<Server>['clientErrorHandler']>
type ClientError = Parameters<ClientErrorHandler>[0]
type Headers = Readonly<Record<string, string>>

export interface ParserAnswers {
  readonly sotto: QuotaUseCases
  /** See `httpsHeaders` in security-headers.ts. */
  readonly httpsHeaders: Headers
  readonly onAnswer?: ((answer: GivenAnswer) => void) | undefined
}

/**
 * Answers requests that Node's HTTP parser rejects: not HTTP, headers too large, too slow. The answer has the form of every other, with
 * the quota of the caller if it is known already, or else of the socket's address.
 */
export function createClientErrorHandler(options: ParserAnswers): ClientErrorHandler {
  const answered = new WeakSet<Socket>()
  return (error, socket) => {
    // Such a body has a bound of its own. Node says once for each request that it takes long.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isLongBodyArriving(socket)) return
    // Whatever the client still sends after its error is another error.
    if (answered.has(socket)) return
    answered.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable || isBodyAfterAnswer(socket)) socket.destroy()
    else answer(options, error, socket).catch(() => socket.destroy())
  }
}

/** Answers a CONNECT whose target is not a path. There are no tunnels here, and Node would close the connection without an answer. */
export function createTunnelHandler(options: ParserAnswers): (socket: Socket) => void {
  return (socket) => {
    earlierAnswersSent(socket)
      .then(() => quotaOfAddress(options.sotto, socket.remoteAddress))
      .then((quota) => send(options, socket, { problem: problems.badRequest, quota }))
      .catch(() => socket.destroy())
  }
}

async function answer(options: ParserAnswers, error: ClientError, socket: Socket): Promise<void> {
  await earlierAnswersSent(socket)
  const ofAddress = () => quotaOfAddress(options.sotto, socket.remoteAddress)
  const quota = shownQuota(responseUnderWay(socket)) ?? (await ofAddress())
  const underWay = responseUnderWay(socket)
  if (underWay?.headersSent) socket.destroy()
  else
    send(options, socket, {
      problem: problemOfClient(error),
      quota,
      underWay,
      isHead: isHead(error, underWay),
    })
}

interface LastAnswer {
  readonly problem: Problem
  readonly quota: Quota
  /** The answer of a request that the parser had passed on already, in place of which this one is sent. */
  readonly underWay?: ServerResponse | undefined
  /** Whether only the head of the answer is sent, as to every HEAD (RFC 9110, section 9.3.2). */
  readonly isHead?: boolean
}

/** Sends the last answer of a connection. */
function send(
  { httpsHeaders, onAnswer }: ParserAnswers,
  socket: Socket,
  { problem, quota, underWay, isHead = false }: LastAnswer,
): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const requestId = underWay === undefined ? newRequestId() : requestIdOf(underWay.req)
  const headers = { ...httpsHeaders, [requestIdHeader]: requestId, ...quotaHeaders(quota) }
  socket.write(responseText(problem, headers, isHead))
  endAfterAnswer(socket)
  onAnswer?.({ requestId, method: undefined, route: undefined, status: problem.status, millis: 0 })
}

function problemOfClient({ code, rawPacket }: ClientError): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problems.timeout
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return problems.bodyTooLarge
  if (code !== 'HPE_HEADER_OVERFLOW') return problems.badRequest
  return hasLongUrl(rawPacket) ? problems.urlTooLong : problems.headersTooLarge
}

function isHead({ rawPacket }: ClientError, underWay: ServerResponse | undefined): boolean {
  return underWay === undefined
    ? startOf(rawPacket).trimStart().startsWith('HEAD ')
    : underWay.req.method === 'HEAD'
}

/** The parser counts the URL as part of the headers, so the bytes show which of the two was too large. */
function hasLongUrl(packet: unknown): boolean {
  const [, url = ''] = /^\s*[A-Z-]+ (\S*)/.exec(startOf(packet)) ?? []
  return url.length > urlMaxBytes
}

/** The start of the bytes in which the parser found an error: those of the request line, when it came in one piece. */
function startOf(packet: unknown): string {
  if (!(packet instanceof Uint8Array)) return ''
  return Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength).toString(
    'latin1',
    0,
    urlMaxBytes + 64,
  )
}

function responseText(problem: Problem, more: Headers, isHead: boolean): string {
  const body = problemText(problem)
  const headers = {
    ...jsonHeaders,
    ...more,
    ...problem.headers,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const start = `HTTP/1.1 ${problem.status} ${http.STATUS_CODES[problem.status] ?? ''}`
  return [start, ...lines, '', isHead ? '' : body].join('\r\n')
}

/** Answers the errors of Fastify before a route is known. Because `rewriteUrl` makes every URL routable, there should be none. */
export function createFrameworkErrorHandler({ sotto, httpsHeaders }: ParserAnswers) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    quotaOfAddress(sotto, request.socket.remoteAddress)
      .then((quota) => {
        showQuota(reply.headers(httpsHeaders), quota)
        return sendThrown(error, request, reply)
      })
      .catch(() => reply.raw.destroy())
  }
}
