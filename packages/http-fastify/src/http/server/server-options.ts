import type { Server } from 'node:http'
import { LogController, type FastifyHttpOptions, type FastifyReply, type FastifyRequest } from 'fastify'
import type { QuotaUseCases } from '../../use-cases.ts'
import { describeThrown } from '../answers/log.ts'
import { httpsHeaders } from '../answers/security-headers.ts'
import type { GivenAnswer } from '../plugins/watch.ts'
import { trustedProxies } from '../request/addresses.ts'
import { headersMaxBytes, routableUrl } from '../request/target.ts'
import {
  createClientErrorHandler,
  createFrameworkErrorHandler,
  createTunnelHandler,
} from './client-errors.ts'
import { createServerFactory, type ServerTimeouts } from './http-server.ts'
import { requestIdOf } from './request-id.ts'

/** What `sottoServerOptions` takes. */
export interface SottoServerOptions {
  /** The use-cases of the quota on answers that are given before any route is known. */
  readonly sotto: QuotaUseCases
  /**
   * The origin of the API. If it is https, these answers say so (RFC 6797), as those of the routes do. Without it they do not.
   */
  readonly baseUrl?: string
  /** Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed, see `isTrustedProxy`. None by default. */
  readonly trustProxy?: readonly string[]
  /** The `stream` to `write` lines to, and from which `level` on; nowhere by default. No line contains anything confidential. */
  readonly log?: { readonly level: string; readonly stream: { write(line: string): void } }
  /** How long clients may take; {@link ServerTimeouts} has what is usual. */
  readonly timeouts?: Partial<ServerTimeouts>
  /** Called for every answer that is given before any route is known, once it is sent; for the others see `watchAnswers`. */
  readonly onAnswer?: ((answer: GivenAnswer) => void) | undefined
  /** How many connections may be open at the same time; 10,000 by default. A further one is closed immediately, without an answer. */
  readonly maxConnections?: number
}

/**
 * The options of a Fastify instance (HTTP/1.1) on which every answer is one of the API's. Without these options Fastify and Node's HTTP
 * parser give some answers in their own words, before any route is known:
 *
 *     const app = Fastify(sottoServerOptions({ sotto, baseUrl }))
 *     await app.register(apiRoutes, { prefix: '/api', sotto, baseUrl, linkBaseUrl })
 *
 * Every answer carries the id of its request as `x-request-id`; the log names it as `reqId`.
 *
 * `Fastify(…)` throws a TypeError when `http2` is added to them.
 *
 * @throws TypeError when `trustProxy` contains anything but addresses and narrow ranges, or `baseUrl` is not a bare http(s) origin
 */
export function sottoServerOptions(options: SottoServerOptions): FastifyHttpOptions<Server> {
  const { sotto, baseUrl, log, onAnswer } = options
  const answers = { sotto, onAnswer, httpsHeaders: baseUrl === undefined ? {} : httpsHeaders(baseUrl) }
  return {
    logger: log ? { ...log, serializers: logSerializers, timestamp: isoTime } : false,
    genReqId: requestIdOf,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: createServerFactory({
      timeouts: options.timeouts,
      maxConnections: options.maxConnections,
      refuseTunnel: createTunnelHandler(answers),
    }),
    clientErrorHandler: createClientErrorHandler(answers),
    frameworkErrors: createFrameworkErrorHandler(answers),
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    // No parameter is too long for the router: an overlong id is an unknown id.
    routerOptions: { maxParamLength: headersMaxBytes },
    // The plugins answer with 503 themselves.
    return503OnClosing: false,
    trustProxy: trustedProxies(options.trustProxy ?? []),
  }
}

/**
 * What log lines may contain of a request, a reply and an error. A link token is part of a URL, an access token part of a header, and
 * errors quote what they complain about; so no URL, header, body or message is logged.
 */
const logSerializers = {
  req: (request: FastifyRequest) => ({ method: request.method, route: request.routeOptions.url }),
  res: (reply: Partial<FastifyReply>) => ({ statusCode: reply.statusCode ?? 0 }),
  err: describeThrown,
}

let lastMillis = 0
let lastTime = ''

/** The time of a log line. Lines of one millisecond share its text. */
function isoTime(): string {
  const millis = Date.now()
  if (millis !== lastMillis) {
    lastMillis = millis
    lastTime = `,"time":"${new Date(millis).toISOString()}"`
  }
  return lastTime
}
