import { envelopeText, problemText } from '@sotto/wire'
import type { FastifyReply } from 'fastify'
import { drain } from './drain.ts'
import type { Problem } from './problems.ts'

/**
 * The headers of every JSON answer: not cached, not sniffed, not framed (OWASP REST Security Cheat Sheet). A constant, because building
 * headers for each answer costs more than sending them.
 */
export const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

export function sendData(reply: FastifyReply, status: number, data: unknown): FastifyReply {
  return reply.code(status).headers(jsonHeaders).send(envelopeText(data))
}

/** Sends a problem, after the rest of the request's body was read. */
export async function sendProblem(reply: FastifyReply, problem: Problem): Promise<FastifyReply> {
  const drained = await drain(reply.request.raw)
  if (!drained) reply.header('connection', 'close')
  return reply
    .code(problem.status)
    .headers(jsonHeaders)
    .headers(problem.headers ?? {})
    .send(problemText(problem))
}
