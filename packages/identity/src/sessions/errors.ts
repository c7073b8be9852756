import type { ErrorKinds } from '@sotto/core/building-blocks'

/** Unknown or another account's session. */
export interface SessionNotFound {
  readonly code: 'session_not_found'
}

/** Malformed, unknown or ended session, or a disabled account: the same error for all of them. */
export interface SessionInvalid {
  readonly code: 'session_invalid'
}

export const sessionErrorKinds = {
  session_not_found: 'not_found',
  session_invalid: 'unproven',
} as const satisfies ErrorKinds
