import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { After } from '../after.ts'
import { announcesBody } from '../request/headers.ts'
import { closeAfterAnswer } from '../server/last-answer.ts'
import { waitsForContinue } from './continue.ts'

/** How much of an unwanted body is read, and for how long. */
const drainMaxBytes = 16 * 1024 * 1024
const drainMaxMillis = 2_000

/** How much of a long body is read after its answer, and for how long (nginx has the same time as `lingering_time`). */
const discardMaxBytes = 1024 * 1024 * 1024
const discardMaxMillis = 30_000

/**
 * Reads the rest of a request's body and discards it. A connection that is closed while the client still sends is reset, and the client
 * may never see the answer (RFC 9112, section 9.6). So the answer to a refused body waits until the body has arrived. That to a long body is
 * sent first: a client that reads it while it sends can stop.
 *
 * Resolves to true when all of it was read or will be, and to false when it is too long or too slow: then the connection must be closed. Also
 * false, at once, when the client waits for `100 Continue`: it gets the answer instead. A request is waited for once, however often this is
 * called.
 */
export async function drain(request: IncomingMessage): Promise<boolean> {
  const known = drained.get(request)
  if (known !== undefined) return known
  if (!hasUnreadBody(request)) return true
  const long = longBodies.get(request.socket)
  const isDrained = long?.request === request ? endLongBody(long) : readRest(request)
  drained.set(request, isDrained)
  return isDrained
}

const drained = new WeakMap<IncomingMessage, Promise<boolean>>()

async function readRest(request: IncomingMessage): Promise<boolean> {
  if (await waitsForContinue(request)) return false
  return new Promise((resolve) => {
    let bytes = 0
    const finish = (drained: boolean): void => {
      clearTimeout(timer)
      request.off('data', count).off('end', end).off('close', close).off('error', close)
      request.resume()
      resolve(drained)
    }
    const count = (chunk: Uint8Array): void => {
      bytes += chunk.length
      if (bytes > drainMaxBytes) finish(false)
    }
    const end = (): void => finish(true)
    const close = (): void => finish(false)
    const timer = setTimeout(finish, drainMaxMillis, false)
    request.on('data', count).on('end', end).on('close', close).on('error', close)
    request.resume()
  })
}

function hasUnreadBody(request: IncomingMessage): boolean {
  if (request.readableEnded || request.destroyed || request.method === 'CONNECT') return false
  return announcesBody(request)
}

/**
 * Waits for the rest of a request's body before its answer. If not all of it arrives, the connection is closed after the answer.
 * `undefined` for a request without a body: most have none, and a promise for each costs time.
 */
export function drainBefore(reply: FastifyReply): Promise<void> | undefined {
  return announcesBody(reply.request.raw) ? drainOrClose(reply) : undefined
}

async function drainOrClose(reply: FastifyReply): Promise<void> {
  const { raw } = reply.request
  if (await drain(raw)) return
  reply.header('connection', 'close')
  closeAfterAnswer(raw.socket)
}

/**
 * Fastify closes the connection after every error in a body. That is needed only when the rest of the body does not arrive, so this undoes
 * it. The header is replaced, because Node sends neither `Connection` nor `Keep-Alive` once it was removed.
 */
export function keepConnection(reply: FastifyReply): void {
  if (!reply.hasHeader('connection')) return
  // The client asked for it, or the server is shutting down.
  const closes = !reply.raw.shouldKeepAlive || reply.raw.getHeader('connection') === 'close'
  reply.header('connection', closes ? 'close' : 'keep-alive')
}

/** A body that may take longer than any other. */
interface LongBody {
  readonly request: IncomingMessage
  /** Stops whoever reads it. False when the connection must be closed. */
  readonly stop: () => boolean
  readonly after: After
}

const longBodies = new WeakMap<Socket, LongBody>()

/** Says that a body may take long. */
export function announceLongBody(body: LongBody): void {
  longBodies.set(body.request.socket, body)
}

/** Whether a long body arrives on a connection: the bound of a whole request does not hold then. */
export function isLongBodyArriving(socket: Socket): boolean {
  return longBodies.get(socket)?.request.complete === false
}

/** Lets the answer be sent, while the rest of the body is discarded. */
function endLongBody({ request, stop, after }: LongBody): Promise<boolean> {
  if (!stop()) return Promise.resolve(false)
  const { socket } = request
  let bytes = 0
  const cut = (): void => void socket.destroy()
  const cancel = after(discardMaxMillis, cut)
  const finish = (): void => {
    cancel()
    socket.off('close', finish)
  }
  // Once it is answered, the end of a connection is no longer an event of its request.
  socket.once('close', finish)
  request.once('end', finish).on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > discardMaxBytes) cut()
  })
  request.resume()
  return Promise.resolve(true)
}
