import type { ProvenIdentity } from '@sotto/identity'
import { Refused } from './failure.ts'

export type Claims = Readonly<Record<string, unknown>>

/** What may decide about a person besides their identity. */
type Details = Pick<ProvenIdentity, 'email' | 'emailVerified' | 'groups'>

/** The seconds by which two clocks may differ. */
export const toleranceSeconds = 60

/** The most groups that are read: more than any directory names for a person. */
const groupsMax = 5_000

/** Says whether the email address and the groups, which may decide about somebody, are missing in the claims. */
export function missingIn(claims: Claims, groupsClaim: string): { email: boolean; groups: boolean } {
  return { email: typeof claims['email'] !== 'string', groups: claims[groupsClaim] === undefined }
}

/** The identity that the claims of an ID token prove, whose signature was verified. */
export function identityOf(issuer: string, idToken: Claims, groupsClaim: string): ProvenIdentity {
  const authTime = idToken['auth_time']
  return {
    issuer,
    subject: nameOf(idToken['sub']) ?? refuse(),
    sessionId: nameOf(idToken['sid']),
    ...detailsOf(idToken, {}, groupsClaim),
    authenticatedAtMicros: typeof authTime === 'number' ? Math.round(authTime * 1e6) : undefined,
  }
}

/**
 * What may decide about the person, taken from the ID token where it has it.
 * @param userinfo of the same subject; an address counts only with the `email_verified` beside it
 */
export function detailsOf(idToken: Claims, userinfo: Claims, groupsClaim: string): Details {
  const withEmail = typeof idToken['email'] === 'string' ? idToken : userinfo
  const { email, email_verified: verified } = withEmail as { email?: unknown; email_verified?: unknown }
  return {
    email: typeof email === 'string' ? email : undefined,
    emailVerified: verified === true,
    groups: groupsOf(idToken[groupsClaim] ?? userinfo[groupsClaim]),
  }
}

/** A list, or one text that is one group. */
function groupsOf(claim: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  if (list.length > groupsMax) throw new Refused('too_large')
  return list.filter((group) => typeof group === 'string')
}

/** The provider's name of a person or a session. @throws Refused when it is no text of 1 to 255 characters */
export function nameOf(claim: unknown): string | undefined {
  if (claim === undefined) return undefined
  if (typeof claim !== 'string' || claim === '' || claim.length > 255) return refuse()
  return claim
}

function refuse(): never {
  throw new Refused('malformed')
}
