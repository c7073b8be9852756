import { randomUUID } from 'node:crypto'
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

/** 32 hexadecimal digits with 122 random bits. Node.js draws the bytes of many UUIDs at once, which takes a tenth of the time. */
export function newFormId(): string {
  return randomUUID().replaceAll('-', '')
}
