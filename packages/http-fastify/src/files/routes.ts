import { Readable } from 'node:stream'
import type { ReadableFile } from '@sotto/core'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Result } from 'neverthrow'
import { attachment } from '../http/answers/attachment.ts'
import type { After } from '../http/after.ts'
import { boundReader, type BoundedAnswer } from '../http/answers/bound-reader.ts'
import { logError, logOf } from '../http/answers/log.ts'
import { problems } from '../http/answers/problems.ts'
import { limitsOf } from '../http/bodies/server-limits.ts'
import { addressBucket } from '../http/request/addresses.ts'
import { conditionOf, rangeField } from '../http/request/conditions.ts'
import { rangeOf } from '../http/request/range.ts'
import type { FileError, FileUseCases, LinkUseCases } from '../use-cases.ts'
import { troubleAnswer, unreadableAnswer, type LinkAnswer } from '../link/link-answers.ts'
import { linkHeaders } from '../link/link-headers.ts'
import type { LinkKind } from '../link/link-kind.ts'
import type { Sender } from '../link/send-answer.ts'
import { fileErrorAnswer } from './answers.ts'
import { fileProblems } from './problems.ts'

/** The path under which all files of opened links are. */
const filesPrefix = '/f/'

/** The links of files. */
export const fileLinks: LinkKind = {
  prefix: filesPrefix,
  methods: ['GET', 'HEAD'],
  addRoutes: (app, sotto, { sender }) => {
    if (hasFiles(sotto)) addFileRoutes(app, sotto, sender)
  },
}

interface FileRequest {
  Params: { readonly ticket: string; readonly number: string }
}

/** Whether the files of opened links can be fetched with these use-cases. */
function hasFiles(sotto: LinkUseCases): sotto is LinkUseCases & FileUseCases {
  return sotto.readTicket !== undefined
}

/**
 * `/f/{ticket}/{number}`: a file of an opened link, to be saved. GET and HEAD, with ranges, so that a download that broke off can be continued. No
 * open is counted.
 */
function addFileRoutes(app: FastifyInstance, sotto: FileUseCases, { send }: Sender): void {
  // The URL gives access, so Fastify must not log it.
  const route = { method: app.supportedMethods, logLevel: 'silent' } as const
  app.route<FileRequest>({
    ...route,
    url: `${filesPrefix}:ticket/:number`,
    handler: async (request, reply) => {
      const { ticket, number } = request.params
      const log = logOf(app, request)
      const found = await sotto.readTicket({ ticket, number: Number(/^[1-9]\d?$/.exec(number)?.[0] ?? 0) })
      const answer = found.isErr()
        ? failure(log, found.error)
        : await answerFile(request, reply, found.value, log)
      if ('json' in answer) return send(request, reply, answer)
      return reply.code(answer.status).headers(answer.headers).send(answer.content)
    },
  })
  app.route({
    ...route,
    url: `${filesPrefix}*`,
    handler: (request, reply) => send(request, reply, fileErrorAnswer({ code: 'file_not_found' })),
  })
}

/** An answer with a file that is saved, or a part of it; without `content` only the head is sent. */
export interface SentFile extends Omit<FileAnswer, 'content'> {
  readonly content: Readable | undefined
}

/** Answers a request for a file: what it asks for of it, or why it gets nothing. */
export async function answerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ReadableFile,
  log: FastifyBaseLogger,
): Promise<SentFile | LinkAnswer> {
  const answer = fileAnswer(request, file)
  if ('json' in answer) return answer
  const { content: asked, ...rest } = answer
  const content = asked && (await begin(reply, asked, log))
  if (content !== undefined && 'json' in content) return content
  return { ...rest, content }
}

interface FileAnswer {
  readonly status: 200 | 206 | 304
  readonly headers: Readonly<Record<string, string>>
  readonly content?: Content | undefined
}
interface Content extends Pick<ReadableFile, 'secretId'> {
  readonly bytes: number
  read(): ReturnType<ReadableFile['read']>
}

function fileAnswer(
  { method, headers }: FastifyRequest,
  { id, secretId, name, size, read }: ReadableFile,
): FileAnswer | LinkAnswer {
  const etag = `"${id}"`
  const condition = conditionOf(headers, etag)
  if (condition === 'failed') return unreadableAnswer(fileProblems.otherFile)
  if (condition === 'unchanged') return { status: 304, headers: { ...linkHeaders.file, etag } }
  const range = rangeOf(rangeField({ method, headers }, etag), size)
  if (range === 'unsatisfiable') {
    const contentRange = { 'content-range': `bytes */${size}` }
    return unreadableAnswer({ ...fileProblems.noSuchRange, headers: contentRange })
  }
  const { start, end, isPart } = range
  return {
    status: isPart ? 206 : 200,
    headers: {
      ...linkHeaders.file,
      etag,
      'content-disposition': attachment(name),
      'content-length': String(end - start),
      ...(isPart && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
    },
    content:
      method === 'HEAD' ? undefined : { secretId, bytes: end - start, read: () => read({ start, end }) },
  }
}

/** Begins to read a content. An error at its beginning becomes the answer; a later one cuts the connection. */
async function begin(
  reply: FastifyReply,
  { secretId, bytes, read }: Content,
  log: FastifyBaseLogger,
): Promise<Readable | LinkAnswer> {
  const { downloads } = limitsOf(reply.server.server)
  const permitIds = [`secret ${secretId}`, `address ${addressBucket(reply.request.ip)}`]
  // `close` never comes again on a destroyed connection, so a permit that is taken now would stay taken.
  if (reply.raw.destroyed || !downloads.tryAcquire(...permitIds)) return troubleAnswer(problems.busy, 'busy')
  const pieces = read()[Symbol.asyncIterator]()
  reply.raw.once('close', () => {
    downloads.release(...permitIds)
    void pieces.return?.()
  })
  const first = await pieces.next()
  if (first.done !== true && first.value.isErr()) return failure(log, first.value.error)
  boundFile(reply.raw, bytes, () => {
    log.info('a file was cut off, because its reader took too long')
    reply.raw.destroy()
  })
  return Readable.from(bytesOf(first, pieces, log))
}

/** The time for which a ticket is good. */
const hourMillis = 3_600_000

/** The longest time of a timer: Node fires one with a longer time at once. */
const timerMaxMillis = 2 ** 31 - 1

/** The least that a reader of a large file takes in a millisecond: 64 KiB in a second. */
const bytesPerMilli = 65.536

/**
 * Cuts a file off whose reader is too slow in a minute, and any one after an hour. A file of more than 225 MiB has longer: as long as it takes at
 * 64 KiB/s.
 */
export function boundFile(answer: BoundedAnswer, bytes: number, cutOff: () => void, after?: After): void {
  const longestMillis = Math.min(Math.max(hourMillis, bytes / bytesPerMilli), timerMaxMillis)
  boundReader(answer, { cutOff, longestMillis }, after)
}

/** An error destroys the connection, so that the client sees that bytes are missing. */
async function* bytesOf(
  first: IteratorResult<Result<Uint8Array, FileError>>,
  pieces: AsyncIterator<Result<Uint8Array, FileError>>,
  log: FastifyBaseLogger,
): AsyncGenerator<Uint8Array, void, void> {
  for (let next = first; next.done !== true; next = await pieces.next()) {
    if (next.value.isErr()) {
      failure(log, next.value.error)
      throw new Error('a file was cut off')
    }
    yield next.value.value
  }
}

function failure(log: FastifyBaseLogger, error: FileError): LinkAnswer {
  const answer = fileErrorAnswer(error)
  logError(log, error, answer.status)
  return answer
}
