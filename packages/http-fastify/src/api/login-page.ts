import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendHtmlProblem, sendProblem } from '../http/answers/answers.ts'
import type { Problem } from '../http/answers/problems.ts'
import { preferredType } from '../http/request/preferences.ts'

/** Makes the page that a browser gets in place of the JSON of a 401. `headers` are those of the page, its Content-Type included. */
export type LoginPage = (request: FastifyRequest) => {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Sends the 401 of a request without valid credentials: the login page, if there is one, to a client that prefers HTML, and JSON to
 * everybody else. Status, challenge and quota are the same for both.
 */
export async function sendUnauthorized(
  reply: FastifyReply,
  problem: Problem,
  loginPage: LoginPage | undefined,
): Promise<FastifyReply> {
  const { request } = reply
  if (loginPage === undefined) return sendProblem(reply, problem)
  reply.header('vary', 'Accept, Accept-Language')
  if (preferredType(request.headers.accept) !== 'html') return sendProblem(reply, problem)
  return sendHtmlProblem(reply, problem, loginPage(request))
}
