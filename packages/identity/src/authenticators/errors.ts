import type { ErrorKinds } from '@sotto/core/building-blocks'

/** Nobody could sign in to the account any more. */
export interface LastAuthenticator {
  readonly code: 'last_way_in'
}

export const authenticatorErrorKinds = {
  last_way_in: 'conflict',
} as const satisfies ErrorKinds
