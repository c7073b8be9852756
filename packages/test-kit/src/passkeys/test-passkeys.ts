import type { SentAssertion, SentPasskey } from '@sotto/identity'

/** How a passkey is made or used in a test. What is absent is as it should be. */
export interface PasskeyCeremony {
  readonly challenge: string
  readonly rpId: string
  readonly origin: string
  readonly type?: string
  /** Whether it happens in a frame of another origin; absent by default. */
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  /** True by default. */
  readonly isUserPresent?: boolean
  /** True by default. */
  readonly isUserVerified?: boolean
  /** See `ReadPasskey`. */
  readonly isBackupEligible?: boolean
  /** See `ReadPasskey`. */
  readonly isBackedUp?: boolean
  /** 0 by default: the authenticator does not count. */
  readonly signCount?: number
}

/** A passkey on an authenticator that is a program. */
export interface TestPasskey {
  /** The id of the credential, in base64url. */
  readonly credentialId: string
  /** What a browser sends after it was made. */
  made(ceremony: PasskeyCeremony): SentPasskey
  /** What a browser sends after it was used. */
  used(ceremony: PasskeyCeremony & { readonly userHandle: string }): SentAssertion
}

/** The client data of a ceremony, as browsers write it. */
export function clientDataOf(
  { type, challenge, origin, crossOrigin = false, topOrigin }: PasskeyCeremony,
  usualType: string,
): string {
  const data = { type: type ?? usualType, challenge, origin, crossOrigin, topOrigin }
  return Buffer.from(JSON.stringify(data)).toString('base64url')
}
