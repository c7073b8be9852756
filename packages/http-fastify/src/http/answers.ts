import { envelopeText, problemText } from '@sotto/wire'
import type { FastifyReply } from 'fastify'
import { drain } from './drain.ts'
import type { Problem } from './problems.ts'
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
  const drained = await drain(reply.request.raw)
  if (!drained) reply.header('connection', 'close')
  return reply
    .code(problem.status)
    .headers(headers)
    .headers(problem.headers ?? {})
    .send(body)
}
