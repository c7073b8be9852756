import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pages } from '@sotto/core'
import { envelopeEnd, envelopeStart } from '@sotto/wire'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { jsonHeaders } from '../http/answers.ts'
import { logError, sendError } from '../http/errors.ts'
import type { ApiError } from '../use-cases.ts'

/** Ends a list whose beginning was already sent. The JSON stays open, and the connection is destroyed. */
class ListCutOff extends Error {}

/**
 * Answers with a list of any length. The first two pages are read before the headers are sent, so that an error in them is a complete
 * answer; a list that ends there is sent at once with its length. Each further page is read when the one before it is on its way. An
 * error then leaves the JSON open and destroys the connection, so that no client mistakes a part for the whole list.
 *
 * HEAD gets the same status and headers, and reads no more pages than these need.
 */
export async function sendList<T>(
  reply: FastifyReply,
  pages: Pages<T, ApiError>,
  toWire: (item: T) => unknown,
): Promise<FastifyReply> {
  const first = await pages.next()
  if (!first.done && first.value.isErr()) return sendError(reply, first.value.error)
  const second = first.done ? first : await pages.next()
  if (!second.done && second.value.isErr()) return sendError(reply, second.value.error)

  const textOf = (items: readonly T[]): string => items.map((item) => JSON.stringify(toWire(item))).join(',')
  const head = `${envelopeStart}[${first.done ? '' : textOf(first.value.unwrapOr([]))}`
  reply.code(200).headers(jsonHeaders)
  if (second.done) return reply.send(`${head}]${envelopeEnd}`)
  if (reply.request.method === 'HEAD') {
    await pages.return()
    return reply.header('transfer-encoding', 'chunked').send()
  }
  return reply.send(Readable.from(chunks(head, second.value.unwrapOr([]), pages, textOf, reply.log)))
}

async function* chunks<T>(
  head: string,
  second: readonly T[],
  rest: Pages<T, ApiError>,
  textOf: (items: readonly T[]) => string,
  log: FastifyBaseLogger,
): AsyncGenerator<string, void, void> {
  yield head
  if (second.length > 0) yield `,${textOf(second)}`
  for await (const page of rest) {
    if (page.isErr()) {
      logError(log, page.error, 500)
      throw new ListCutOff('a list was cut off')
    }
    if (page.value.length > 0) yield `,${textOf(page.value)}`
    // A client that takes everything at once must not keep other requests waiting.
    await nextTurn()
  }
  yield `]${envelopeEnd}`
}
