import type { LinkToken } from './link-token.ts'
import type { OpaqueToken } from './opaque-token.ts'

/** The kind of token that a digest is of. */
export type OpaqueTokenPurpose =
  | 'session'
  | 'welcome'
  | 'email-change'
  | 'request'
  | 'provider-session'
  | 'logout-token'
  | 'passkey-challenge'
  | 'passkey-credential'
  | 'file-ticket'
  | 'sealed'

/** What a keyed digest is for. */
export type KeyedDigestPurpose =
  | 'sign-in-attempts'
  | 'known-address'
  | 'idempotency-key'
  | 'idempotent-request'
  | 'identity'
  | 'passkey-challenge'

/**
 * One-way digests under which things are found without storing them, and the link tokens, which take one to make. No method throws. All
 * of them are deterministic for one installation; keyed ones change with the active key.
 */
export interface Digests {
  /** SHA-256 of an access token: 32 bytes. Unkeyed: the token is random enough. */
  accessTokenDigest(token: string): Uint8Array

  /**
   * Makes a link token: m ‖ `random`. Here m is the Unix second of `atMicros` (32 bits, big-endian) XOR the first 4 bytes of a digest of
   * the installation's id and `random`. Without the installation's id the time cannot be read from the token.
   * @param random `linkTokenRandomBytes` random bytes
   */
  makeLinkToken(random: Uint8Array, atMicros: number): LinkToken

  /**
   * The lookup under which a link is found: the second in which its token was made (4 bytes, big-endian) ‖ the first 28 bytes of a SHA-256.
   * The SHA-256 is that of a domain prefix and the token's 32 bytes. 32 bytes, independent of the key ring. Lookups of links that were made
   * later sort later, so an index of lookups grows at its end.
   */
  linkLookup(token: LinkToken): Uint8Array

  /**
   * Keyed indexes of an account's name (`accountNameText`), 32 bytes each, one for every key in the ring; the active key's comes first.
   * New rows are stored under the first, look-ups try all of them.
   */
  accountIndexes(name: string): readonly [Uint8Array, ...Uint8Array[]]

  /**
   * SHA-256 of a domain prefix and the token of a session, of a one-time link, of the link that confirms an email address, of that of a
   * request, of the ticket of an opened link's files, or of the proof of a sealed secret's key: 32 bytes, another for each purpose. Unkeyed:
   * the token is random enough. Also of what gives nobody access: a session at an identity provider, its logout token, the challenge and the credential of a passkey.
   */
  opaqueTokenDigest(purpose: OpaqueTokenPurpose, token: OpaqueToken): Uint8Array

  /**
   * Keyed digests of a text, 32 bytes each, one for every key in the ring; the active key's comes first. Another for each purpose. They do
   * not reveal the text.
   */
  keyedDigests(purpose: KeyedDigestPurpose, text: string): readonly [Uint8Array, ...Uint8Array[]]

  /** Keyed name of a client's network address, for its quota bucket: short ASCII text that does not reveal the address. */
  addressBucket(address: string): string
}
