import type { FastifyInstance } from 'fastify'
import type { Clock } from '@sotto/core'
import { bareOrigin } from '../request/bare-origin.ts'
import { createSiteOf, type Origins, type Site } from '../request/target.ts'

/** An answer that was given, for a log and for metrics. Of what the client sent it has the method alone. */
export interface GivenAnswer {
  /** The id that the answer carries as `x-request-id`. */
  readonly requestId: string
  /** One of the methods that Node.js knows; `undefined` when the parser has rejected the request. */
  readonly method: string | undefined
  /** The pattern of the route, such as `/:token`; `undefined` when no route was found. */
  readonly route: string | undefined
  /** `undefined` when the connection broke before the answer began. */
  readonly status: number | undefined
  /** The time from receiving the request until the answer was sent. */
  readonly millis: number
}

/**
 * Calls `onAnswer` for every answer of the application once it is sent. Call it before the plugins are registered: it watches the routes
 * that come after it. The answers that are given before any route is known have an option of their own: `onAnswer` of
 * {@link sottoServerOptions}.
 */
export function watchAnswers(app: FastifyInstance, onAnswer: (answer: GivenAnswer) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    onAnswer({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.raw.headersSent ? reply.raw.statusCode : undefined,
      millis: reply.elapsedTime,
    })
    done()
  })
}

/** What `logUnknownHosts` takes. */
export interface UnknownHostOptions extends Origins {
  /** Says when an hour is over, after which the next warning may follow. */
  readonly clock: Clock
}

const hourMicros = 3_600_000_000

const messages: Partial<Record<Site, string>> = {
  unknown:
    'a request names a host that is none of this service: a reverse proxy has to pass the Host of its client',
  malformed:
    'a request has no Host, several, or one that is not valid: a reverse proxy has to pass the Host of its client',
}

/**
 * Logs a warning, with the expected hosts and never with what was sent, when a request is refused for its host. Each of the two reasons, an
 * unknown host and a malformed one, is logged at most once an hour, because anybody can send such requests. Call it before the plugins
 * are registered: it watches the routes that come after it.
 * @throws TypeError when an origin is not a bare http(s) origin
 */
export function logUnknownHosts(app: FastifyInstance, options: UnknownHostOptions): void {
  const siteOf = createSiteOf(options)
  const origins = [bareOrigin(options.baseUrl), bareOrigin(options.linkBaseUrl)]
  const expectedHosts = [...new Set(origins.map(({ host }) => host))]
  const loggedAtMicros = new Map<Site, number>()
  app.addHook('onResponse', (request, reply, done) => {
    // Only these can be a refusal for the host, so most requests cost nothing.
    if (reply.statusCode === 404 || reply.statusCode === 400) warn(siteOf(request.raw))
    done()
  })

  function warn(site: Site): void {
    const message = messages[site]
    if (message === undefined) return
    const nowMicros = options.clock.nowMicros()
    const lastMicros = loggedAtMicros.get(site)
    // A clock that was set back must not end the warnings.
    if (lastMicros !== undefined && Math.abs(nowMicros - lastMicros) < hourMicros) return
    loggedAtMicros.set(site, nowMicros)
    app.log.warn({ expectedHosts }, message)
  }
}
