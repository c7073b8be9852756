/**
 * The URL of a one-time link, with which somebody chooses a password.
 * @param baseUrl the bare origin of the owner's pages, without a slash at its end
 */
export function invitationUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/welcome/${token}`
}

/**
 * The URL of the link that confirms a new email address.
 * @param baseUrl as in {@link invitationUrl}
 */
export function confirmUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/confirm/${token}`
}
