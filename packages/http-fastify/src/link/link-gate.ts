import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { methodNotAllowed, problems } from '../http/answers/problems.ts'
import { bareOrigin } from '../http/request/bare-origin.ts'
import { isCrossSite } from '../http/request/headers.ts'
import { createSiteOf, originalUrlOf, urlMaxBytes, type Origins } from '../http/request/target.ts'
import { troubleAnswer, unreadableAnswer, type LinkAnswer } from './link-answers.ts'
import type { LinkKind } from './link-kind.ts'
import type { Sender } from './send-answer.ts'
import { tokenBeforePunctuation } from './trailing-characters.ts'

export interface LinkGateOptions {
  readonly origins: Origins
  readonly isClosing: () => boolean
  readonly sender: Sender
  /** All kinds of links. That of a request is the first one whose prefix fits. */
  readonly kinds: readonly LinkKind[]
}

/**
 * The checks before the link is looked up, so that none of them reveals whether it exists: URL length, host, method, origin, media type.
 * Size, form and fields follow in the route, and the media type of an answer to a request.
 */
export function createLinkGate({ origins, isClosing, sender, kinds }: LinkGateOptions): onRequestHookHandler {
  const siteOf = createSiteOf(origins)
  const linkOrigin = bareOrigin(origins.linkBaseUrl).origin

  function refusalOf(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined {
    const site = siteOf(request.raw)
    // There are no links on any other host.
    if (site === 'base' || site === 'unknown') return sender.sendUnknownPath(request, reply)
    const refused =
      originalUrlOf(request.raw).length > urlMaxBytes
        ? unreadableAnswer(problems.urlTooLong)
        : site === 'malformed'
          ? unreadableAnswer(problems.badHost)
          : isClosing()
            ? troubleAnswer(problems.shuttingDown, 'busy')
            : methodAnswer(request, linkOrigin, kinds)
    return refused && sender.send(request, reply, refused)
  }

  // This hook has a callback, because most requests are let in, and a promise for each costs time.
  return (request, reply, done) => {
    const refusal = refusalOf(request, reply)
    if (refusal === undefined) done()
    else refusal.catch(done)
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
  kinds: readonly LinkKind[],
): LinkAnswer | undefined {
  const { url = '/' } = request.routeOptions
  const kind = kinds.find(({ prefix }) => url.startsWith(prefix))
  if (kind === undefined) return undefined
  const { methods, crossSiteAnswer, unreadable } = kind
  if (!methods.includes(request.method)) return unreadableAnswer(methodNotAllowed(methods))
  // A deeper path that is none of a link belongs to the application.
  if (!opensLinks(request) || isDeeperPath(request)) return undefined
  if (isCrossSite(request.headers, linkOrigin)) return crossSiteAnswer
  return unreadable?.(request)
}
