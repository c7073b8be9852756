import { Readable } from 'node:stream'
import { listPageSize, type Page, type Pages, type Uuid } from '@sotto/core'
import { envelopeEnd, envelopeStart } from '@sotto/wire'
import type { FastifyReply } from 'fastify'
import { sendError, sendProblem } from '../../http/answers/answers.ts'
import { logCorruption, logError } from '../../http/answers/log.ts'
import { problems } from '../../http/answers/problems.ts'
import { jsonHeaders } from '../../http/answers/security-headers.ts'
import type { ApiError } from '../../use-cases.ts'
import { listBody } from './list-body.ts'
import { createListSemaphore, type ListPermit, type ListSemaphore } from './list-semaphore.ts'
import { createSharedTurns, createTurns, type ListTurns } from '../../http/turns.ts'

/** The lists of one plugin instance: they take turns, so that they leave time for other requests. */
export interface Lists {
  /**
   * Resolves when a request for a list may be authenticated and counted: immediately, unless {@link admittedPerTurn} have been in this turn
   * of the event loop. When a thousand arrive together, other requests do not wait for all of them. The requests are admitted in their
   * order.
   */
  admit(): Promise<void>
  /** See {@link sendList}. */
  send<T>(reply: FastifyReply, list: List<T>): Promise<FastifyReply>
}

/** The lists that are admitted in a turn of the event loop: authenticating, counting and refusing one takes about 0.2 ms. */
const admittedPerTurn = 4

/** The callers are not known yet, so all requests count as those of one account. */
const anybody = ''

export function createLists(): Lists {
  const turn = createSharedTurns(admittedPerTurn)
  const semaphore = createListSemaphore()
  const scheduler = { ...createTurns((accountId) => semaphore.isBusy(accountId)), ...semaphore }
  return {
    admit: () => turn(anybody, () => true),
    send: (reply, list) => sendList(reply, list, scheduler),
  }
}

export interface List<T> {
  readonly accountId: Uuid
  /** Begins to read the list. Called a second time when it had to wait after its first page. */
  readonly read: () => Pages<T, ApiError>
  readonly toWire: (item: T) => unknown
}

/** Decides when lists read their pages. */
export type ListScheduler = ListTurns & ListSemaphore

/**
 * Answers with a list of any length. The first two pages are read before the headers are sent, so that an error in them is a complete
 * answer; a list that ends there is sent immediately with its length. Each further page is read when the one before it is on its way. An
 * error then leaves the JSON open and destroys the connection, so that no client mistakes a part for the whole list. Rows that are
 * corrupted are left out and logged: one of them must not hide all others.
 *
 * A list beyond its first page waits for a permit among the long ones, and is answered with 503 when there is none in time. It keeps
 * nothing of what it has read while it waits.
 *
 * HEAD gets the same status and headers, and reads no more pages than these need.
 */
export async function sendList<T>(
  reply: FastifyReply,
  list: List<T>,
  scheduler: ListScheduler,
): Promise<FastifyReply> {
  const { accountId } = list
  // Nobody knows yet whether it is long, and finding out would cost a page for each of a thousand lists.
  if (scheduler.isFull(accountId)) return sendBusy(reply)
  await scheduler.firstTurn(accountId)
  if (scheduler.isFull(accountId)) return sendBusy(reply)
  const begun = list.read()
  const first = await begun.next()
  if (!isLong(first)) return sendShort(reply, [first], list)
  const gone = goneSignal(reply)
  const now = scheduler.tryAcquire(accountId, gone)
  if (now !== undefined) return sendLong(reply, { first, pages: begun, permit: now, scheduler, ...list })

  await begun.return()
  const permit = await scheduler.acquire(accountId, gone)
  if (permit === undefined) {
    return gone.aborted ? sendProblem(reply, problems.busy) : sendBusy(reply)
  }
  await scheduler.turn(accountId)
  const pages = list.read()
  return sendLong(reply, { first: await pages.next(), pages, permit, scheduler, ...list })
}

function sendBusy(reply: FastifyReply): Promise<FastifyReply> {
  logError(reply.log, { code: 'lists_busy' }, 503)
  return sendProblem(reply, problems.busy)
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
  readonly scheduler: ListScheduler
  readonly first: Next<T>
  readonly pages: Pages<T, ApiError>
  readonly permit: ListPermit
}

async function sendLong<T>(reply: FastifyReply, list: LongList<T>): Promise<FastifyReply> {
  const { accountId, first, pages, permit, toWire, scheduler } = list
  const { request, raw, log } = reply
  const turn = () => scheduler.turn(accountId)
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
  return reply.send(Readable.from(listBody({ beginning, pages, permit, turn, show, raw, log })))
}

function textOf<T>({ log }: FastifyReply, { items, corrupted }: Page<T>, toWire: List<T>['toWire']): string {
  logCorruption(log, corrupted)
  return items.map((item) => JSON.stringify(toWire(item))).join(',')
}

/** The entries of several pages. A page may be empty. */
function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(',')
}
