import type { Sotto } from '@sotto/core'
import { toWireService } from '@sotto/wire'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { ResultAsync } from 'neverthrow'
import { brandOf, type Branding } from '@sotto/html'
import { sendData, sendProblem, sendThrown } from './http/answers/answers.ts'
import { problems } from './http/answers/problems.ts'
import { jsonHeaders, requireHttps } from './http/answers/security-headers.ts'
import { createEarlyProblem, trackClosing } from './http/plugins/early-problem.ts'
import { checkRegistration } from './http/plugins/registration.ts'
import { createRouteTable } from './http/plugins/route-table.ts'
import { preferredType } from './http/request/preferences.ts'
import { baseHostOnly, pathOf, type Origins } from './http/request/target.ts'
import { createSender } from './link/send-answer.ts'
import { docsPage } from './service/docs/page.ts'
import { openApiDocument } from './service/openapi/document.ts'
import { startPage } from './service/start-page.ts'

/** What `serviceRoutes` takes. */
export interface ServiceRoutesOptions extends Origins {
  /** The use-cases whose policy has the bounds that the documentation shows. */
  readonly sotto: Pick<Sotto, 'policy'>
  /** Whether the service can write now. The error is logged and not shown. */
  readonly ready: () => ResultAsync<unknown, { readonly code: string }>
  /** The prefix under which `apiRoutes` is registered; `/api` by default. */
  readonly apiPrefix?: string | undefined
  /** How the service shows itself on its pages; as Sotto by default. */
  readonly branding?: Branding | undefined
  /** Whether `/` says what this service is. True by default; false where the application, or `dashboardRoutes`, has that path. */
  readonly hasStartPage?: boolean | undefined
}

/** The paths that are on every host: monitoring may not know the names of the server. */
const onEveryHost = new Set(['/healthz', '/readyz'])

/**
 * What a server has besides the API and the pages: `/healthz`, `/readyz`, `/openapi.json`, `/docs`, and at `/` a page or document that names
 * the latter two. To be registered without a prefix: `app.register(serviceRoutes, { sotto, ready, baseUrl, linkBaseUrl })`.
 *
 * It also answers every path that no route of the whole application takes, with a 404: a page for browsers, JSON for programs. Leave it out
 * where the application has a not-found handler of its own. With two different hosts, `/`, `/openapi.json` and `/docs` are not its paths on
 * any host but that of `baseUrl`.
 *
 * Rejects with a TypeError under a prefix, with an origin that is not bare, and on an HTTP/2 server; with Fastify's error when the
 * application has a not-found handler or one of these routes.
 */
// Async because an exception in a callback plugin escapes every try/catch, while Fastify reports the rejection of an async one.
// eslint-disable-next-line @typescript-eslint/require-await
export const serviceRoutes: FastifyPluginAsync<ServiceRoutesOptions> = async (app, options) => {
  checkRegistration(app, 'serviceRoutes', 'none')
  const { sotto, ready, apiPrefix, baseUrl, linkBaseUrl, hasStartPage = true } = options
  const brand = brandOf(options.branding)
  const { sendUnknownPath } = createSender(brand)
  const isClosing = trackClosing(app)
  // These paths are answered until the last connection is closed; `/readyz` says that the service is shutting down.
  const earlyProblem = createEarlyProblem(options, () => false)
  const table = createRouteTable()
  requireHttps(app, baseUrl)
  app.addHook('onRequest', async (request, reply) => {
    const early = earlyProblem(request)
    const isMonitoring = early === problems.unknownPath && onEveryHost.has(pathOf(request.url))
    const problem = (isMonitoring ? undefined : early) ?? table.problemOf(request)
    if (problem === problems.unknownPath) return sendUnknownPath(request, reply)
    return problem && sendProblem(reply, problem)
  })
  app.setErrorHandler(sendThrown)
  app.setNotFoundHandler(sendUnknownPath)

  const read = (
    url: string,
    handler: (reply: FastifyReply) => FastifyReply | Promise<FastifyReply>,
    constraints = {},
  ): void => {
    table.add({ method: ['GET', 'HEAD'], url })
    // All other methods are answered too, or the routes of links would answer them.
    app.route({
      method: app.supportedMethods,
      url,
      constraints,
      handler: (_request, reply) => handler(reply),
    })
  }
  read('/healthz', (reply) => sendData(reply, 200, { status: 'alive' }))
  read('/readyz', async (reply) => {
    if (isClosing()) return sendProblem(reply, problems.shuttingDown)
    const answer = await ready()
    if (answer.isOk()) return sendData(reply, 200, { status: 'ready' })
    reply.log.warn({ error: answer.error }, 'the service is not ready')
    return sendProblem(reply, problems.unwritable)
  })

  const start = once(() => startPage(brand))
  const service = toWireService(`${baseUrl}/docs`, `${baseUrl}/openapi.json`)
  const sendStart = (reply: FastifyReply): FastifyReply =>
    preferredType(reply.request.headers.accept) === 'html'
      ? reply.headers(start().headers).send(start().html)
      : sendData(reply.header('vary', 'Accept'), 200, service)
  // This path belongs to links on their host.
  if (hasStartPage) read('/', sendStart, baseHostOnly(options))

  // Created when they are first asked for: most servers never are.
  const document = once(() =>
    openApiDocument({ policy: sotto.policy, apiPrefix, baseUrl, linkBaseUrl, hasStartPage }),
  )
  const json = once(() => JSON.stringify(document()))
  const page = once(() => docsPage(document(), brand))
  read('/openapi.json', (reply) => reply.headers(jsonHeaders).send(json()))
  read('/docs', (reply) => reply.headers(page().headers).send(page().html))
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
