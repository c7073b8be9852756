import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem, sendThrown } from './http/answers/answers.ts'
import { problems } from './http/answers/problems.ts'
import { quotaOfAddress, shownQuota, showQuota, spentQuota } from './http/answers/quota-headers.ts'
import { requireHttps } from './http/answers/security-headers.ts'
import { leaveBodiesUnread } from './http/bodies/bodies.ts'
import { createEarlyProblem, trackClosing } from './http/plugins/early-problem.ts'
import { checkRegistration } from './http/plugins/registration.ts'
import { createRouteTable } from './http/plugins/route-table.ts'
import { bareOrigin } from './http/request/bare-origin.ts'
import type { Origins } from './http/request/target.ts'
import type { ApiUseCases, TokenUseCases } from './use-cases.ts'
import { byAccessToken, type Authenticate } from './api/authentication.ts'
import { addEndpoints } from './endpoints.ts'
import { callerDecorator, createGate } from './api/gate.ts'
import { createLists } from './api/lists/lists.ts'
import type { LoginPage } from './api/login-page.ts'
import { formDecorator } from './secrets/secret-with-files.ts'

/** What `apiRoutes` takes. */
export interface ApiRoutesOptions extends Origins {
  /**
   * The result of `createSotto`, or any object with these use-cases: you can wrap or replace single ones. `authenticate` of
   * `@sotto/identity` is needed too where access tokens authenticate.
   */
  readonly sotto: ApiUseCases & Partial<TokenUseCases>
  /** Authenticates the requests in place of access tokens, which are then ignored: for an application with users of its own. */
  readonly authenticate?: Authenticate | undefined
  /**
   * The page with which a request without valid credentials is answered if its Accept prefers `text/html`, as that of a browser does:
   * `apiLoginPage` of `@sotto/dashboard-fastify`, or one of the application. Status and headers of the 401 stay. Without it every answer is JSON.
   */
  readonly loginPage?: LoginPage | undefined
  /** Whether audit lines in the log carry the client's network address; not by default. */
  readonly logAddresses?: boolean | undefined
}

/**
 * The JSON API, to be registered with a prefix: `app.register(apiRoutes, { prefix: '/api', sotto, baseUrl, linkBaseUrl })`. The prefix
 * is part of the `Location` of a new secret; give it to `serviceRoutes` too if it is not `/api`.
 *
 * Every path under the prefix belongs to the API: it answers unknown ones with its 404 in JSON, and with 401 or 429 before that. No
 * wildcard and no not-found handler of the application gets them. With two different hosts, all paths under the prefix are a 404 on
 * any host but that of `baseUrl`. Hooks, body parser, validation and error handler apply under the prefix only.
 *
 * Requests that Fastify or Node answer before any route is known need {@link sottoServerOptions}.
 *
 * Rejects with a TypeError without a plain prefix, with an origin that is not bare, on an HTTP/2 server, and when nothing authenticates.
 */
// Async because an exception in a callback plugin escapes every try/catch, while Fastify reports the rejection of an async one.
// eslint-disable-next-line @typescript-eslint/require-await
export const apiRoutes: FastifyPluginAsync<ApiRoutesOptions> = async (app, options) => {
  checkRegistration(app, 'apiRoutes', 'needed')
  const { sotto, loginPage, logAddresses } = options
  const authenticate = options.authenticate ?? authenticateOf(sotto)
  const linkBaseUrl = bareOrigin(options.linkBaseUrl).origin
  const table = createRouteTable()
  const lists = createLists()

  app.decorateRequest(...callerDecorator)
  app.decorateRequest(...formDecorator)
  requireHttps(app, options.baseUrl)
  app.addHook(
    'onRequest',
    createGate({
      sotto,
      authenticate,
      earlyProblem: createEarlyProblem(options, trackClosing(app)),
      admitList: lists.admit,
      routeProblem: table.problemOf,
      loginPage,
      logAddresses,
    }),
  )
  app.setErrorHandler(async (error, request, reply) => {
    // The exception came before the gate knew the caller: from a hook of the application, from its `authenticate`, or from a defect.
    if (shownQuota(reply.raw) === undefined) {
      const { remoteAddress } = request.socket
      showQuota(reply, await quotaOfAddress(sotto, remoteAddress).catch(() => spentQuota(sotto)))
    }
    return sendThrown(error, request, reply)
  })
  leaveBodiesUnread(app)
  claimWholePrefix(app)

  app.addHook('onRoute', table.add)
  addEndpoints(app, { sotto, authenticate, lists, linkBaseUrl, logAddresses })
}

/** Authenticates by access tokens. Throws a TypeError where there are none. */
function authenticateOf({ authenticate }: Partial<TokenUseCases>): Authenticate {
  if (authenticate === undefined) throw new TypeError('apiRoutes needs `authenticate`, or that of `sotto`')
  return byAccessToken({ authenticate })
}

/** Takes every request under the prefix, so that no wildcard route of the application answers it. */
function claimWholePrefix(app: FastifyInstance): void {
  const handler = (_request: FastifyRequest, reply: FastifyReply) => sendProblem(reply, problems.unknownPath)
  app.all('', handler)
  app.all('/*', handler)
  // This handler answers methods that Fastify's router does not have.
  app.setNotFoundHandler(handler)
}
