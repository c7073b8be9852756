import type { Ports } from '@sotto/core'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from './answers.ts'
import { sendThrown } from './failures.ts'
import { callerDecorator, createGate } from './gate.ts'
import { bareOrigin, createSiteOf, type Origins } from './hosts.ts'
import { bodyMaxBytes } from './limits.ts'
import { quotaOfAddress, showQuota, shownQuota, spentQuota } from './quota-headers.ts'
import { refusals } from './refusals.ts'
import { createRouteTable } from './route-table.ts'
import { folderRoutes } from './routes/folders.ts'
import { secretRoutes } from './routes/secrets.ts'

/** What the API needs of the world. */
export type ApiPorts = Pick<
  Ports,
  | 'accessTokens'
  | 'folders'
  | 'secrets'
  | 'quota'
  | 'textCipher'
  | 'secretCipher'
  | 'keyRing'
  | 'digests'
  | 'clock'
  | 'random'
  | 'limits'
>

export interface ApiRoutesOptions extends Origins {
  readonly ports: ApiPorts
}

/**
 * The JSON API, to be registered with a prefix: `app.register(apiRoutes, { prefix: '/api', ports, baseUrl, linkBaseUrl })`.
 *
 * Everything about it stays within the prefix: hooks, body parser, validation, error and not-found handlers. What Fastify or Node
 * answer before any route is known is the server's, see `sottoServerOptions`.
 *
 * @throws TypeError without a prefix, or when an origin is not bare
 */
// Async, because Fastify reports what an async plugin throws; from any other it escapes.
// eslint-disable-next-line @typescript-eslint/require-await
export const apiRoutes: FastifyPluginAsync<ApiRoutesOptions> = async (app, options) => {
  if (app.prefix === '') throw new TypeError('register apiRoutes with a prefix such as /api')
  const { ports } = options
  const linkBaseUrl = bareOrigin(options.linkBaseUrl).origin
  const table = createRouteTable()
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })

  app.decorateRequest(...callerDecorator)
  app.addHook(
    'onRequest',
    createGate({
      ports,
      siteOf: createSiteOf(options),
      isClosing: () => closing,
      routeRefusal: table.refusalOf,
    }),
  )
  app.setErrorHandler(async (error, request, reply) => {
    // Thrown before the gate was through, by a hook of the embedding application or by a defect.
    if (shownQuota(reply.raw) === undefined) {
      const { remoteAddress } = request.socket
      showQuota(reply, await quotaOfAddress(ports, remoteAddress).catch(() => spentQuota(ports)))
    }
    return sendThrown(error, request, reply)
  })
  readBodiesAsBytes(app, bodyMaxBytes(ports.limits))
  claimWholePrefix(app)

  app.addHook('onRoute', table.add)
  folderRoutes(app, { ports })
  secretRoutes(app, { ports, linkBaseUrl })
}

/** Routes read bodies themselves: the gate has judged the media type, and Fastify's parsers are too lenient. */
function readBodiesAsBytes(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
}

/** Takes every request below the prefix, so that no wildcard of the embedding application answers in the API's place. */
function claimWholePrefix(app: FastifyInstance): void {
  const handler = (_request: FastifyRequest, reply: FastifyReply) => sendRefusal(reply, refusals.unknownPath)
  app.all('', handler)
  app.all('/*', handler)
  // Methods that Fastify has no routes for.
  app.setNotFoundHandler(handler)
}
