import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { linkHeaders } from './link-headers.ts'

/** Leads to a page of links. Whether there is one with this token is not looked at. @param path without the slash at its beginning */
export function redirectTo(path: string, reply: FastifyReply): FastifyReply {
  return reply.code(303).headers(linkHeaders.redirect).header('location', `/${path}`).send()
}

/** Logs with the application's logger: of the request its lines have the id alone. */
export function logOf({ log }: FastifyInstance, { id: reqId }: FastifyRequest): FastifyBaseLogger {
  return log.child({ reqId })
}

/** 128 random bits in 32 hexadecimal digits. */
export function newFormId(): string {
  return randomBytes(16).toString('hex')
}
