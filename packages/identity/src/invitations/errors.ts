import type { ErrorKinds } from '@sotto/core/building-blocks'

/** Malformed, unknown, expired, spent or replaced one-time link, or a disabled account: the same error for all of them. */
export interface InvitationNotFound {
  readonly code: 'welcome_not_found'
}

export const invitationErrorKinds = {
  welcome_not_found: 'not_found',
} as const satisfies ErrorKinds
