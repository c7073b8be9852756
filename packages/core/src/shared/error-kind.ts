/**
 * What an error means for whoever asked, whatever it is about. Statuses, pages and texts follow from it: an error of a new code needs one
 * of its own only where it says more than its kind.
 * - `not_found`: there is no such thing, or it is somebody else's. Its code says what: `folder_not_found`.
 * - `gone`: it was there, and is not any more.
 * - `invalid`: what was sent breaks a rule.
 * - `too_large`: what was sent has more bytes than are taken.
 * - `unsupported`: nothing of this sort is taken here.
 * - `unproven`: a password, token, session or other proof is missing or wrong.
 * - `refused`: whoever asks may not have it.
 * - `conflict`: what is stored does not allow it, or has changed meanwhile.
 * - `limited`: it was tried too often: try again after `retryAfterSeconds`.
 * - `busy`: it cannot be done at this moment, and nothing was changed.
 * - `unavailable`: it cannot be done until something outside is mended, which may last.
 * - `failed`: trying again does not help, and the operator has to look.
 */
export type ErrorKind =
  | 'not_found'
  | 'gone'
  | 'invalid'
  | 'too_large'
  | 'unsupported'
  | 'unproven'
  | 'refused'
  | 'conflict'
  | 'limited'
  | 'busy'
  | 'unavailable'
  | 'failed'

/** The kinds of the errors of a capability, by their codes. */
export type ErrorKinds = Readonly<Record<string, ErrorKind>>

/** The codes of one kind among those of a table. */
export type CodesOfKind<Kinds extends ErrorKinds, Kind extends ErrorKind> = {
  [Code in keyof Kinds]: Kinds[Code] extends Kind ? Code : never
}[keyof Kinds]

/** What an error says is missing, in English: `access token` of `access_token_not_found`. */
export function missingOf(code: string): string {
  return code.replace(/_not_found$/, '').replaceAll('_', ' ')
}
