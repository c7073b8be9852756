/** Unknown or another account's access token. */
export interface AccessTokenNotFound {
  readonly code: 'access_token_not_found'
}
export const accessTokenNotFound: AccessTokenNotFound = { code: 'access_token_not_found' }
