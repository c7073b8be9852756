import type { StorageError } from '@sotto/core'
import { DatabaseError } from 'pg'
import { placeText, type Host } from './url.ts'

/** Another process holds what is needed, or too many callers wait. */
export const busy = { code: 'storage_unavailable', reason: 'busy' } as const satisfies StorageError
/** The storage was closed. */
export const closed = { code: 'storage_unavailable', reason: 'closed' } as const satisfies StorageError
/** The connection broke while a write was under way: whether it took effect is not known. */
export const outcomeUnknown = {
  code: 'storage_unavailable',
  reason: 'outcome_unknown',
} as const satisfies StorageError
const outdated = {
  code: 'storage_failed',
  detail: 'a later version of the program has migrated the database',
} as const satisfies StorageError
const readOnly = { code: 'storage_unavailable', reason: 'read_only' } as const satisfies StorageError
const full = { code: 'storage_unavailable', reason: 'full' } as const satisfies StorageError

/** SQLSTATE codes: PostgreSQL, appendix A. */
const states = {
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  statementCompletionUnknown: '40003',
}

/**
 * The answers of a server after which the connection is of no further use. The statement had no effect. Either it is not, or no longer,
 * prepared on the connection as this process believes (26000, 42P05, 0A000), or the server has become a standby (25006).
 */
const staleStates = ['26000', '42P05', '0A000', '25006']

/** Thrown while no connection can be had: nothing was sent. */
export class NotConnected extends Error {
  override readonly name: string = 'NotConnected'
}

/** Why one host cannot be used: what pg throws while it connects, or {@link Unfit}. */
export class HostFailed extends Error {
  override readonly name = 'HostFailed'
  /** Host and port, for messages. */
  readonly place: string

  constructor({ host, port }: Pick<Host, 'host' | 'port'>, cause: unknown) {
    super('the host cannot be used', { cause })
    this.place = placeText(host, port)
  }
}

/** Thrown when none of several hosts can be used. */
export class NoHost extends NotConnected {
  override readonly name = 'NoHost'
  readonly failures: readonly HostFailed[]

  constructor(failures: readonly HostFailed[]) {
    super('no host can be used')
    this.failures = failures
  }
}

/** Thrown when the server asks for a password and there is none. The message says why, without any part of it. */
export class NoPassword extends Error {
  override readonly name = 'NoPassword'
}

/** Thrown for a new connection whose server must not be used. The message says why; it holds no value. */
export class Unfit extends Error {
  override readonly name = 'Unfit'
  readonly isReadOnly: boolean

  /** @param isReadOnly whether the server is a standby, or read-only otherwise */
  constructor(message: string, isReadOnly: boolean) {
    super(message)
    this.isReadOnly = isReadOnly
  }
}

/** Thrown in the place of an error that has no meaning of its own, because the connection broke. */
export class ConnectionBroke extends Error {
  override readonly name = 'ConnectionBroke'
}

/** Thrown when a later version of the program has changed the tables, so that this one would not know what it reads and writes. */
export class Outdated extends Error {
  override readonly name = 'Outdated'
}

/** Whether the server asks to run the transaction again: it had no effect, and may succeed now. */
export function isConflict(error: unknown): boolean {
  return hasState(error, [states.serializationFailure, states.deadlockDetected])
}

/** Whether the statement had no effect because of the connection that it was sent on. It may succeed on another one. */
export function isStale(error: unknown): boolean {
  return hasState(error, staleStates)
}

/** Whether a server has refused the user, which the other hosts would do as well (class 28), or lacks the database. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:28|3D)/.test(error.code ?? '')
}

/** The name of the foreign key or the unique index that a row broke; `undefined` for any other error. */
export function brokenConstraint(error: unknown): string | undefined {
  return hasState(error, [states.foreignKeyViolation, states.uniqueViolation]) ? error.constraint : undefined
}

function hasState(error: unknown, codes: readonly string[]): error is DatabaseError {
  return error instanceof DatabaseError && error.code !== undefined && codes.includes(error.code)
}

/**
 * Whether the connection is of no further use: it broke, the server ends or ended it (class 57, `crash_shutdown` among them), or nothing
 * was answered in time.
 */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof NotConnected || error instanceof ConnectionBroke) return true
  if (error instanceof DatabaseError)
    return /^(?:08|57P)/.test(error.code ?? '') || error.severity === 'FATAL'
  if (!(error instanceof Error)) return false
  // An error of the socket, such as ECONNRESET. pg reports a socket that closed, and its own time limit, as plain errors.
  return (
    'syscall' in error ||
    (error.constructor === Error && /connection|timeout|terminated|not queryable/i.test(error.message))
  )
}

/**
 * The storage error for something that pg or a programming mistake threw. `detail` never holds a value. Of an error of the server it has
 * the SQLSTATE and the names of table and constraint, because its message and its detail may quote rows.
 * @param wasWriting whether a write may have taken effect if the connection broke
 */
export function storageErrorOf(
  error: unknown,
  { wasWriting }: { readonly wasWriting: boolean },
): StorageError {
  if (error instanceof Unfit) return { ...(error.isReadOnly ? readOnly : busy), detail: error.message }
  if (error instanceof NoHost && error.failures.every(({ cause }) => isReadOnly(cause))) return readOnly
  if (error instanceof NotConnected) return busy
  if (error instanceof Outdated) return outdated
  const isUnknown = isConnectionLost(error) || hasState(error, [states.statementCompletionUnknown])
  if (isUnknown) return wasWriting ? outcomeUnknown : busy
  if (!(error instanceof DatabaseError)) return failureOf(error)
  const { code = '', table, constraint } = error
  // insufficient resources: disk_full, and others that a moment may heal.
  if (code === '53100') return full
  if (code === '58030')
    return { code: 'storage_unavailable', reason: 'disk_failed', detail: '58030: io_error' }
  if (code === '25006') return readOnly
  if (/^(?:53|40|55P03|57014)/.test(code) || isStale(error)) return busy
  const places = [table, constraint].filter((name) => name !== undefined)
  return { code: 'storage_failed', detail: [code, ...places].join(' ') }
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Unfit && error.isReadOnly
}

/** The storage error for something that code of this process threw. */
export function failureOf(error: unknown): StorageError {
  return { code: 'storage_failed', detail: placeOf(error) }
}

/** The name of an error and where it was thrown; its message may quote what was read. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error was thrown'
  const place = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '))
  return place === undefined ? error.name : `${error.name} ${place.trim()}`
}
