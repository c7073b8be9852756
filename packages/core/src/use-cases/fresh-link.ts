import { linkTokenFrom, linkTokenRandomBytes, type LinkToken } from '../entities/link-token.ts'
import { expiryOf, type ShareableSecret } from '../entities/secret.ts'
import type { Ports } from '../ports/ports.ts'
import type { StoredLink } from '../ports/secret-store.ts'

/** A link that is made but not kept yet: its token in plain, and what the store keeps of it. */
export interface FreshLink {
  readonly token: LinkToken
  readonly stored: StoredLink
}

/** Makes the link of a secret that is shared at `nowMicros`. */
export function freshLink(
  { random, digests }: Pick<Ports, 'random' | 'digests'>,
  nowMicros: number,
): FreshLink {
  const token = linkTokenFrom(random.bytes(linkTokenRandomBytes))
  const stored = {
    lookup: digests.linkLookup(token),
    createdAtMicros: nowMicros,
    expiresAtMicros: expiryOf(nowMicros),
  }
  return { token, stored }
}

/** The link as the owner sees it, with the expiry that it brings. */
export function shownLink({ token, stored }: FreshLink): Pick<ShareableSecret, 'link' | 'expiresAtMicros'> {
  const { createdAtMicros, expiresAtMicros } = stored
  return { link: { token, createdAtMicros }, expiresAtMicros }
}
