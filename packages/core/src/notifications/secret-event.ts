import type { Uuid } from '../shared/uuid.ts'

/** What an owner can hear about a secret. */
export const secretEventTypes = ['secret.opened', 'secret.locked', 'secret.expired_unopened'] as const

/** One of {@link secretEventTypes}. */
export type SecretEventType = (typeof secretEventTypes)[number]

/** What an owner can hear about a request. */
export const requestEventTypes = ['request.answered', 'request.closed_unanswered'] as const

/** One of {@link requestEventTypes}. */
export type RequestEventType = (typeof requestEventTypes)[number]

/** What every event says. */
interface EventBase {
  /** The id, which is made with the event. It stays the same however often messages about it are sent. */
  readonly id: Uuid
  readonly accountId: Uuid
  readonly folderId: Uuid
  /** When it happened. */
  readonly createdAtMicros: number
  readonly expiresAtMicros: number
}

/** Something that happened to a secret whose owner wants to know. Holds nothing confidential: no label, note, token or password. */
export interface SecretEvent extends EventBase {
  readonly type: SecretEventType
  readonly secretId: Uuid
  /** Opens claimed so far, this one included. */
  readonly opens: number
  /** Opens that remain; `undefined` without limit. */
  readonly opensLeft: number | undefined
}

/** Something that happened to a request whose owner wants to know. Holds nothing confidential: no title, text, answer or token. */
export interface RequestEvent extends EventBase {
  readonly type: RequestEventType
  readonly requestId: Uuid
  /** Answers so far, this one included. */
  readonly answers: number
  /** Answers that remain. */
  readonly answersLeft: number
}

/** Something that an owner hears of. */
export type OwnerEvent = SecretEvent | RequestEvent

/** Whether an event is about a request. */
export function isRequestEvent(event: OwnerEvent): event is RequestEvent {
  return 'requestId' in event
}

/** The id of the secret or the request that an event is about. */
export function subjectOf(event: OwnerEvent): Uuid {
  return isRequestEvent(event) ? event.requestId : event.secretId
}
