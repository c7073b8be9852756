import type { FastifyReply, FastifyRequest } from 'fastify'
import { describeThrown } from './failures.ts'

/**
 * What log lines may hold of a request, a reply and an error. A link token is a part of a URL, an access token of a header, and
 * errors quote what they complain of; so no URL, header, body or message gets into a line.
 */
export const logSerializers = {
  req: (request: FastifyRequest) => ({ method: request.method, route: request.routeOptions.url }),
  res: (reply: Partial<FastifyReply>) => ({ statusCode: reply.statusCode ?? 0 }),
  err: describeThrown,
}
