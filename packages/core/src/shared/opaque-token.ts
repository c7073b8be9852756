import { isLinkToken, linkTokenFrom } from './link-token.ts'

/**
 * The token of a session or of a one-time link: 32 random bytes in base64url without padding (RFC 4648, section 5), 43 characters. Only
 * its digest is stored.
 */
export type OpaqueToken = string

/** Random bytes that one token needs. */
export const opaqueTokenRandomBytes = 32

/**
 * Spells a token.
 * @param random {@link opaqueTokenRandomBytes} random bytes
 */
export function makeOpaqueToken(random: Uint8Array): OpaqueToken {
  return linkTokenFrom(random)
}

/** Whether `text` has the form of a token. Says nothing about its existence. */
export function isOpaqueToken(text: string): text is OpaqueToken {
  return isLinkToken(text)
}
