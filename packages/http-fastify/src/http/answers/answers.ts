import { envelopeText, problemText } from '@sotto/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpError } from '../../use-cases.ts'
import { drainBefore, keepConnection } from '../bodies/drain.ts'
import { logError, logThrown } from './log.ts'
import { problemOf } from './problems-of-errors.ts'
import { problemOfThrown, type Problem } from './problems.ts'
import { jsonHeaders } from './security-headers.ts'

export function sendData(reply: FastifyReply, status: number, data: unknown): FastifyReply {
  return reply.code(status).headers(jsonHeaders).send(envelopeText(data))
}

/** Sends a problem, after the rest of the request's body was read. */
export async function sendProblem(reply: FastifyReply, problem: Problem): Promise<FastifyReply> {
  return sendDrained(reply, problem, { headers: jsonHeaders, body: problemText(problem) })
}

/** Sends a problem as a page, which has its own headers. */
export async function sendHtmlProblem(
  reply: FastifyReply,
  problem: Problem,
  { html, headers }: { readonly html: string; readonly headers: Readonly<Record<string, string>> },
): Promise<FastifyReply> {
  return sendDrained(reply, problem, { headers, body: html })
}

async function sendDrained(
  reply: FastifyReply,
  problem: Problem,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<FastifyReply> {
  await drainBefore(reply)
  return reply
    .code(problem.status)
    .headers(headers)
    .headers(problem.headers ?? {})
    .send(body)
}

/** Answers an error of the core. Errors of the server are logged. */
export async function sendError(reply: FastifyReply, error: HttpError): Promise<FastifyReply> {
  const problem = problemOf(error)
  logError(reply.log, error, problem.status)
  return sendProblem(reply, problem)
}

/**
 * Answers what was thrown: by Fastify while it read the body, by a hook of the embedding application, or because of a defect. The answer
 * depends on the status alone.
 */
export async function sendThrown(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const problem = problemOfThrown(thrown)
  if (problem.status >= 500) logThrown(request.log, thrown)
  keepConnection(reply)
  return sendProblem(reply, problem)
}
