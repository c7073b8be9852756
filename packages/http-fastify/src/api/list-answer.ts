import { Readable } from 'node:stream'
import { listPageSize, type Page, type Pages } from '@sotto/core'
import { envelopeEnd, envelopeStart } from '@sotto/wire'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { sendProblem } from '../http/answers.ts'
import { logError, sendError } from '../http/errors.ts'
import { problems } from '../http/problems.ts'
import { jsonHeaders } from '../http/security-headers.ts'
import type { ApiError } from '../use-cases.ts'
import { callerOf } from './gate.ts'
import type { ListScheduler } from './list-scheduler.ts'

/** Ends a list whose beginning was already sent. The JSON stays open, and the connection is destroyed. */
class ListCutOff extends Error {}

/**
 * Answers with a list of any length. The first two pages are read before the headers are sent, so that an error in them is a complete
 * answer; a list that ends there is sent at once with its length. Each further page is read when the one before it is on its way. An
 * error then leaves the JSON open and destroys the connection, so that no client mistakes a part for the whole list. Rows that are damaged
 * are left out and logged: one of them must not hide all others.
 *
 * A list beyond its first page waits for a place among the long ones, and is answered with 503 when there is none in time.
 *
 * HEAD gets the same status and headers, and reads no more pages than these need.
 */
export async function sendList<T>(
  reply: FastifyReply,
  pages: Pages<T, ApiError>,
  toWire: (item: T) => unknown,
  scheduler: ListScheduler,
): Promise<FastifyReply> {
  const { accountId } = callerOf(reply.request)
  // At once: most lists end with their first page.
  const first = await pages.next()
  if (!first.done && first.value.isErr()) return sendError(reply, first.value.error)
  const textOf = ({ items, damaged }: Page<T>): string => {
    for (const error of damaged) reply.log.error({ error }, 'a damaged row is left out of a list')
    return items.map((item) => JSON.stringify(toWire(item))).join(',')
  }
  const empty: Page<T> = { items: [], damaged: [] }
  const firstText = first.done ? '' : textOf(first.value.unwrapOr(empty))
  if (!first.done && rowsIn(first.value.unwrapOr(empty)) >= listPageSize) {
    const place = await placeOf(reply, scheduler)
    if (place === undefined) return sendProblem(reply, problems.unavailable)
    await scheduler.turn(accountId)
  }
  const second = first.done ? first : await pages.next()
  if (!second.done && second.value.isErr()) return sendError(reply, second.value.error)

  const texts = [firstText, second.done ? '' : textOf(second.value.unwrapOr(empty))]
  const head = `${envelopeStart}[${joined(texts)}`
  reply.code(200).headers(jsonHeaders)
  if (second.done) return reply.send(`${head}]${envelopeEnd}`)
  if (reply.request.method === 'HEAD') {
    await pages.return()
    return reply.header('transfer-encoding', 'chunked').send()
  }
  return reply.send(
    Readable.from(
      chunks({
        head,
        isEmpty: joined(texts) === '',
        rest: inTurns(pages, () => nextTurn(reply, scheduler)),
        textOf,
        log: reply.log,
      }),
    ),
  )
}

/** Rows that were read for a page, damaged ones included. */
function rowsIn({ items, damaged }: Page<unknown>): number {
  return items.length + damaged.length
}

/** A place for a long list, until its answer is sent or the client is gone. */
async function placeOf(reply: FastifyReply, scheduler: ListScheduler): Promise<true | undefined> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  if (reply.raw.destroyed) gone.abort()
  const free = await scheduler.place(callerOf(reply.request).accountId, gone.signal)
  if (free === undefined) {
    if (!gone.signal.aborted) logError(reply.log, { code: 'lists_busy' }, 503)
    return undefined
  }
  if (gone.signal.aborted) free()
  else gone.signal.addEventListener('abort', free)
  return true
}

/** Waits for the turn of a list. Resolves to false if its client is gone. */
async function nextTurn({ raw, request }: FastifyReply, scheduler: ListScheduler): Promise<boolean> {
  await scheduler.turn(callerOf(request).accountId)
  return !raw.destroyed
}

async function* inTurns<T>(pages: Pages<T, ApiError>, turn: () => Promise<boolean>): Pages<T, ApiError> {
  try {
    while (await turn()) {
      const page = await pages.next()
      if (page.done) return
      yield page.value
    }
  } finally {
    await pages.return()
  }
}

/** The entries of several pages. A page may be empty. */
function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(',')
}

async function* chunks<T>({
  head,
  isEmpty,
  rest,
  textOf,
  log,
}: {
  readonly head: string
  /** Whether there is no entry in `head`. */
  readonly isEmpty: boolean
  readonly rest: Pages<T, ApiError>
  readonly textOf: (page: Page<T>) => string
  readonly log: FastifyBaseLogger
}): AsyncGenerator<string, void, void> {
  yield head
  let isFirst = isEmpty
  for await (const page of rest) {
    if (page.isErr()) {
      logError(log, page.error, 500)
      throw new ListCutOff('a list was cut off')
    }
    const text = textOf(page.value)
    if (text !== '') yield isFirst ? text : `,${text}`
    isFirst &&= text === ''
  }
  yield `]${envelopeEnd}`
}
