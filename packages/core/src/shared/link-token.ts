import { base64From, urlAlphabet } from './base64.ts'

/**
 * The single path segment of a link: 32 bytes in base64url without padding (RFC 4648, section 5), 43 characters. Of the bits, 224 are
 * random, and 32 carry the masked second in which the token was made; see `Digests.makeLinkToken`.
 */
export type LinkToken = string

/** Random bytes that one link token needs. */
export const linkTokenRandomBytes = 28

const linkTokenBytes = 32

const linkTokenLength = 43

/** The kind of each ASCII code: 0 for no character of the alphabet, 1 for one, 3 for one that a token may end with. */
const places = new Uint8Array(128)
for (const character of urlAlphabet) places[character.charCodeAt(0)] = 1
for (const character of 'AEIMQUYcgkosw048') places[character.charCodeAt(0)] = 3

/**
 * Whether `text` has the form of a link token: 42 free characters and a last one that carries four bits, so that each token has exactly one
 * spelling. A wrong character takes the same time as none, unlike in a regular expression.
 */
export function isLinkToken(text: string): text is LinkToken {
  if (text.length !== linkTokenLength) return false
  let allowed = (places[text.charCodeAt(linkTokenLength - 1)] ?? 0) >> 1
  for (let at = 0; at < linkTokenLength; at += 1) allowed &= places[text.charCodeAt(at)] ?? 0
  return allowed === 1
}

/**
 * Spells a link token.
 * @param bytes the token's 32 bytes
 */
export function linkTokenFrom(bytes: Uint8Array): LinkToken {
  if (bytes.length !== linkTokenBytes) throw new TypeError('a link token has 32 bytes')
  return base64From(bytes, urlAlphabet)
}

/** A token that no link has: a malformed one is looked up as this one, so that it takes the same path as an unknown one. */
export const noLinkToken: LinkToken = linkTokenFrom(new Uint8Array(linkTokenBytes))
