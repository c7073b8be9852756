import type { FastifyInstance, FastifyReply } from 'fastify'
import { announcesBody } from '../request/headers.ts'
import { waitsForContinue } from './continue.ts'
import { drain } from './drain.ts'
import { limitsOf, type BodyBudget } from './server-limits.ts'

/**
 * Makes Fastify leave the bodies of a plugin's requests unread, until a route calls {@link readBody}. So a request can be refused before
 * its body takes any memory. Fastify's parsers also accept too much.
 */
export function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
}

const noBytes = new Uint8Array()

/**
 * Reads the body of a request; empty without one. Its bytes count among those that the server holds until the request is answered.
 *
 * Rejects with an error that has the `statusCode` of the answer: 413 when it is longer than `maxBytes`, 400 when the client breaks off. It
 * is 503 when all bodies together are longer than the server holds.
 */
export async function readBody(reply: FastifyReply, maxBytes: number): Promise<Uint8Array> {
  const { raw, headers } = reply.request
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw refused('too_large')
  if (raw.destroyed) throw refused('broken_off')
  if (!announcesBody(raw)) return noBytes
  const buffer = bufferFor(reply, maxBytes, limitsOf(reply.server.server).bodies)
  // A short body has arrived with its head, most often. Listening for it takes longer.
  if (raw.complete) {
    const refusal = buffer.add((raw.read() as Uint8Array | null) ?? noBytes)
    if (refusal !== undefined) throw refused(refusal)
    return buffer.bytes() ?? noBytes
  }
  return new Promise((resolve, reject) => {
    const stop = (): void =>
      void raw.off('data', add).off('end', end).off('error', breakOff).off('close', breakOff)
    const add = (chunk: Uint8Array): void => {
      const refusal = buffer.add(chunk)
      if (refusal === undefined) return
      stop()
      reject(refused(refusal))
    }
    const end = (): void => {
      stop()
      const bytes = buffer.bytes()
      if (bytes === undefined) reject(refused('broken_off'))
      else resolve(bytes)
    }
    const breakOff = (): void => {
      stop()
      reject(refused('broken_off'))
    }
    raw.on('data', add).on('end', end).on('error', breakOff).on('close', breakOff)
  })
}

/**
 * The body of a request that is refused already, so that the answer can show it again; `undefined` when it is longer than `maxBytes`, and
 * when too many are held. Also `undefined` when it is not wholly there by the time at which the answer is sent anyhow (see {@link drain}): of a
 * client that waits for `100 Continue` nothing is read.
 */
export async function readRefusedBody(
  reply: FastifyReply,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const { raw } = reply.request
  // Listening asks for the body.
  if (await waitsForContinue(raw)) return undefined
  const buffer = bufferFor(reply, maxBytes, limitsOf(reply.server.server).refusedForms)
  raw.on('data', buffer.add)
  const isWhole = await drain(raw)
  raw.off('data', buffer.add)
  return isWhole ? buffer.bytes() : undefined
}

/** A buffer for a body. Its bytes count in the byte budget until its request is answered. */
export function bufferFor(reply: FastifyReply, maxBytes: number, budget: BodyBudget): BodyBuffer {
  const buffer = createBodyBuffer(maxBytes, budget)
  reply.raw.once('close', buffer.release)
  return buffer
}

const statuses: Readonly<Record<BodyRefusal, number>> = {
  too_large: 413,
  no_room: 503,
  broken_off: 400,
}

/** An error with the status of the answer. */
export function refused(reason: BodyRefusal): Error {
  return Object.assign(new Error(reason), { code: `body_${reason}`, statusCode: statuses[reason] })
}

/** Why a body is not held: it is longer than it may be, or all bodies together are, or its request is over. */
export type BodyRefusal = 'too_large' | 'no_room' | 'broken_off'

/** The bytes of one body, as far as it has arrived. */
export interface BodyBuffer {
  /** Adds what has arrived. After a refusal nothing is held, and whatever else arrives is refused. */
  add(chunk: Uint8Array): BodyRefusal | undefined
  /** All that has arrived; `undefined` after a refusal. */
  bytes(): Uint8Array | undefined
  /**
   * Forgets the bytes, whose text is held now instead, and keeps as many bytes of the budget. Whatever arrives later is refused, as after
   * the release.
   */
  becomeText(): void
  /** Forgets the bytes and gives them back to the budget. Whatever arrives later is refused: its rest would pass for a whole body. */
  release(): void
}

/**
 * Holds a body in one piece of memory, because a chunk of one byte takes hundreds as an object of its own. It grows with what arrives, not
 * with what is announced: a client that only announces a body takes no bytes of the budget from others.
 */
export function createBodyBuffer(maxBytes: number, budget: BodyBudget): BodyBuffer {
  let memory = Buffer.alloc(0)
  let length = 0
  /** The number of bytes that are taken from the byte budget. */
  let counted = 0
  let refusal: BodyRefusal | undefined
  const grow = (needed: number): boolean => {
    const size = Math.min(maxBytes, Math.max(needed, 2 * memory.length))
    if (!budget.resize(counted, size)) return false
    counted = size
    const larger = Buffer.allocUnsafeSlow(size)
    memory.copy(larger, 0, 0, length)
    memory = larger
    return true
  }
  const put = (chunk: Uint8Array): BodyRefusal | undefined => {
    const needed = length + chunk.length
    if (needed > maxBytes) return 'too_large'
    if (needed > memory.length && !grow(needed)) return 'no_room'
    memory.set(chunk, length)
    length = needed
    return undefined
  }
  const shrink = (bytes: number): void => {
    refusal ??= 'broken_off'
    budget.resize(counted, bytes)
    counted = bytes
    memory = Buffer.alloc(0)
    length = 0
  }
  const release = (): void => shrink(0)
  return {
    add(chunk) {
      refusal ??= put(chunk)
      if (refusal !== undefined) release()
      return refusal
    },
    bytes: () => (refusal === undefined ? memory.subarray(0, length) : undefined),
    becomeText: () => shrink(length),
    release,
  }
}
