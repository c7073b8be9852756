/** Malformed, unknown, revoked or expired token, or a disabled account: the same error for all of them. */
export interface TokenInvalid {
  readonly code: 'token_invalid'
}

/** Unknown or another account's access token. */
export interface AccessTokenNotFound {
  readonly code: 'access_token_not_found'
}
