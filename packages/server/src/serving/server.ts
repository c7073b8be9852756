import type { PortSetting, ServerError } from '../errors/errors.ts'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { apiLoginPage, dashboardRoutes } from '@sotto/dashboard-fastify'
import {
  apiRoutes,
  linkRoutes,
  logUnknownHosts,
  serviceRoutes,
  sottoServerOptions,
  watchAnswers,
  type GivenAnswer,
  type SottoServerOptions,
} from '@sotto/http-fastify'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Installation } from '../installation/installation.ts'
import { warnOfSharedAddresses, warnWithoutProxy } from './proxy-warnings.ts'
import { createReadiness } from '../shared/readiness.ts'
import { createRequestLines } from './request-lines.ts'
import { trackSockets, type Sockets } from './sockets.ts'

/** What `startServer` takes. */
export interface ServerOptions {
  /** What is served, from `openInstallation`. */
  readonly installation: Pick<Installation, 'settings' | 'sotto' | 'storage' | 'ports'>
  /** Receives the lines of the log, one or several with each call of `write`. */
  readonly logStream: { write(lines: string): void }
  /** Called for every answer, once it is sent and logged. */
  readonly onAnswer?: ((answer: GivenAnswer) => void) | undefined
  /** How long running requests may take to finish once the server is stopped, in milliseconds; 10,000 by default. */
  readonly stopMillis?: number
  /** Other bounds for clients than the usual ones of `sottoServerOptions`. */
  readonly clients?: Pick<SottoServerOptions, 'timeouts' | 'maxConnections'>
}

/** A server that listens. */
export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly address: string
  readonly log: FastifyBaseLogger
  /** Stops accepting, waits for running requests up to `stopMillis`, then closes the remaining connections. */
  stop(): Promise<void>
}

/** Creates the HTTP server and listens. */
export function startServer(options: ServerOptions): ResultAsync<RunningServer, ServerError> {
  return new ResultAsync(start(options))
}

async function start(options: ServerOptions): Promise<Result<RunningServer, ServerError>> {
  const { host, port } = options.installation.settings
  const app = await createApp(options)
  const sockets = trackSockets(app.server)
  const listening = await ResultAsync.fromPromise(app.listen({ host, port, backlog }), (error) =>
    notListening(error),
  )
  if (listening.isErr()) {
    await app.close()
    return err(listening.error)
  }
  warnWithoutProxy(app.log, options.installation.settings)
  return ok({ address: addressOf(app), log: app.log, stop: () => stop(app, sockets, options.stopMillis) })
}

/**
 * How many connections the system accepts for the process while it is busy; Linux allows 4,096 unless `net.core.somaxconn` is set. Beyond
 * that a client has to connect again, which it does after a second at the earliest.
 */
const backlog = 4_096

async function createApp({
  installation,
  logStream,
  clients,
  onAnswer,
}: ServerOptions): Promise<FastifyInstance> {
  const { settings, sotto, storage, ports } = installation
  const { baseUrl, linkBaseUrl, trustProxy, logLevel, logAddresses, branding } = settings
  const log = { level: logLevel, stream: createRequestLines(logStream) }
  const answered = (answer: GivenAnswer): void => {
    logAnswer(app.log, answer)
    onAnswer?.(answer)
  }
  const app: FastifyInstance = Fastify(
    sottoServerOptions({ ...clients, sotto, baseUrl, trustProxy, log, onAnswer: answered }),
  )
  watchAnswers(app, answered)
  warnOfSharedAddresses(app, settings)
  logUnknownHosts(app, { baseUrl, linkBaseUrl, clock: ports.clock })
  const { policy } = sotto
  const { textCipher, clock } = ports
  const { label, issuer } = settings.singleSignOn ?? {}
  const singleSignOn = label && issuer ? { label, issuer, textCipher, clock, policy } : undefined
  const loginPage = apiLoginPage({ branding, singleSignOn })
  await app.register(apiRoutes, { prefix: '/api', sotto, baseUrl, linkBaseUrl, loginPage, logAddresses })
  await app.register(linkRoutes, { sotto, baseUrl, linkBaseUrl, branding, logAddresses })
  const ready = createReadiness({
    upkeep: { canWrite: () => storage.upkeep.canWrite().andThen(() => sotto.checkActiveKey()) },
    clock: ports.clock,
  })
  const channels = { canMail: ports.mailSender !== undefined, canPost: ports.webhookSender !== undefined }
  const look = { branding, singleSignOn, sealing: settings.sealing }
  await app.register(dashboardRoutes, { sotto, baseUrl, linkBaseUrl, logAddresses, ...look, ...channels })
  await app.register(serviceRoutes, { sotto, baseUrl, linkBaseUrl, branding, ready, hasStartPage: false })
  return app
}

/** The one line of a request: never its path, which may hold a token, nor its query. */
function logAnswer(
  log: FastifyBaseLogger,
  { requestId: reqId, method, route, status, millis }: GivenAnswer,
): void {
  log.info({ reqId, method, route, status, millis: Math.round(millis * 10) / 10 }, 'request')
}

async function stop(app: FastifyInstance, sockets: Sockets, stopMillis = 10_000): Promise<void> {
  const cut = setTimeout(() => {
    app.log.warn('requests that took too long were cut off')
    sockets.destroyAll()
  }, stopMillis)
  // Node closes the connections that are idle when closing begins; those that become idle later would stay open (keep-alive).
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close()
  clearInterval(closeIdle)
  clearTimeout(cut)
  // The last lines of the log are written then.
  await nextTurn()
}

export function notListening(error: unknown, setting: PortSetting = 'SOTTO_PORT'): ServerError {
  const { code = 'unknown error', port } = error as { readonly code?: string; readonly port?: number }
  return { code: 'not_listening', reason: code, port, setting }
}

function addressOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
