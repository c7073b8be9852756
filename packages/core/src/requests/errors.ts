/** Unknown, expired, full or closed request, or another account's: the same error for all of them. */
export interface RequestNotFound {
  readonly code: 'request_not_found'
}

/** Too many answers were handed in from this address: try again after `retryAfterSeconds`. */
export interface TooManyAnswers {
  readonly code: 'too_many_answers'
  readonly retryAfterSeconds: number
}
