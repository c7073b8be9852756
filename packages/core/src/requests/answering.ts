import { err, ok, type Result } from 'neverthrow'
import { isExpired } from '../secrets/secret.ts'
import type { RequestEvent } from './request-event.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { RequestNotFound, TooManyAnswers } from './errors.ts'
import type { AnswerChange, FoundRequest, RequestRecord, StoredRequest } from './request-store.ts'
import type { AttemptState } from '../shared/attempts.ts'
import type { EventStamp } from '../shared/owner-event.ts'
import { addressAttemptLimits, countMail } from '../quota/sign-in-attempts.ts'

/** Answers that a request can still take at `nowMicros`: 0 once it is closed, full or over. */
export function answersLeft({ request, state }: RequestRecord, nowMicros: number): number {
  if (isExpired(request.closesAtMicros, nowMicros) || state.closedAtMicros !== undefined) return 0
  return Math.max(0, request.answersAllowed - state.answers)
}

/** When and how an answer is handed in. */
interface Answering {
  readonly nowMicros: number
  /** Names the attempt to answer: random. */
  readonly attemptId: string
  /** The id of the event that the answer causes; `undefined` for a request without `notify`, which has no events. */
  readonly eventId: Uuid | undefined
}

/** When the answer was received; or the reason for a refusal, with a correction of the bucket that has to be stored all the same. */
export type AnswerDecision = AnswerChange &
  (
    | { readonly receivedAtMicros: number; readonly isRepeated: boolean; readonly refused?: undefined }
    | { readonly refused: TooManyAnswers }
  )

/**
 * Decides about an answer: counts it for the request and for the address it comes from. A form that has handed in an answer before gets the
 * same receipt again, also when the request is closed or full by now, and changes nothing. The owner of a request with `notify` hears of it.
 */
export function decideAnswer(
  found: FoundRequest,
  { nowMicros, attemptId, eventId }: Answering,
): Result<AnswerDecision, RequestNotFound | TooManyAnswers> {
  const { request, state, attempts, receivedAtMicros } = found
  if (receivedAtMicros !== undefined) return ok({ receivedAtMicros, isRepeated: true })
  if (answersLeft(found, nowMicros) === 0) return err({ code: 'request_not_found' })
  const counted = countAnswer(attempts, { nowMicros, attemptId })
  if (counted.isErr()) return err(counted.error)
  const { bucket, refused } = counted.value
  if (refused !== undefined) return ok({ bucket, refused })
  const answers = state.answers + 1
  return ok({
    bucket,
    accepted: { answers, receivedAtMicros: nowMicros },
    ...(eventId === undefined
      ? {}
      : { events: [answeredEvent(request, answers, { id: eventId, atMicros: nowMicros })] }),
    receivedAtMicros: nowMicros,
    isRepeated: false,
  })
}

/**
 * Why an address cannot hand in an answer now; `undefined` when it can. Never more than 20 are accepted within an hour. A refusal with a
 * correction is left to {@link decideAnswer}, which stores it.
 */
export function answerRefused(attempts: AttemptState, nowMicros: number): TooManyAnswers | undefined {
  const counted = countAnswer(attempts, { nowMicros, attemptId: '' })
  return counted.isErr() ? counted.error : undefined
}

function countAnswer(
  attempts: AttemptState,
  counting: Pick<Answering, 'nowMicros' | 'attemptId'>,
): Result<
  { readonly bucket: AnswerChange['bucket']; readonly refused: TooManyAnswers | undefined },
  TooManyAnswers
> {
  const refusalOf = ({ retryAfterSeconds }: { readonly retryAfterSeconds: number }): TooManyAnswers => ({
    code: 'too_many_answers',
    retryAfterSeconds,
  })
  return countMail([attempts], [addressAttemptLimits], counting)
    .map(({ buckets: [bucket], refused }) => ({ bucket, refused: refused && refusalOf(refused) }))
    .mapErr(refusalOf)
}

/** An answer was handed in. */
function answeredEvent(request: StoredRequest, answers: number, stamp: EventStamp): RequestEvent {
  return eventOf('request.answered', request, answers, stamp)
}

/** The request has ended without an answer: the event is of the time when it closed. */
export function closedUnansweredEvent(request: StoredRequest, id: Uuid): RequestEvent {
  return eventOf('request.closed_unanswered', request, 0, { id, atMicros: request.closesAtMicros })
}

function eventOf(
  type: RequestEvent['type'],
  { id: requestId, accountId, folderId, answersAllowed, closesAtMicros }: StoredRequest,
  answers: number,
  { id, atMicros }: EventStamp,
): RequestEvent {
  return {
    ...{ id, type, accountId, requestId, folderId, answers, answersLeft: answersAllowed - answers },
    createdAtMicros: atMicros,
    expiresAtMicros: closesAtMicros,
  }
}
