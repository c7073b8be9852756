import type { EventBase } from '../shared/owner-event.ts'
import type { Uuid } from '../shared/uuid.ts'

/** What an owner can hear about a request. */
export const requestEventTypes = ['request.answered', 'request.closed_unanswered'] as const

/** One of {@link requestEventTypes}. */
export type RequestEventType = (typeof requestEventTypes)[number]

/** Something that happened to a request whose owner wants to know. Holds nothing confidential: no title, text, answer or token. */
export interface RequestEvent extends EventBase {
  readonly type: RequestEventType
  readonly requestId: Uuid
  /** Answers so far, this one included. */
  readonly answers: number
  /** Answers that remain. */
  readonly answersLeft: number
}
