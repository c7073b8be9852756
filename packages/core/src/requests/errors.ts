/** Unknown, expired, full or closed request, or another account's: the same error for all of them. */
export interface RequestNotFound {
  readonly code: 'request_not_found'
}
export const requestNotFound: RequestNotFound = { code: 'request_not_found' }

/** Too many answers were handed in from this address: try again after `retryAfterSeconds`. */
export interface TooManyAnswers {
  readonly code: 'too_many_answers'
  readonly retryAfterSeconds: number
}

/** The answers of the request have to be encrypted for its owner, and this one is not, or is too long. */
export interface AnswerNotSealed {
  readonly code: 'answer_not_sealed'
}
export const answerNotSealed: AnswerNotSealed = { code: 'answer_not_sealed' }

/** The answer has files, and the request takes none, or the installation does not. */
export interface AnswerWithoutFiles {
  readonly code: 'answer_without_files'
}
export const answerWithoutFiles: AnswerWithoutFiles = { code: 'answer_without_files' }
