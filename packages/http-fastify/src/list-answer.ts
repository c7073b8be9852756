import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Slices, SottoError } from '@sotto/core'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { envelopeEnd, envelopeStart, jsonHeaders } from './answers.ts'
import { logFailure, sendFailure } from './failures.ts'

/** The end of a list whose head is on its way already: nothing closes it, and the connection breaks. */
class ListCutOff extends Error {}

/**
 * Answers with a list, however long. It is read in slices: the first ones before the headers, so that a fault is a clean error;
 * a list that ends there goes out in one piece with its length. Of any other, a slice is read when the one before it is on its
 * way; a fault then leaves the JSON open and breaks the connection, so that nobody takes a part for the whole.
 *
 * HEAD gets the same status and headers, and reads no more than they need.
 */
export async function sendList<T>(
  reply: FastifyReply,
  slices: Slices<T, SottoError>,
  toWire: (item: T) => unknown,
): Promise<FastifyReply> {
  const first = await slices.next()
  if (!first.done && first.value.isErr()) return sendFailure(reply, first.value.error)
  const second = first.done ? first : await slices.next()
  if (!second.done && second.value.isErr()) return sendFailure(reply, second.value.error)

  const textOf = (items: readonly T[]): string => items.map((item) => JSON.stringify(toWire(item))).join(',')
  const head = `${envelopeStart}[${first.done ? '' : textOf(first.value.unwrapOr([]))}`
  reply.code(200).headers(jsonHeaders)
  if (second.done) return reply.send(`${head}]${envelopeEnd}`)
  if (reply.request.method === 'HEAD') {
    await slices.return()
    return reply.header('transfer-encoding', 'chunked').send()
  }
  return reply.send(Readable.from(chunks(head, second.value.unwrapOr([]), slices, textOf, reply.log)))
}

async function* chunks<T>(
  head: string,
  second: readonly T[],
  rest: Slices<T, SottoError>,
  textOf: (items: readonly T[]) => string,
  log: FastifyBaseLogger,
): AsyncGenerator<string, void, void> {
  yield head
  if (second.length > 0) yield `,${textOf(second)}`
  for await (const slice of rest) {
    if (slice.isErr()) {
      logFailure(log, slice.error, 500)
      throw new ListCutOff('a list was cut off')
    }
    if (slice.value.length > 0) yield `,${textOf(slice.value)}`
    // A reader that takes everything at once would keep all others waiting.
    await nextTurn()
  }
  yield `]${envelopeEnd}`
}
