import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpError } from '../use-cases.ts'
import { sendProblem } from './answers.ts'
import { keepConnection } from './connection.ts'
import { problemOf } from './problems-of-errors.ts'
import { problemOfStatus, type Problem } from './problems.ts'

/** An error of the core as it is logged: a code, ids and details for operators, nothing confidential. */
export interface LoggableError {
  readonly code: string
}

/** Answers an error of the core. Errors of the server are logged. */
export async function sendError(reply: FastifyReply, error: HttpError): Promise<FastifyReply> {
  const problem = problemOf(error)
  logError(reply.log, error, problem.status)
  return sendProblem(reply, problem)
}

/** Logs what an operator should know of. @param status the status of the answer */
export function logError(log: FastifyBaseLogger, error: LoggableError, status: number): void {
  if (status === 500) log.error({ error }, 'a request failed')
  else if (status === 503) log.warn({ error }, 'a request was answered with 503')
}

/** Logs the corrupted rows that a list leaves out. */
export function logCorruption(log: FastifyBaseLogger, corrupted: readonly LoggableError[]): void {
  for (const error of corrupted) log.error({ error }, 'a corrupted row is left out of a list')
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

/** The problem of something that was thrown: that of its `statusCode`, or else 500. */
export function problemOfThrown(thrown: unknown): Problem {
  const { statusCode = 500 } = (thrown ?? {}) as Partial<FastifyError>
  return problemOfStatus(statusCode)
}

export function logThrown(log: FastifyBaseLogger, thrown: unknown): void {
  const error = describeThrown(thrown)
  if (problemOfThrown(thrown).status === 503) log.warn({ error }, 'a request was answered with 503')
  else log.error({ error }, 'a request failed unexpectedly')
}

/** What a log may contain of something that was thrown, in the shape that loggers have for errors. */
export interface DescribedError {
  readonly [name: string]: unknown
  readonly type: string
  /** Always empty: messages quote what they complain about. JSON.parse quotes the text, Fastify the URL. */
  readonly message: ''
  /** Where it was thrown. */
  readonly stack: string
}

/** Its type, its code and where it was thrown, but not its message. */
export function describeThrown(thrown: unknown): DescribedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: '', stack: '' }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? { code: thrown.code } : {}
  return { type: thrown.name, ...code, message: '', stack: framesOf(thrown) }
}

/** The lines of the stack after the message, which may itself have several lines. */
function framesOf({ stack = '', message }: Error): string {
  const [, ...lines] = stack.slice(Math.max(0, stack.indexOf(message) + message.length)).split('\n')
  return lines.map((line) => line.trim()).join('\n')
}
