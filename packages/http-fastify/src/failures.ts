import type { SottoError } from '@sotto/core'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from './answers.ts'
import { refusalOf } from './error-answers.ts'
import { refusalOfStatus, type Refusal } from './refusals.ts'

/** Answers with a failure of the core. Those of the server are logged, without anything that was confided. */
export async function sendFailure(reply: FastifyReply, error: SottoError): Promise<FastifyReply> {
  const refusal = refusalOf(error)
  logFailure(reply.log, error, refusal.status)
  return sendRefusal(reply, refusal)
}

/** Errors of the core carry codes, ids and details for operators, and nothing that was confided. */
export function logFailure(log: FastifyBaseLogger, error: SottoError, status: number): void {
  if (status === 500) log.error({ failure: error }, 'a request failed')
  else if (status === 503) log.warn({ failure: error }, 'a request was turned away')
}

/**
 * Answers what was thrown: by Fastify's reading of the body, by a hook of the embedding application, or by a defect. Never says
 * more than the status does.
 */
export async function sendThrown(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = refusalOfThrown(error)
  if (refusal.status >= 500)
    request.log.error({ failure: describeThrown(error) }, 'a request failed unexpectedly')
  // Fastify closes the connection after every fault of a body; needed only when the rest of it does not come.
  reply.removeHeader('connection')
  return sendRefusal(reply, refusal)
}

/** What a log may hold of something that was thrown, in the shape that loggers have for errors. */
export interface DescribedError {
  readonly [name: string]: unknown
  readonly type: string
  /** Always empty: messages quote what they complain of. JSON.parse quotes the text, Fastify the URL. */
  readonly message: ''
  /** Where it came from. */
  readonly stack: string
}

/** Its kind and where it came from, but not its message. */
export function describeThrown(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { type: error.name, ...code, message: '', stack: framesOf(error) }
}

/** The lines of the stack behind the message, which may have lines of its own. */
function framesOf({ stack = '', message }: Error): string {
  const [, ...lines] = stack.slice(Math.max(0, stack.indexOf(message) + message.length)).split('\n')
  return lines.map((line) => line.trim()).join('\n')
}

/** Of what has no status of a client's fault or of unavailability, nothing is said. */
function refusalOfThrown(error: unknown): Refusal {
  const { statusCode = 500 } = (error ?? {}) as Partial<FastifyError>
  return refusalOfStatus(statusCode)
}
