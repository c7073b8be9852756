import type { EventStamp } from '../shared/owner-event.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { LinkedSecret, LinkRecord } from './link-store.ts'
import type { SecretEvent } from './secret-event.ts'
import { opensLeft } from './secret.ts'

/**
 * The link was opened.
 * @param opens opens claimed so far, this one included
 */
export function openedEvent(secret: LinkedSecret, opens: number, stamp: EventStamp): SecretEvent {
  return eventOf('secret.opened', secret, opens, stamp)
}

/** Wrong passwords locked the link, or disabled it for good. */
export function lockedEvent({ secret, state }: LinkRecord, stamp: EventStamp): SecretEvent {
  return eventOf('secret.locked', secret, state.opens, stamp)
}

/** The link expired without ever being opened; that happened at its expiry. */
export function expiredUnopenedEvent(secret: LinkedSecret, id: Uuid): SecretEvent {
  return eventOf('secret.expired_unopened', secret, 0, { id, atMicros: secret.link.expiresAtMicros })
}

function eventOf(
  type: SecretEvent['type'],
  { accountId, id: secretId, folderId, openLimit, link }: LinkedSecret,
  opens: number,
  { id, atMicros }: EventStamp,
): SecretEvent {
  return {
    id,
    type,
    accountId,
    secretId,
    folderId,
    createdAtMicros: atMicros,
    opens,
    opensLeft: opensLeft(openLimit, opens),
    expiresAtMicros: link.expiresAtMicros,
  }
}
