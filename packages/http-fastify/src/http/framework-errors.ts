import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ParserAnswers } from './client-errors.ts'
import { sendThrown } from './errors.ts'
import { quotaOfAddress, showQuota } from './quota-headers.ts'

/** Answers the errors of Fastify before a route is known. Because `rewriteUrl` makes every URL routable, there should be none. */
export function createFrameworkErrorHandler({ sotto, httpsHeaders }: ParserAnswers) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    quotaOfAddress(sotto, request.socket.remoteAddress)
      .then((quota) => {
        showQuota(reply.headers(httpsHeaders), quota)
        return sendThrown(error, request, reply)
      })
      .catch(() => reply.raw.destroy())
  }
}
