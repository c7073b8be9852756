import type { ErrorKinds } from '../shared/error-kind.ts'

/** Unknown, expired, full or closed request, or another account's: the same error for all of them. */
export interface RequestNotFound {
  readonly code: 'request_not_found'
}

/** Too many answers were handed in from this address: try again after `retryAfterSeconds`. */
export interface TooManyAnswers {
  readonly code: 'too_many_answers'
  readonly retryAfterSeconds: number
}

/** The answers of the request have to be encrypted for its owner, and this one is not, or is too long. */
export interface AnswerNotSealed {
  readonly code: 'answer_not_sealed'
}

/** The answer has files, and the request takes none, or the installation does not. */
export interface AnswerWithoutFiles {
  readonly code: 'answer_without_files'
}

export const requestErrorKinds = {
  request_not_found: 'not_found',
  too_many_answers: 'limited',
  answer_not_sealed: 'invalid',
  answer_without_files: 'unsupported',
} as const satisfies ErrorKinds
