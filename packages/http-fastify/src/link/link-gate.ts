import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from '../answers.ts'
import { bareOrigin, createSiteOf, originalUrlOf, type Origins } from '../hosts.ts'
import { methodNotAllowed, refusals } from '../refusals.ts'
import { urlMaxBytes } from '../request-target.ts'
import { busyAnswer, foreignAnswer, unreadableAnswer, type LinkAnswer } from './link-answers.ts'
import { bodyTypeOf, mediaTypeRefusal } from './read-open-request.ts'
import { isForeign } from './same-origin.ts'
import type { SendAnswer } from './send-answer.ts'

export interface LinkGateOptions {
  readonly origins: Origins
  readonly isClosing: () => boolean
  readonly send: SendAnswer
}

const methods: readonly string[] = ['GET', 'HEAD', 'POST']

/**
 * What is decided before the link is looked at, so that none of it tells whether there is one: URL length, host, method, origin,
 * media type. Size, form and fields come behind it.
 */
export function createLinkGate({ origins, isClosing, send }: LinkGateOptions) {
  const siteOf = createSiteOf(origins)
  const linkOrigin = bareOrigin(origins.linkBaseUrl).origin
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const site = siteOf(request.raw)
    // On another host there are no links, and no pages either.
    if (site === 'base' || site === 'unknown') return sendRefusal(reply, refusals.unknownPath)
    const refused =
      originalUrlOf(request.raw).length > urlMaxBytes
        ? unreadableAnswer(refusals.urlTooLong)
        : site === 'malformed'
          ? unreadableAnswer(refusals.badHost)
          : isClosing()
            ? busyAnswer(refusals.shuttingDown)
            : refusedMethod(request, linkOrigin)
    return refused && send(request, reply, refused)
  }
}

/** Whether a request is one that opens. */
export function opensLinks({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'POST'
}

function refusedMethod(request: FastifyRequest, linkOrigin: string): LinkAnswer | undefined {
  if (!methods.includes(request.method)) return unreadableAnswer(methodNotAllowed(methods))
  if (!opensLinks(request)) return undefined
  if (isForeign(request.headers, linkOrigin)) return foreignAnswer
  return bodyTypeOf(request.raw) === undefined ? unreadableAnswer(mediaTypeRefusal) : undefined
}
