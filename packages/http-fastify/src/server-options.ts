import type { Server } from 'node:http'
import { LogController, type FastifyHttpOptions } from 'fastify'
import { createClientErrorHandler, createTunnelHandler } from './client-errors.ts'
import { createFrameworkErrorHandler } from './framework-errors.ts'
import { createServerFactory, type ServerTimeouts } from './http-server.ts'
import { logSerializers } from './log.ts'
import type { QuotaPorts } from './quota-headers.ts'
import { headersMaxBytes, routableUrl } from './request-target.ts'
import { trustedProxies } from './trusted-proxies.ts'

export interface SottoServerOptions {
  /** The quota that answers show which are given before any route is known. */
  readonly ports: QuotaPorts
  /** Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed. None by default. */
  readonly trustProxy?: readonly string[]
  /** Where and from which level on to log; nowhere by default. Nothing that was confided gets into a line. */
  readonly log?: { readonly level: string; readonly stream: { write(line: string): void } }
  readonly timeouts?: Partial<ServerTimeouts>
}

/**
 * The options of a Fastify instance on which every answer is the API's own, those included that Fastify and Node's HTTP parser
 * would give before any route is known:
 *
 *     const app = Fastify(sottoServerOptions({ ports }))
 *     await app.register(apiRoutes, { prefix: '/api', ports, baseUrl, linkBaseUrl })
 *
 * @throws TypeError when `trustProxy` has anything but addresses and ranges
 */
export function sottoServerOptions(options: SottoServerOptions): FastifyHttpOptions<Server> {
  const { ports, log } = options
  return {
    logger: log ? { ...log, serializers: logSerializers } : false,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: createServerFactory({
      timeouts: options.timeouts,
      refuseTunnel: createTunnelHandler(ports),
    }),
    clientErrorHandler: createClientErrorHandler(ports),
    frameworkErrors: createFrameworkErrorHandler(ports),
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    // No parameter is too long for the router: an overlong id is an unknown one.
    routerOptions: { maxParamLength: headersMaxBytes },
    // Closing is answered in the API's own words.
    return503OnClosing: false,
    trustProxy: trustedProxies(options.trustProxy ?? []),
  }
}
