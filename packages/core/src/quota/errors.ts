/** The calls of the minute or of the day are spent. */
export interface QuotaExceeded {
  readonly code: 'quota_exceeded'
  /** When the window that blocks ends, in microseconds since the epoch. */
  readonly resetAtMicros: number
  readonly retryAfterSeconds: number
}

/** Too many failed attempts to sign in, or too many simultaneous ones: try again after `retryAfterSeconds`. */
export interface SignInLocked {
  readonly code: 'sign_in_locked'
  readonly reason: 'wrong_passwords' | 'attempts_under_way'
  readonly retryAfterSeconds: number
}
