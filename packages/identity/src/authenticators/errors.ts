/** Nobody could sign in to the account any more. */
export interface LastAuthenticator {
  readonly code: 'last_way_in'
}
