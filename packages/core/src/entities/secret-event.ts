import type { Uuid } from './uuid.ts'

/** What an owner can hear about a secret. */
export const secretEventTypes = ['secret.opened', 'secret.locked', 'secret.expired_unopened'] as const

/** One of {@link secretEventTypes}. */
export type SecretEventType = (typeof secretEventTypes)[number]

/** Something that happened to a secret whose owner wants to know. Holds nothing confidential: no label, note, token or password. */
export interface SecretEvent {
  /** Made with the event; stays the same however often messages about it are sent. */
  readonly id: Uuid
  readonly type: SecretEventType
  readonly accountId: Uuid
  readonly secretId: Uuid
  readonly folderId: Uuid
  /** When it happened. */
  readonly createdAtMicros: number
  /** Opens claimed so far, this one included. */
  readonly opens: number
  /** Opens that remain; `undefined` without limit. */
  readonly opensLeft: number | undefined
  readonly expiresAtMicros: number
}
