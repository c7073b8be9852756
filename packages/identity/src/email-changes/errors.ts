/** Malformed, unknown, expired, spent or replaced link of a changed email address, or a disabled account: the same error for all of them. */
export interface EmailChangeNotFound {
  readonly code: 'email_change_not_found'
}
export const emailChangeNotFound: EmailChangeNotFound = { code: 'email_change_not_found' }
