// What the straight lines have in common: the texts and headers of answers, what a body must be, and the lines of the log.
import { createServer, type IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import Fastify, { type FastifyReply } from 'fastify'
import type { Row } from './rows.ts'

export const setting = (name: string): string => process.env[`SOTTO_${name}`] ?? ''

const json = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

/** The headers of the answers of links. */
export const ofLink = {
  ...json,
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept, Accept-Language',
  'x-robots-tag': 'noindex, nofollow, noarchive',
}

export function send(reply: FastifyReply, status: number, data: string, headers = json): FastifyReply {
  const text = `{"success":true,"version":"1.0","data":${data}}`
  return reply.code(status).headers(headers).header('x-request-id', reply.request.id).send(text)
}

export function refuse(reply: FastifyReply, status: number, message: string, headers = json): FastifyReply {
  const text = JSON.stringify({ success: false, version: '1.0', message })
  return reply.code(status).headers(headers).header('x-request-id', reply.request.id).send(text)
}

function iso(micros: number): string {
  const millis = Math.floor(micros / 1000)
  return `${new Date(millis).toISOString().slice(0, 23)}${String(micros - millis * 1000).padStart(3, '0')}Z`
}

const linkBase = `http://localhost:${setting('PORT')}`

export function secretText(row: Row, label: string, token: string): string {
  const createdAt = iso(row.createdAt)
  const linkCreatedAt = row.linkCreatedAt === row.createdAt ? createdAt : iso(row.linkCreatedAt)
  return JSON.stringify({
    id: row.id,
    label,
    expires_at: iso(row.expiresAt),
    folder_id: row.folderId,
    created_at: createdAt,
    link: { url: `${linkBase}/${token}`, created_at: linkCreatedAt },
  })
}

export function openedText(row: Row, label: string, note: string, left: number | null): string {
  return JSON.stringify({ label, note, opens_left: left, expires_at: iso(row.expiresAt) })
}

export interface NewSecret {
  readonly label: string
  readonly note: string
  readonly folder_id: string
  readonly open_limit?: number
}

const noteMaxBytes = 65_536
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a new secret. Throws for a body that is none, has unknown fields or a duplicate key: a string before a colon is a key. */
export async function readSecret(raw: IncomingMessage, mediaType = ''): Promise<NewSecret> {
  if (!/^application\/json *(?:; *charset=utf-8)?$/i.test(mediaType)) throw refusal(415)
  const text = utf8.decode(await readBody(raw))
  const body = JSON.parse(text) as Partial<Record<keyof NewSecret | 'notify', unknown>>
  const { label, note, folder_id, open_limit = 0, notify = false, ...others } = body
  const keys = text.match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? []
  const isSound =
    keys.length === Object.keys(body).length &&
    Object.keys(others).length === 0 &&
    notify === false &&
    (isText(label, /[\p{Surrogate}\p{Cc}]/u) && (label.length <= 255 || Array.from(label).length <= 255)) && // prettier-ignore
    (isText(note, /[\p{Surrogate}\0]/u) && (note.length * 3 <= noteMaxBytes || Buffer.byteLength(note) <= noteMaxBytes)) && // prettier-ignore
    typeof folder_id === 'string' &&
    /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(folder_id) &&
    (Number.isInteger(open_limit) && Number(open_limit) >= 0 && Number(open_limit) <= 1e6) // prettier-ignore
  if (!isSound) throw refusal(400)
  return body as NewSecret
}

function isText(value: unknown, refused: RegExp): value is string {
  return typeof value === 'string' && value !== '' && !refused.test(value)
}

async function readBody(raw: IncomingMessage): Promise<Buffer> {
  // A short body has arrived with its head, most often.
  if (raw.complete) return (raw.read() as Buffer | null) ?? Buffer.alloc(0)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    if ((length += chunk.length) > 6 * noteMaxBytes + 16_384) throw refusal(413)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function refusal(statusCode: number): Error {
  return Object.assign(new Error(), { statusCode })
}

let lines = ''
const lineEnd = `"pid":${process.pid},"hostname":"${hostname()}"`

/** Writes the lines of a turn of the event loop together, at most as much as a pipe takes at once. */
export function log(fields: string): void {
  const line = `{"level":30,"time":"${new Date().toISOString()}",${lineEnd},${fields}}\n`
  if (lines.length + line.length > 4096) writeLines()
  if (lines === '') setImmediate(writeLines)
  lines += line
}

function writeLines(): void {
  if (lines !== '') process.stderr.write(lines)
  lines = ''
}

/** Fastify with the timeouts of the server and a line of the log for each answer. Bodies are left unread. */
export function createApp() {
  const app = Fastify({
    genReqId: () => crypto.randomUUID(),
    serverFactory: (handler) => {
      const timeouts = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 500 }
      return createServer({ ...timeouts, keepAliveTimeout: 72_000 }, handler).setTimeout(120_000)
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.addHook(
    'onResponse',
    ({ id, method, routeOptions: { url = '' } }, { statusCode, elapsedTime }, done) => {
      const millis = Math.round(elapsedTime * 10) / 10
      log(`"reqId":"${id}","method":"${method}","route":"${url}","status":${statusCode},"millis":${millis},"msg":"request"`) // prettier-ignore
      done()
    },
  )
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
    const { statusCode = error instanceof SyntaxError || error instanceof TypeError ? 400 : 503 } = error
    return refuse(reply, statusCode, 'The request cannot be served.')
  })
  process.on('SIGTERM', () => process.exit(0))
  return app
}
