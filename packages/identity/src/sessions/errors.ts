/** Unknown or another account's session. */
export interface SessionNotFound {
  readonly code: 'session_not_found'
}
export const sessionNotFound: SessionNotFound = { code: 'session_not_found' }

/** Malformed, unknown or ended session, or a disabled account: the same error for all of them. */
export interface SessionInvalid {
  readonly code: 'session_invalid'
}
export const sessionInvalid: SessionInvalid = { code: 'session_invalid' }
