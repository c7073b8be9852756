import type { EventBase } from '../shared/owner-event.ts'
import type { Uuid } from '../shared/uuid.ts'

/** What an owner can hear about a secret. */
export const secretEventTypes = ['secret.opened', 'secret.locked', 'secret.expired_unopened'] as const

/** One of {@link secretEventTypes}. */
export type SecretEventType = (typeof secretEventTypes)[number]

/** Something that happened to a secret whose owner wants to know. Holds nothing confidential: no label, note, token or password. */
export interface SecretEvent extends EventBase {
  readonly type: SecretEventType
  readonly secretId: Uuid
  /** Opens claimed so far, this one included. */
  readonly opens: number
  /** Opens that remain; `undefined` without limit. */
  readonly opensLeft: number | undefined
}
