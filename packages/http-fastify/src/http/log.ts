import type { FastifyReply, FastifyRequest } from 'fastify'
import { describeThrown } from './errors.ts'

/**
 * What log lines may contain of a request, a reply and an error. A link token is part of a URL, an access token part of a header, and
 * errors quote what they complain about; so no URL, header, body or message is logged.
 */
export const logSerializers = {
  req: (request: FastifyRequest) => ({ method: request.method, route: request.routeOptions.url }),
  res: (reply: Partial<FastifyReply>) => ({ statusCode: reply.statusCode ?? 0 }),
  err: describeThrown,
}

/** The time of a log line. */
export function isoTime(): string {
  return `,"time":"${new Date().toISOString()}"`
}
