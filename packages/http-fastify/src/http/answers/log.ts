import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { problemOfThrown } from './problems.ts'

/**
 * One line for those who watch who does what: ids only, never a label, an email or a token. It has the client's address only where the
 * application wants it.
 */
export function writeAudit(
  log: Pick<FastifyBaseLogger, 'info'>,
  event: string,
  {
    ids = {},
    address,
  }: { readonly ids?: Readonly<Record<string, string | undefined>>; readonly address: string | undefined },
): void {
  log.info({ audit: true, event, ...ids, ...(address !== undefined && { address }) }, event)
}

/** The application's logger for a request whose URL must not be logged: its lines have only the request's id. */
export function logOf({ log }: FastifyInstance, { id: reqId }: FastifyRequest): FastifyBaseLogger {
  return log.child({ reqId })
}

/** An error of the core as it is logged: a code, ids and details for operators, nothing confidential. */
export interface LoggableError {
  readonly code: string
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

/** Logs an exception: as a warning when it is answered with 503, else as an error. */
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

/** The type and code of what was thrown, and where, but not its message. */
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
