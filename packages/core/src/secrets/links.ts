import { isLinkToken, linkTokenRandomBytes, noLinkToken, type LinkToken } from '../shared/link-token.ts'
import { expiryOf, type ShareableSecret } from './secret.ts'
import type { Digests } from '../shared/digests.ts'
import type { Random } from '../shared/random.ts'
import type { StoredLink } from './secret-store.ts'

// What the use-cases of links have in common.

/** A link that is not stored yet: its token in plaintext, and what is stored of it. */
export interface NewLink {
  readonly token: LinkToken
  readonly stored: StoredLink
}

export interface MakeLinkDeps {
  readonly digests: Pick<Digests, 'makeLinkToken' | 'linkLookup'>
  readonly random: Random
}

/** Makes the link of a secret that is shared at `nowMicros`. */
export function makeLink(
  { random, digests }: MakeLinkDeps,
  nowMicros: number,
  lifetimeSeconds: number | undefined,
): NewLink {
  const token = digests.makeLinkToken(random.bytes(linkTokenRandomBytes), nowMicros)
  const stored = {
    lookup: digests.linkLookup(token),
    createdAtMicros: nowMicros,
    expiresAtMicros: expiryOf(nowMicros, lifetimeSeconds),
  }
  return { token, stored }
}

/** The link as its owner sees it, with its expiry. */
export function showLink({ token, stored }: NewLink): Pick<ShareableSecret, 'link' | 'expiresAtMicros'> {
  const { createdAtMicros, expiresAtMicros } = stored
  return { link: { token, createdAtMicros }, expiresAtMicros }
}

/** The lookup of a token as a recipient sent it; that of a malformed token finds nothing. */
export function lookupOf(digests: Pick<Digests, 'linkLookup'>, token: string): Uint8Array {
  return digests.linkLookup(isLinkToken(token) ? token : noLinkToken)
}
