import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendThrown } from './failures.ts'
import { quotaOfAddress, showQuota, type QuotaPorts } from './quota-headers.ts'

/** Answers what goes wrong in Fastify before a route is known. With URLs that are routable throughout, nothing should. */
export function createFrameworkErrorHandler(ports: QuotaPorts) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    quotaOfAddress(ports, request.socket.remoteAddress)
      .then((quota) => {
        showQuota(reply, quota)
        return sendThrown(error, request, reply)
      })
      .catch(() => reply.raw.destroy())
  }
}
