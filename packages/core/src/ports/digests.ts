import type { LinkToken } from '../entities/link-token.ts'

/**
 * One-way names under which things are found without being kept. No method throws. All of them are deterministic for one
 * installation; keyed ones change with the active key.
 */
export interface Digests {
  /** SHA-256 of an access token: 32 bytes. Unkeyed: the token is random enough. */
  accessTokenHash(token: string): Uint8Array

  /** SHA-256 of a domain prefix and the link token's 32 bytes: 32 bytes, independent of the key ring. */
  linkLookup(token: LinkToken): Uint8Array

  /**
   * Keyed indexes of a normalised email, 32 bytes each, one for every key in the ring; the active key's comes first.
   * New rows are kept under the first, look-ups try all of them.
   */
  emailIndexes(email: string): readonly [Uint8Array, ...Uint8Array[]]

  /** Keyed name of a client's network address, for its quota bucket: short ASCII text that does not reveal the address. */
  addressBucket(address: string): string
}
