import type { LinkToken } from './link-token.ts'
import type { Uuid } from './uuid.ts'

/** How long a shareable secret lives, counted from the making of its link: 30 days, in microseconds. */
export const secretLifetimeMicros = 30 * 86_400 * 1_000_000

/** What drafts and shareable secrets have in common. The note is not part of it: only opening the link reads it. */
interface SecretBase {
  readonly id: Uuid
  readonly folderId: Uuid
  readonly label: string
  readonly createdAtMicros: number
  /** How often recipients may open it; 0 means without limit. */
  readonly openLimit: number
  readonly notify: boolean
  readonly hasPassword: boolean
}

/** A secret without a link. It counts in its folder's `draftsCount` and appears in no list of secrets. */
export type Draft = SecretBase

/** A secret that a recipient can open by its link until it expires. */
export interface ShareableSecret extends SecretBase {
  readonly link: Link
  /** Exactly {@link secretLifetimeMicros} after `link.createdAtMicros`. */
  readonly expiresAtMicros: number
}

export interface Link {
  readonly token: LinkToken
  readonly createdAtMicros: number
}

/** The moment at which a secret expires that is shared at `sharedAtMicros`. */
export function expiryOf(sharedAtMicros: number): number {
  return sharedAtMicros + secretLifetimeMicros
}

/** A secret is gone from the very moment named by its expiry. */
export function isExpired(expiresAtMicros: number, nowMicros: number): boolean {
  return expiresAtMicros <= nowMicros
}
