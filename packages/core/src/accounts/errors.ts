/** There is no such account. */
export interface AccountNotFound {
  readonly code: 'account_not_found'
}
export const accountNotFound: AccountNotFound = { code: 'account_not_found' }

/** Another account has this email address, or this id of an embedding application. */
export interface AccountExists {
  readonly code: 'account_exists'
}

/** The account is disabled: nobody can sign in to it. */
export interface AccountDisabled {
  readonly code: 'account_disabled'
}

/** Malformed, unknown, revoked or expired token, or a disabled account: the same error for all of them. */
export interface TokenInvalid {
  readonly code: 'token_invalid'
}
