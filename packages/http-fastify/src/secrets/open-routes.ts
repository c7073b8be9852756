import type { Socket } from 'node:net'
import type { PasswordRefused } from '@sotto/core'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { logError, logOf, writeAudit } from '../http/answers/log.ts'
import { readBody } from '../http/bodies/bodies.ts'
import { auditAddress } from '../http/request/addresses.ts'
import type { OpenUseCases } from '../use-cases.ts'
import { newFormId, unreadableAnswer, type LinkAnswer } from '../link/link-answers.ts'
import { bodyTypeOf } from '../link/link-body.ts'
import { opensLinks } from '../link/link-gate.ts'
import type { LinkKind, LinkOptions } from '../link/link-kind.ts'
import {
  crossSiteOpenAnswer,
  errorAnswer,
  openedAnswer,
  previewAnswer,
  showsFormAgain,
} from './open-answers.ts'
import { openProblems } from './open-problems.ts'
import { openRequestMaxBytes, readOpenRequestBody } from './read-open-request.ts'
import { redirectTo } from '../link/send-answer.ts'
import { tokenBeforePunctuation } from '../link/trailing-characters.ts'

/** The links of secrets. The path of every other kind begins as theirs. */
export const secretLinks: LinkKind = {
  prefix: '/',
  methods: ['GET', 'HEAD', 'POST'],
  crossSiteAnswer: crossSiteOpenAnswer,
  unreadable: (request) =>
    bodyTypeOf(request.raw) === undefined ? unreadableAnswer(openProblems.mediaType) : undefined,
  addRoutes: addOpenRoutes,
}

interface LinkRequest {
  Params: { readonly token: string }
}

/**
 * `/{token}`: the page of a link. GET and HEAD show it and consume nothing; POST opens.
 * @throws TypeError when the application has a route for all paths of one segment
 */
function addOpenRoutes(
  app: FastifyInstance,
  sotto: OpenUseCases,
  { sender: { send }, linkOrigin, logAddresses }: LinkOptions,
): void {
  const openAndSend = async (
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const address = auditAddress(request, logAddresses)
    const opening = { sotto, token, log: () => logOf(app, request), address, linkOrigin }
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
        return send(request, reply, await preview(sotto, () => logOf(app, request), request))
      },
    }),
  )
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
  sotto: OpenUseCases,
  log: () => FastifyBaseLogger,
  { params: { token } }: FastifyRequest<LinkRequest>,
): Promise<LinkAnswer> {
  const formId = newFormId()
  const previewed = await sotto.previewLink({ token })
  if (previewed.isOk()) return previewAnswer(previewed.value, formId)
  return logged(
    log,
    previewed.error,
    errorAnswer(previewed.error, { formId, passwordGiven: false, proofGiven: false }),
  )
}

interface OpenOptions {
  readonly sotto: OpenUseCases
  readonly token: string
  /** Makes the log of the request, which few requests need. */
  readonly log: () => FastifyBaseLogger
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
    if (reason !== 'locked') writeAudit(log(), 'link_password_refused', about)
    if (reason !== 'wrong')
      writeAudit(log(), reason === 'locks' ? 'link_locked' : 'link_attempt_refused', about)
  }
  const { password, proof, formId } = read.value
  const opened = await sotto.openSecret({ token, password, proof, formId, isAbandoned, onPasswordRefused })
  if (opened.isOk()) return openedAnswer(opened.value, linkOrigin)
  if (opened.error.code === 'client_gone') return 'nobody_listens'
  const form = {
    formId: newFormId(),
    passwordGiven: password !== undefined,
    proofGiven: proof !== undefined,
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
  log: () => FastifyBaseLogger,
  error: Parameters<typeof errorAnswer>[0],
  answer: LinkAnswer,
): LinkAnswer {
  logError(log(), error, answer.status)
  return answer
}
