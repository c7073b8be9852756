import type { RequestEvent } from '../../requests/request-event.ts'
import type { SecretEvent } from '../../secrets/secret-event.ts'
import type { Uuid } from '../../shared/uuid.ts'

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
