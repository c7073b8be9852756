import { isLinkToken, linkTokenRandomBytes, noLinkToken, type LinkToken } from '../shared/link-token.ts'
import { expiryOf, type ShareableSecret } from './secret.ts'
import type { Digests } from '../shared/digests.ts'
import type { DepsOf } from '../shared/use-case.ts'
import type { StoredLink } from './secret-store.ts'

// What the use-cases of links have in common.

/** A link that is not stored yet: its token in plaintext, and what is stored of it. */
export interface NewLink {
  readonly token: LinkToken
  readonly stored: StoredLink
}

/** What {@link makeLink} needs. */
export const linkNeeds = ['digests.makeLinkToken', 'digests.linkLookup', 'random.bytes'] as const

/** Makes the link of a secret that is shared at `nowMicros`. */
export function makeLink(
  { random, digests }: DepsOf<(typeof linkNeeds)[number]>,
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
