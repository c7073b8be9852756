import type { FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed, problems } from '../http/answers/problems.ts'
import { bareOrigin } from '../http/request/bare-origin.ts'
import { isCrossSite } from '../http/request/headers.ts'
import { createSiteOf, originalUrlOf, urlMaxBytes, type Origins } from '../http/request/target.ts'
import { busyAnswer, crossSiteAnswer, unreadableAnswer, type LinkAnswer } from './link-answers.ts'
import { linkProblems } from './link-problems.ts'
import { bodyTypeOf } from './read-open-request.ts'
import type { Sender } from './send-answer.ts'
import { tokenBeforePunctuation } from './trailing-characters.ts'

export interface LinkGateOptions {
  readonly origins: Origins
  readonly isClosing: () => boolean
  readonly sender: Sender
  /** The answer to an answer to a request that comes from another site. */
  readonly crossSiteRequestAnswer: LinkAnswer
}

/** The path of a request's page. */
export const requestPath = '/r/:token'

/** The path under which all files of opened links are. */
export const filesPrefix = '/f/'

/** The path of a file of an opened link. */
export const filePath = `${filesPrefix}:ticket/:number`

const reading: readonly string[] = ['GET', 'HEAD']
const methods: readonly string[] = [...reading, 'POST']

/**
 * The checks before the link is looked up, so that none of them reveals whether it exists: URL length, host, method, origin, media type.
 * Size, form and fields follow in the route, and the media type of an answer to a request.
 */
export function createLinkGate({ origins, isClosing, sender, crossSiteRequestAnswer }: LinkGateOptions) {
  const siteOf = createSiteOf(origins)
  const linkOrigin = bareOrigin(origins.linkBaseUrl).origin
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const site = siteOf(request.raw)
    // There are no links on any other host.
    if (site === 'base' || site === 'unknown') return sender.sendUnknownPath(request, reply)
    const refused =
      originalUrlOf(request.raw).length > urlMaxBytes
        ? unreadableAnswer(problems.urlTooLong)
        : site === 'malformed'
          ? unreadableAnswer(problems.badHost)
          : isClosing()
            ? busyAnswer(problems.shuttingDown)
            : methodAnswer(request, linkOrigin, crossSiteRequestAnswer)
    return refused && sender.send(request, reply, refused)
  }
}

/** Whether a request is one that opens. */
export function opensLinks({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'POST'
}

function isDeeperPath({ params }: FastifyRequest): boolean {
  const { token = '', '*': rest } = params as { readonly token?: string; readonly '*'?: string }
  return rest !== undefined && tokenBeforePunctuation(`${token}/${rest}`) === undefined
}

function methodAnswer(
  request: FastifyRequest,
  linkOrigin: string,
  crossSiteRequestAnswer: LinkAnswer,
): LinkAnswer | undefined {
  const allowed = request.routeOptions.url?.startsWith(filesPrefix) === true ? reading : methods
  if (!allowed.includes(request.method)) return unreadableAnswer(methodNotAllowed(allowed))
  // A deeper path that is none of a link belongs to the application.
  if (!opensLinks(request) || isDeeperPath(request)) return undefined
  const isOfRequest = request.routeOptions.url?.startsWith(requestPath) === true
  if (isCrossSite(request.headers, linkOrigin)) return isOfRequest ? crossSiteRequestAnswer : crossSiteAnswer
  // The route decides first whether an answer to a request is read at all.
  if (isOfRequest) return undefined
  return bodyTypeOf(request.raw) === undefined ? unreadableAnswer(linkProblems.mediaType) : undefined
}
