import type { ErrorKinds } from '@sotto/core/building-blocks'

/** Malformed, unknown, expired, spent or replaced link of a changed email address, or a disabled account: the same error for all of them. */
export interface EmailChangeNotFound {
  readonly code: 'email_change_not_found'
}

export const emailChangeErrorKinds = {
  email_change_not_found: 'not_found',
} as const satisfies ErrorKinds
