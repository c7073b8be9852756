// What the straight lines have in common: the texts and headers of answers, what a body must be, and the lines of the log.
import { createServer, type IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { Row } from './rows.ts'

export const setting = (name: string): string => process.env[`SOTTO_${name}`] ?? ''

export const limits = {
  perMinute: Number(setting('LIMIT_PER_MINUTE')),
  perDay: Number(setting('LIMIT_PER_DAY')),
}
export const [minuteMicros, dayMicros] = [60_000_000, 86_400_000_000]

/** The windows of a caller's quota with the call that is answered. */
export type Windows = readonly [minuteStart: number, minuteCount: number, dayStart: number, dayCount: number]

const json = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

/** The headers of the answers of links. */
const ofLink = {
  ...json,
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept, Accept-Language',
  'x-robots-tag': 'noindex, nofollow, noarchive',
}

function send(reply: FastifyReply, status: number, data: string, headers = json): FastifyReply {
  const text = `{"success":true,"version":"1.0","data":${data}}`
  return reply.code(status).headers(headers).header('x-request-id', reply.request.id).send(text)
}

function refuse(reply: FastifyReply, status: number, message: string, headers = json): FastifyReply {
  const text = JSON.stringify({ success: false, version: '1.0', message })
  return reply.code(status).headers(headers).header('x-request-id', reply.request.id).send(text)
}

/** The bearer token of a request, as it was sent. */
function tokenOf({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  return /^bearer +([a-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1]
}

function showQuota(reply: FastifyReply, [, minute, , day]: Windows): void {
  const remaining = Math.max(0, Math.min(limits.perMinute - minute, limits.perDay - day))
  reply.headers({ 'x-ratelimit-limit': String(limits.perMinute), 'x-ratelimit-remaining': String(remaining) })
}

/** Answers a call for which a window has no room. */
function refuseCall(reply: FastifyReply, [minuteStart, minute, dayStart, day]: Windows, now: number) {
  const minuteEnd = minute >= limits.perMinute ? minuteStart + minuteMicros : 0
  const resetAt = Math.max(minuteEnd, day >= limits.perDay ? dayStart + dayMicros : 0)
  const seconds = Math.max(1, Math.ceil((resetAt - now) / 1e6))
  reply.headers({ 'retry-after': String(seconds), 'x-ratelimit-reset': String(Math.ceil(resetAt / 1e6)) })
  refuse(reply, 429, 'Too many requests. Try again later.')
}

function refuseToken(reply: FastifyReply, token: string | undefined): void {
  const challenge = `Bearer realm="sotto"${token === undefined ? '' : ', error="invalid_token"'}`
  reply.headers({ vary: 'Accept, Accept-Language', 'www-authenticate': challenge })
  const missing = 'An access token is required: Authorization: Bearer <token>.'
  refuse(reply, 401, token === undefined ? missing : 'The access token is not valid.')
}

let day = { nr: NaN, text: '' }
const three = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'))
const two = three.map((digits) => digits.slice(1))

function iso(micros: number): string {
  const nr = Math.floor(micros / dayMicros)
  if (nr !== day.nr) day = { nr, text: new Date(nr * 86_400_000).toISOString().slice(0, 11) }
  const millis = Math.floor((micros - nr * dayMicros) / 1000)
  const seconds = Math.floor(millis / 1000)
  const time = `${two[Math.floor(seconds / 3600)]}:${two[Math.floor(seconds / 60) % 60]}:${two[seconds % 60]}`
  return `${day.text}${time}.${three[millis % 1000]}${three[micros % 1000]}Z`
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
async function readSecret(raw: IncomingMessage, mediaType = ''): Promise<NewSecret> {
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
function log(fields: string): void {
  const line = `{"level":30,"time":"${new Date().toISOString()}",${lineEnd},${fields}}\n`
  if (lines.length + line.length > 4096) writeLines()
  if (lines === '') setImmediate(writeLines)
  lines += line
}

function writeLines(): void {
  if (lines !== '') process.stderr.write(lines)
  lines = ''
}

function logRefused({ id }: FastifyRequest): void {
  log(`"reqId":"${id}","audit":true,"event":"token_refused","msg":"token_refused"`)
}

/** Fastify with the timeouts of the server and a line of the log for each answer. Bodies are left unread. */
function createApp() {
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

/** What the database does for the answers. */
export interface Work {
  readonly callerOf: (
    token: string,
  ) => Awaitable<{ readonly accountId: string; readonly scopes: string } | undefined>
  /** Counts a call. */
  readonly takeQuota: (bucket: string) => Promise<{ readonly isTaken: boolean; readonly windows: Windows }>
  readonly addressBucket: (address: string) => string
  readonly nowMicros: () => number
  readonly get: (accountId: string, id: string) => Awaitable<string | undefined>
  readonly create: (accountId: string, secret: NewSecret) => Promise<string | undefined>
  /** The empty text when nobody listens any more. */
  readonly open: (token: Buffer, isAbandoned: () => boolean) => Promise<string | undefined>
}

type Awaitable<T> = T | Promise<T>

export async function serve({
  callerOf,
  takeQuota,
  addressBucket,
  nowMicros,
  get,
  create,
  open,
}: Work): Promise<void> {
  const app = createApp()

  /** Finds out who calls and counts the call; answers it unless the caller may do this. */
  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    scope: string,
  ): Promise<string | undefined> {
    const token = tokenOf(request)
    const caller = token === undefined ? undefined : await callerOf(token)
    if (caller === undefined && token !== undefined) logRefused(request)
    const bucket = caller === undefined ? addressBucket(request.ip) : `account/${caller.accountId}`
    const { isTaken, windows } = await takeQuota(bucket)
    showQuota(reply, windows)
    if (!isTaken) refuseCall(reply, windows, nowMicros())
    else if (caller === undefined) refuseToken(reply, token)
    else if (caller.scopes.includes(scope)) return caller.accountId
    else refuse(reply, 403, 'The access token lacks the scope that this request needs.')
    return undefined
  }

  app.get('/api/folders', async (request, reply) => {
    const accountId = await admit(request, reply, 'read')
    return accountId === undefined ? reply : refuse(reply, 501, 'Lists are not on the straight line.')
  })
  app.get<{ Params: { id: string } }>('/api/secret/:id', async (request, reply) => {
    const accountId = await admit(request, reply, 'read')
    if (accountId === undefined) return reply
    const found = await get(accountId, request.params.id)
    return found === undefined ? refuse(reply, 404, 'There is no such secret.') : send(reply, 200, found)
  })
  app.post('/api/secret', async (request, reply) => {
    const accountId = await admit(request, reply, 'write')
    if (accountId === undefined) return reply
    const created = await create(accountId, await readSecret(request.raw, request.headers['content-type']))
    if (created === undefined) return refuse(reply, 400, 'Some fields are not valid.')
    return send(reply.header('location', `/api/secret/${created.slice(7, 43)}`), 201, created)
  })
  app.post<{ Params: { token: string } }>('/:token', async ({ raw, params, headers }, reply) => {
    if (Number(headers['content-length'] ?? 0) > 0)
      return refuse(reply, 501, 'Passwords are not on the straight line.', ofLink)
    const token = Buffer.from(params.token, 'base64url')
    const isSound = token.length === 32 && token.toString('base64url') === params.token
    const { socket } = raw
    const opened = await open(
      isSound ? token : Buffer.alloc(32),
      () => socket.destroyed || socket.writableEnded,
    )
    if (opened === '') return reply.hijack()
    if (opened === undefined) return refuse(reply, 404, 'There is no such link.', ofLink)
    return send(reply, 200, opened, ofLink)
  })
  await app.listen({ host: '127.0.0.1', port: Number(setting('PORT')), backlog: 4096 })
  console.log('ready')
}
