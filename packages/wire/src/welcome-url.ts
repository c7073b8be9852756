/**
 * The URL of a one-time link, with which somebody chooses a password.
 * @param baseUrl the bare origin of the owner's pages, without a slash at its end
 */
export function welcomeUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/welcome/${token}`
}
