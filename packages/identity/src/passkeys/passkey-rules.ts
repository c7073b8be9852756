import { aString, anObjectOf, equalBytes, type Guard } from '@sotto/core/building-blocks'
import type { ReadPasskey } from './passkey-verifier.ts'

/** The service as passkeys know it. Both are made of the base URL, never of a request. */
export interface RelyingParty {
  /** The host, to which a passkey belongs for good. */
  readonly id: string
  /** The origin, exactly as browsers must name it where the passkey was made or used, such as `https://sotto.example.org`. */
  readonly origin: string
}

const aRelyingParty: Guard<RelyingParty> = anObjectOf({ id: aString, origin: aString })

/** What a use-case takes that is called from a page of ours. */
export const onPage = {
  /** The service as passkeys know it, made of the base URL. */
  relyingParty: aRelyingParty,
} as const

/**
 * Why a passkey is refused. For the operator.
 * - `challenge`: it is not from a page of this service for this purpose, or the page was open for more than 10 minutes.
 * - `challenge_used`: it was sent before.
 * - `credential`: what was made has another id than what was sent, or none.
 * - `unknown`: no account has this passkey.
 * - `user_handle`: the authenticator keeps it for another account, or it is of another account than the one that was asked for.
 * - `counter`: its counter stands still or goes backwards: there is a copy of it.
 * - the others: what their names say.
 */
export type PasskeyFault =
  | 'malformed'
  | 'type'
  | 'challenge'
  | 'challenge_used'
  | 'origin'
  | 'cross_origin'
  | 'relying_party'
  | 'user_absent'
  | 'user_unverified'
  | 'backup_flags'
  | 'credential'
  | 'unknown'
  | 'account_disabled'
  | 'user_handle'
  | 'signature'
  | 'counter'

/** What is wrong with a passkey that was made (WebAuthn 3, section 7.1); `undefined` when nothing is. The challenge is checked elsewhere. */
export function registrationFault(read: ReadPasskey, { origin }: RelyingParty): PasskeyFault | undefined {
  const fault = passkeyFault(read, 'webauthn.create', origin)
  if (fault !== undefined) return fault
  const { attested, credentialId } = read
  return attested !== undefined && equalBytes(attested.credentialId, credentialId) ? undefined : 'credential'
}

/** What is wrong with a passkey that was used (section 7.2), its challenge, signature, counter and owner aside. */
export function assertionFault(read: ReadPasskey, { origin }: RelyingParty): PasskeyFault | undefined {
  return passkeyFault(read, 'webauthn.get', origin)
}

function passkeyFault(read: ReadPasskey, type: string, origin: string): PasskeyFault | undefined {
  if (read.type !== type) return 'type'
  if (read.origin !== origin) return 'origin'
  if (read.isCrossOrigin) return 'cross_origin'
  if (!read.isForRelyingParty) return 'relying_party'
  if (!read.isUserPresent) return 'user_absent'
  if (!read.isUserVerified) return 'user_unverified'
  return read.isBackedUp && !read.isBackupEligible ? 'backup_flags' : undefined
}

/**
 * Whether a passkey's counter may follow the stored one: it grows with each use, or the authenticator does not count. One that stands still
 * or goes backwards shows that there is a copy of the passkey (section 6.1.1).
 */
export function isCounterFollowing(stored: number, sent: number): boolean {
  return sent > stored || (sent === 0 && stored === 0)
}
