import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import { brandOf, type Branding } from '@sotto/html'
import { logOf, logThrown } from './http/answers/log.ts'
import { problemOfThrown } from './http/answers/problems.ts'
import { requireHttps, textHeaders } from './http/answers/security-headers.ts'
import { leaveBodiesUnread } from './http/bodies/bodies.ts'
import { keepConnection } from './http/bodies/drain.ts'
import { trackClosing } from './http/plugins/early-problem.ts'
import { checkRegistration } from './http/plugins/registration.ts'
import { bareOrigin } from './http/request/bare-origin.ts'
import type { Origins } from './http/request/target.ts'
import type { LinkUseCases } from './use-cases.ts'
import { fileLinks } from './files/routes.ts'
import { troubleAnswer, unreadableAnswer, type LinkAnswer } from './link/link-answers.ts'
import { createLinkGate } from './link/link-gate.ts'
import { secretLinks } from './secrets/open-routes.ts'
import { requestLinks } from './requests/routes.ts'
import { createSender } from './link/send-answer.ts'

/** What `linkRoutes` takes. */
export interface LinkRoutesOptions extends Origins {
  /** The result of `createSotto`, or any object with these use-cases: you can wrap or replace single ones. */
  readonly sotto: LinkUseCases
  /** How the service shows itself on its pages; as Sotto by default. */
  readonly branding?: Branding | undefined
  /** Whether the audit lines about refused passwords carry the client's network address; not by default. */
  readonly logAddresses?: boolean | undefined
}

/** All kinds of links. Those of secrets are last, because the path of every other kind begins as theirs. */
const kinds = [fileLinks, requestLinks, secretLinks]

/**
 * The pages of links, for people with a browser and programs with JSON, to be registered without a prefix:
 * `app.register(linkRoutes, { sotto, baseUrl, linkBaseUrl })`. GET and HEAD show and consume nothing; POST opens.
 *
 * It answers every path of at most one segment that no other route takes, `/` and `/favicon.ico` included. It answers with a 404 page (or
 * JSON) when the path is not that of a link that can be opened, and on any host but that of `linkBaseUrl`. With the use-cases of requests
 * it answers `/r/{token}`, where somebody hands in what an owner asks for, and with that of files everything under `/f/`. It also answers
 * `/robots.txt`. Punctuation after a token, which mail programs and chats take into a link, leads to the link, and a POST opens it. Deeper
 * paths, and their 404s, belong to the application. So the application cannot have a route such as `/:slug`.
 *
 * Nothing that is logged here contains any part of a URL.
 *
 * Rejects with a TypeError under a prefix, on an HTTP/2 server, and when there is a route such as `/:slug`. It also rejects an origin that
 * is not bare, and a branding that breaks a rule.
 */
// Async because an exception in a callback plugin escapes every try/catch, while Fastify reports the rejection of an async one.
// eslint-disable-next-line @typescript-eslint/require-await
export const linkRoutes: FastifyPluginAsync<LinkRoutesOptions> = async (app, options) => {
  checkRegistration(app, 'linkRoutes', 'none')
  const { sotto, logAddresses } = options
  const sender = createSender(brandOf(options.branding))
  const linkOrigin = bareOrigin(options.linkBaseUrl).origin
  requireHttps(app, options.linkBaseUrl)
  const isClosing = trackClosing(app)
  app.addHook('onRequest', createLinkGate({ origins: options, isClosing, sender, kinds }))
  app.setErrorHandler(async (error, request, reply) => {
    keepConnection(reply)
    return sender.send(request, reply, thrownAnswer(logOf(app, request), error))
  })
  leaveBodiesUnread(app)
  for (const kind of kinds) kind.addRoutes(app, sotto, { sender, linkOrigin, logAddresses })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/robots.txt',
    handler: (_request, reply) => reply.headers(textHeaders).send('User-agent: *\nDisallow: /\n'),
  })
}

/** The answer to what Fastify throws while it reads a body, or to a defect. */
function thrownAnswer(log: FastifyBaseLogger, thrown: unknown): LinkAnswer {
  const problem = problemOfThrown(thrown)
  if (problem.status < 500) return unreadableAnswer(problem)
  logThrown(log, thrown)
  return troubleAnswer(problem, problem.status === 503 ? 'busy' : 'failed')
}
