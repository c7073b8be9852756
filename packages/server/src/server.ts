import { createServer as createNetServer, type AddressInfo } from 'node:net'
import { apiRoutes, linkRoutes, serviceRoutes, sottoServerOptions } from '@sotto/http-fastify'
import type { Clock } from '@sotto/core'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Installation } from './installation.ts'

/** The server cannot listen. `reason` is the system's code, such as EADDRINUSE. */
export interface ServerFault {
  readonly code: 'not_listening'
  readonly reason: string
}

export interface ServerOptions {
  readonly installation: Pick<Installation, 'settings' | 'ports' | 'upkeep'>
  /** Gets the lines of the log. */
  readonly logStream: { write(line: string): void }
  /** How long requests under way may take to finish once the server is told to stop, in milliseconds; 10,000 by default. */
  readonly stopMillis?: number
}

export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly address: string
  readonly log: FastifyBaseLogger
  /** Stops accepting, lets requests under way finish for a while, then cuts what is left. */
  stop(): Promise<void>
}

/** Makes the HTTP server and listens. */
export async function startServer(options: ServerOptions): Promise<Result<RunningServer, ServerFault>> {
  const { host, port } = options.installation.settings
  const app = await createApp(options)
  const listening = await ResultAsync.fromPromise(app.listen({ host, port }), notListening)
  if (listening.isErr()) {
    await app.close()
    return err(listening.error)
  }
  return ok({ address: addressOf(app), log: app.log, stop: () => stop(app, options.stopMillis) })
}

async function createApp({ installation, logStream }: ServerOptions): Promise<FastifyInstance> {
  const { settings, ports, upkeep } = installation
  const { baseUrl, linkBaseUrl, trustProxy, logLevel, limits } = settings
  const app = Fastify(sottoServerOptions({ ports, trustProxy, log: { level: logLevel, stream: logStream } }))
  await app.register(apiRoutes, { prefix: '/api', ports, baseUrl, linkBaseUrl })
  const ready = sharedForASecond(() => upkeep.canWrite(), ports.clock)
  await app.register(linkRoutes, { ports, baseUrl, linkBaseUrl })
  await app.register(serviceRoutes, { baseUrl, linkBaseUrl, limits, ready })
  return app
}

/** Asks at most once a second: the question costs an fsync, and anybody may pose it. */
function sharedForASecond<T>(ask: () => T, clock: Clock): () => T {
  let asked: { readonly answer: T; readonly atMicros: number } | undefined
  return () => {
    const nowMicros = clock.nowMicros()
    if (asked === undefined || Math.abs(nowMicros - asked.atMicros) >= 1_000_000) {
      asked = { answer: ask(), atMicros: nowMicros }
    }
    return asked.answer
  }
}

async function stop(app: FastifyInstance, stopMillis = 10_000): Promise<void> {
  const cut = setTimeout(() => {
    app.log.warn('requests that took too long were cut off')
    app.server.closeAllConnections()
  }, stopMillis)
  // Node lets go of the connections that are idle when closing begins; those whose request ends later would be kept alive.
  const letGo = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close()
  clearInterval(letGo)
  clearTimeout(cut)
}

/**
 * A port that was free a moment ago, for those who do not care which. The addresses of links have to be known before the server
 * listens, so it cannot choose by itself.
 */
export function findFreePort(host: string): Promise<Result<number, ServerFault>> {
  const probe = createNetServer()
  const found = new Promise<number>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen({ host, port: 0 }, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
  return Promise.resolve(ResultAsync.fromPromise(found, notListening))
}

function notListening(error: unknown): ServerFault {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return { code: 'not_listening', reason }
}

function addressOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
