/** Malformed, unknown, expired, spent or replaced one-time link, or a disabled account: the same error for all of them. */
export interface InvitationNotFound {
  readonly code: 'welcome_not_found'
}
export const invitationNotFound: InvitationNotFound = { code: 'welcome_not_found' }
