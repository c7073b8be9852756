/**
 * The URL of the link that confirms a new email address.
 * @param baseUrl the bare origin of the owner's pages, without a slash at its end
 */
export function confirmUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/confirm/${token}`
}
