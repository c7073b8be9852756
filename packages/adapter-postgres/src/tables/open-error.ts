import type { StorageOpenError } from '@sotto/core'
import { DatabaseError } from 'pg'
import { NoHost, NoPassword, NotConnected, Unfit, type HostFailed } from '../connection/errors.ts'
import { UnreleasedTables } from './unreleased.ts'

/** What an error while opening means. Nothing of its message is passed on but what names no value: it may quote the user's name. */
export function openErrorOf(error: unknown, location: string): StorageOpenError {
  if (error instanceof NoHost) {
    const details = error.failures.map((failure) => failureText(failure, location))
    return { code: 'database_unreachable', location, detail: details.join('; ') }
  }
  const cause = error instanceof NotConnected ? error.cause : error
  if (cause instanceof DatabaseError) {
    const { code = '' } = cause
    if (code === '42501')
      return { code: 'database_not_writable', location, detail: 'the user may not create tables' }
    // A table of ours is there already, or one of the same name has other columns.
    if (code === '42P07' || code === '42703') return { code: 'database_foreign', location }
    // statement_timeout, because another process has locked what the statement needs: a move does.
    if (code === '57014') return { code: 'database_busy', location }
    return { code: 'database_unreachable', location, detail: detailOf(cause) }
  }
  if (cause instanceof Unfit) return { code: 'database_unfit', location, detail: cause.message }
  if (cause instanceof UnreleasedTables)
    return { code: 'database_unreleased', location, commit: cause.commit }
  if (cause instanceof NoPassword) return { code: 'database_unreachable', location, detail: cause.message }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  return { code: 'database_unreachable', location, detail: code ?? 'no connection in time' }
}

function failureText({ place, cause }: HostFailed, location: string): string {
  const error = openErrorOf(cause, location)
  return `${place}: ${'detail' in error ? error.detail : error.code}`
}

/** Passes on nothing of the message but the name of a setting: it may quote the user's name. */
function detailOf({ code = '', message }: DatabaseError): string {
  if (code !== '08P01') return unreachable[code] ?? `the server answers ${code}`
  const [, inOptions, name = ''] = /startup parameter( in options)?: (\w+)/.exec(message) ?? []
  const refused = inOptions === undefined ? name : 'options'
  const known = refusedSettings[refused]
  return known === undefined
    ? 'a pooler refuses the connection (08P01)'
    : `a pooler refuses ${refused}: ${known}`
}

const ignored =
  'add statement_timeout and idle_in_transaction_session_timeout to ignore_startup_parameters of PgBouncer'

/** What to do about a setting that a pooler refuses, by its name. Only these are sent, `options` where PGOPTIONS has some. */
const refusedSettings: Readonly<Record<string, string>> = {
  statement_timeout: ignored,
  idle_in_transaction_session_timeout: ignored,
  options: 'unset PGOPTIONS, or add options to ignore_startup_parameters of PgBouncer',
}

const unreachable: Readonly<Record<string, string>> = {
  '28000': 'the server refuses the user',
  '28P01': 'the server refuses the password',
  '3D000': 'there is no such database',
  '53300': 'the server has no connection left',
  '57P03': 'the server is starting up or shutting down',
}
