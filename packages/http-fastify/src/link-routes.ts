import type { Socket } from 'node:net'
import type { PasswordRefused } from '@sotto/core'
import type { FastifyBaseLogger, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { brandOf, type Branding } from '@sotto/html'
import { logError, logOf, logThrown, writeAudit } from './http/answers/log.ts'
import { problemOfThrown } from './http/answers/problems.ts'
import { requireHttps, textHeaders } from './http/answers/security-headers.ts'
import { leaveBodiesUnread, readBody } from './http/bodies/bodies.ts'
import { keepConnection } from './http/bodies/drain.ts'
import { trackClosing } from './http/plugins/early-problem.ts'
import { checkRegistration } from './http/plugins/registration.ts'
import { auditAddress } from './http/request/addresses.ts'
import { bareOrigin } from './http/request/bare-origin.ts'
import type { Origins } from './http/request/target.ts'
import type { LinkUseCases } from './use-cases.ts'
import {
  busyAnswer,
  errorAnswer,
  failedAnswer,
  newFormId,
  openedAnswer,
  previewAnswer,
  showsFormAgain,
  unreadableAnswer,
  type LinkAnswer,
} from './link/link-answers.ts'
import { addFileRoutes, hasFiles } from './files/routes.ts'
import { createLinkGate, opensLinks } from './link/link-gate.ts'
import { bodyTypeOf, openRequestMaxBytes, readOpenRequestBody } from './link/read-open-request.ts'
import { crossSiteRequestAnswer } from './requests/answers.ts'
import { addRequestRoutes, hasRequests } from './requests/routes.ts'
import { createSender, redirectTo } from './link/send-answer.ts'
import { tokenBeforePunctuation } from './link/trailing-characters.ts'

/** What `linkRoutes` takes. */
export interface LinkRoutesOptions extends Origins {
  /** The result of `createSotto`, or any object with these use-cases: you can wrap or replace single ones. */
  readonly sotto: LinkUseCases
  /** How the service shows itself on its pages; as Sotto by default. */
  readonly branding?: Branding | undefined
  /** Whether the audit lines about refused passwords carry the client's network address; not by default. */
  readonly logAddresses?: boolean | undefined
}

interface LinkRequest {
  Params: { readonly token: string }
}

/**
 * The pages of links, for people with a browser and programs with JSON, to be registered without a prefix:
 * `app.register(linkRoutes, { sotto, baseUrl, linkBaseUrl })`. GET and HEAD show and consume nothing; POST opens.
 *
 * It answers every path of at most one segment that no other route takes, `/` and `/favicon.ico` included. It answers with a 404 page (or
 * JSON) when the path is not that of a link that can be opened, and on any host but that of `linkBaseUrl`. With the use-cases of requests it
 * answers `/r/{token}`, where somebody hands in what an owner asks for, and with that of files everything under `/f/`. It also answers
 * `/robots.txt`. Punctuation after a token, which mail programs and chats take into a link, leads to the link, and a POST opens it. Deeper paths, and their 404s,
 * belong to the application. So the application cannot have a route such as `/:slug`.
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
  const { send } = sender
  const linkOrigin = bareOrigin(options.linkBaseUrl).origin
  requireHttps(app, options.linkBaseUrl)
  const isClosing = trackClosing(app)
  app.addHook('onRequest', createLinkGate({ origins: options, isClosing, sender, crossSiteRequestAnswer }))
  app.setErrorHandler(async (error, request, reply) => {
    keepConnection(reply)
    return send(request, reply, thrownAnswer(logOf(app, request), error))
  })
  leaveBodiesUnread(app)
  const openAndSend = async (
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const address = auditAddress(request, logAddresses)
    const opening = { sotto, token, log: logOf(app, request), address, linkOrigin }
    const answer = await open(opening, request.raw, reply)
    return answer === 'nobody_listens' ? closeSilently(request, reply) : send(request, reply, answer)
  }

  takeOneSegment(() =>
    app.route<LinkRequest>({
      method: app.supportedMethods,
      url: '/:token',
      // Fastify's own log lines about a request would contain its URL.
      logLevel: 'silent',
      handler: async (request, reply) => {
        const bare = tokenBeforePunctuation(request.params.token)
        if (opensLinks(request)) return openAndSend(bare ?? request.params.token, request, reply)
        if (bare !== undefined) return redirectTo(bare, reply)
        return send(request, reply, await preview(sotto, logOf(app, request), request))
      },
    }),
  )
  if (hasRequests(sotto)) addRequestRoutes(app, sotto, sender)
  if (hasFiles(sotto)) addFileRoutes(app, sotto, sender)
  app.route<LinkRequest & { Params: { readonly '*': string } }>({
    method: ['GET', 'HEAD', 'POST'],
    // Deeper paths belong to the application, except those that begin with a token.
    url: `/:token(^[\\w-]{43}$)/*`,
    logLevel: 'silent',
    handler: async (request, reply) => {
      const bare = tokenBeforePunctuation(`${request.params.token}/${request.params['*']}`)
      if (bare === undefined) {
        reply.callNotFound()
        return reply
      }
      return opensLinks(request) ? openAndSend(bare, request, reply) : redirectTo(bare, reply)
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/robots.txt',
    handler: (_request, reply) => reply.headers(textHeaders).send('User-agent: *\nDisallow: /\n'),
  })
}

/** @throws TypeError when the application has a route for all paths of one segment */
function takeOneSegment(addRoute: () => void): void {
  try {
    addRoute()
  } catch (cause) {
    throw new TypeError(
      'linkRoutes takes all paths of one segment, but there is a route such as /:slug already',
      { cause },
    )
  }
}

async function preview(
  sotto: LinkUseCases,
  log: FastifyBaseLogger,
  { params: { token } }: FastifyRequest<LinkRequest>,
): Promise<LinkAnswer> {
  const formId = newFormId()
  const previewed = await sotto.previewLink({ token })
  if (previewed.isOk()) return previewAnswer(previewed.value, formId)
  return logged(log, previewed.error, errorAnswer(previewed.error, { formId, passwordGiven: false }))
}

interface OpenOptions {
  readonly sotto: LinkUseCases
  readonly token: string
  readonly log: FastifyBaseLogger
  /** The client's network address as audit lines carry it; `undefined` where they must not. */
  readonly address: string | undefined
  /** The origin of links. */
  readonly linkOrigin: string
}

async function open(
  { sotto, token, log, address, linkOrigin }: OpenOptions,
  raw: FastifyRequest['raw'],
  reply: FastifyReply,
): Promise<LinkAnswer | 'nobody_listens'> {
  const read = readOpenRequestBody(bodyTypeOf(raw), await readBody(reply, openRequestMaxBytes))
  if (read.isErr()) return unreadableAnswer(read.error)
  const isAbandoned = (): boolean => hasLeft(raw.socket)
  const onPasswordRefused = ({ reason, accountId, secretId }: PasswordRefused): void => {
    const about = { ids: { account_id: accountId, secret_id: secretId }, address }
    if (reason !== 'locked') writeAudit(log, 'link_password_refused', about)
    if (reason !== 'wrong')
      writeAudit(log, reason === 'locks' ? 'link_locked' : 'link_attempt_refused', about)
  }
  const { password, formId } = read.value
  const opened = await sotto.openSecret({ token, password, formId, isAbandoned, onPasswordRefused })
  if (opened.isOk()) return openedAnswer(opened.value, linkOrigin)
  if (opened.error.code === 'client_gone') return 'nobody_listens'
  const form = {
    formId: newFormId(),
    passwordGiven: password !== undefined,
    preview: showsFormAgain(opened.error)
      ? (await sotto.previewLink({ token })).unwrapOr(undefined)
      : undefined,
  }
  return logged(log, opened.error, errorAnswer(opened.error, form))
}

/**
 * Whether the client can receive no answer any more: it reset the connection, or it closed its side, after which Node's server ends the
 * other one. Not `request.raw.destroyed`, which is true as soon as the body was read.
 */
function hasLeft({ destroyed, writableEnded }: Socket): boolean {
  return destroyed || writableEnded
}

function closeSilently({ raw }: FastifyRequest, reply: FastifyReply): FastifyReply {
  raw.socket.destroy()
  return reply.hijack()
}

function logged(
  log: FastifyBaseLogger,
  error: Parameters<typeof errorAnswer>[0],
  answer: LinkAnswer,
): LinkAnswer {
  logError(log, error, answer.status)
  return answer
}

/** The answer to what Fastify throws while it reads a body, or to a defect. */
function thrownAnswer(log: FastifyBaseLogger, thrown: unknown): LinkAnswer {
  const problem = problemOfThrown(thrown)
  if (problem.status < 500) return unreadableAnswer(problem)
  logThrown(log, thrown)
  return problem.status === 503 ? busyAnswer(problem) : failedAnswer(problem)
}
