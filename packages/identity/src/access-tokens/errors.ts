import type { ErrorKinds } from '@sotto/core/building-blocks'

/** Unknown or another account's access token. */
export interface AccessTokenNotFound {
  readonly code: 'access_token_not_found'
}

export const accessTokenErrorKinds = {
  access_token_not_found: 'not_found',
} as const satisfies ErrorKinds
