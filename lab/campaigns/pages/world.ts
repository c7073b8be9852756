import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Agent, createServer, request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startServer, type Installation } from '@sotto/server'
import { findFreePort } from '@sotto/system'
import { createManualClock, expectOk, type ManualClock } from '@sotto/test-kit'
import { cheapCrypto } from '../support/cheap-crypto.ts'
import { databaseOf, makePlace, openPlace } from '../support/place.ts'
import { lookInto, type Stored } from './stored.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Buffer | undefined
}

/** A server on an installation of its own, and what looks into it from outside. */
export interface World {
  readonly sotto: Installation['sotto']
  readonly origin: string
  /** A webhook's receiver that takes everything. */
  readonly receiver: string
  readonly clock: ManualClock
  readonly stored: Stored
  /** What a file of this size counts. */
  countOf(size: number): number
  /** The names of the contents that are stored. */
  contents(): readonly string[]
  readonly log: string[]
  send(request: Request): Promise<Answer>
  close(): Promise<void>
}

/** The limit of one file, and of all files of an account. */
export const fileMaxBytes = 100_000
export const accountMaxBytes = 400_000

/** Where the time begins. */
const startMicros = Date.UTC(2026, 5, 1) * 1_000

export async function startWorld(): Promise<World> {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const receiver = createServer((asked, answer) => void asked.resume().once('end', () => answer.end()))
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const place = makePlace(undefined, {
    SOTTO_PORT: String(port),
    SOTTO_BASE_URL: origin,
    SOTTO_LINK_BASE_URL: `http://localhost:${port}`,
    SOTTO_TRUST_PROXY: '127.0.0.1',
    SOTTO_LOG_LEVEL: 'info',
    SOTTO_WEBHOOK_ALLOW: '127.0.0.0/8',
    SOTTO_FILE_MAX_BYTES: String(fileMaxBytes),
    SOTTO_FILES_MAX_BYTES: String(accountMaxBytes),
    // Nobody listens there: a test mail fails immediately.
    SOTTO_SMTP_URL: 'smtp://127.0.0.1:1',
    SOTTO_MAIL_FROM: 'sotto@example.org',
  })
  const clock = createManualClock(startMicros)
  const installation = await openPlace(place, { clock, createCrypto: cheapCrypto })
  const log: string[] = []
  const logStream = { write: (line: string) => void log.push(line) }
  const server = expectOk(await startServer({ installation, logStream, stopMillis: 200 }))
  const agent = new Agent({ keepAlive: true })
  const stored = lookInto(databaseOf(place))
  const contents = join(place.settings.dataDir, 'files')
  return {
    sotto: installation.sotto,
    origin,
    receiver: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    clock,
    stored,
    countOf: (size) => installation.ports.fileCipher.storedLength(size),
    contents: () => readdirSync(contents, { recursive: true }).map(String),
    log,
    send: (sent) => send(agent, port, sent),
    async close() {
      agent.destroy()
      stored.close()
      receiver.closeAllConnections()
      receiver.close()
      await server.stop()
      await installation.close()
      place.remove()
    },
  }
}

function send(agent: Agent, port: number, { method, path, headers, body }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const host = `127.0.0.1:${port}`
    const all = { host, accept: 'text/html', ...headers, ...length }
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers: all })
    sent.once('error', reject).once('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part)).once('error', reject)
      response.once('end', () => {
        const { statusCode: status = 0, headers: answered } = response
        const bytes = Buffer.concat(parts)
        resolve({ status, headers: answered, body: bytes.toString(), bytes })
      })
    })
    sent.end(body)
  })
}
