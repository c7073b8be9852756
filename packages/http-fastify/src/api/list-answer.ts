import { Readable } from 'node:stream'
import { listPageSize, type Page, type Pages } from '@sotto/core'
import { envelopeEnd, envelopeStart } from '@sotto/wire'
import type { FastifyReply } from 'fastify'
import { sendProblem } from '../http/answers.ts'
import { logCorruption, logError, sendError } from '../http/errors.ts'
import { problems } from '../http/problems.ts'
import { jsonHeaders } from '../http/security-headers.ts'
import type { ApiError } from '../use-cases.ts'
import { callerOf } from './gate.ts'
import { listBody } from './list-body.ts'
import type { ListPlace } from './list-places.ts'
import type { ListScheduler } from './list-scheduler.ts'

export interface List<T> {
  /** Begins to read the list. Called a second time when it had to wait after its first page. */
  readonly read: () => Pages<T, ApiError>
  readonly toWire: (item: T) => unknown
  readonly scheduler: ListScheduler
}

/**
 * Answers with a list of any length. The first two pages are read before the headers are sent, so that an error in them is a complete
 * answer; a list that ends there is sent at once with its length. Each further page is read when the one before it is on its way. An
 * error then leaves the JSON open and destroys the connection, so that no client mistakes a part for the whole list. Rows that are corrupted
 * are left out and logged: one of them must not hide all others.
 *
 * A list beyond its first page waits for a place among the long ones, and is answered with 503 when there is none in time. It keeps
 * nothing of what it has read while it waits.
 *
 * HEAD gets the same status and headers, and reads no more pages than these need.
 */
export async function sendList<T>(reply: FastifyReply, list: List<T>): Promise<FastifyReply> {
  const { accountId } = callerOf(reply.request)
  // Whether it is long is not known yet, and to find out would cost a page for each of a thousand lists.
  if (list.scheduler.isFull(accountId)) return sendBusy(reply)
  await list.scheduler.firstTurn(accountId)
  if (list.scheduler.isFull(accountId)) return sendBusy(reply)
  const begun = list.read()
  const first = await begun.next()
  if (!isLong(first)) return sendShort(reply, [first], list)
  const gone = goneSignal(reply)
  const now = list.scheduler.placeNow(accountId, gone)
  if (now !== undefined) return sendLong(reply, { first, pages: begun, place: now, ...list })

  await begun.return()
  const place = await list.scheduler.place(accountId, gone)
  if (place === undefined) {
    return gone.aborted ? sendProblem(reply, problems.unavailable) : sendBusy(reply)
  }
  await list.scheduler.turn(accountId)
  const pages = list.read()
  return sendLong(reply, { first: await pages.next(), pages, place, ...list })
}

function sendBusy(reply: FastifyReply): Promise<FastifyReply> {
  logError(reply.log, { code: 'lists_busy' }, 503)
  return sendProblem(reply, problems.unavailable)
}

type Next<T> = Awaited<ReturnType<Pages<T, ApiError>['next']>>

/** Whether a list may have more than its first page. Corrupted rows count. */
function isLong(first: Next<unknown>): boolean {
  if (first.done || first.value.isErr()) return false
  const { items, corrupted } = first.value.value
  return items.length + corrupted.length >= listPageSize
}

/** Aborts when the answer is sent or its client is gone. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  if (raw.destroyed) gone.abort()
  return gone.signal
}

/** Sends a list that was read to its end, or the error in it. */
async function sendShort<T>(
  reply: FastifyReply,
  read: readonly Next<T>[],
  { toWire }: List<T>,
): Promise<FastifyReply> {
  const texts: string[] = []
  for (const { done, value } of read) {
    if (done) continue
    if (value.isErr()) return sendError(reply, value.error)
    texts.push(textOf(reply, value.value, toWire))
  }
  return reply
    .code(200)
    .headers(jsonHeaders)
    .send(`${envelopeStart}[${joined(texts)}]${envelopeEnd}`)
}

interface LongList<T> extends List<T> {
  readonly first: Next<T>
  readonly pages: Pages<T, ApiError>
  readonly place: ListPlace
}

async function sendLong<T>(reply: FastifyReply, list: LongList<T>): Promise<FastifyReply> {
  const { first, pages, place, toWire, scheduler } = list
  const { request, raw, log } = reply
  const turn = () => scheduler.turn(callerOf(request).accountId)
  await turn()
  const second = await pages.next()
  if (second.done || second.value.isErr() || first.done || first.value.isErr())
    return sendShort(reply, [first, second], list)

  const show = (page: Page<T>) => textOf(reply, page, toWire)
  const beginning = joined([show(first.value.value), show(second.value.value)])
  reply.code(200).headers(jsonHeaders)
  if (request.method === 'HEAD') {
    await pages.return()
    return reply.header('transfer-encoding', 'chunked').send()
  }
  return reply.send(Readable.from(listBody({ beginning, pages, place, turn, show, raw, log })))
}

function textOf<T>({ log }: FastifyReply, { items, corrupted }: Page<T>, toWire: List<T>['toWire']): string {
  logCorruption(log, corrupted)
  return items.map((item) => JSON.stringify(toWire(item))).join(',')
}

/** The entries of several pages. A page may be empty. */
function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(',')
}
