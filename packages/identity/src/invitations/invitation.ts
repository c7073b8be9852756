import type { InvitationKind } from '@sotto/core'

/** How long a one-time link can be used, in microseconds: an invitation 72 hours, a reset 1 hour. */
export const invitationLifetimeMicros: Readonly<Record<InvitationKind, number>> = {
  invite: 72 * 3_600 * 1_000_000,
  reset: 3_600 * 1_000_000,
}
