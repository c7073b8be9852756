import type { LinkToken } from '../shared/link-token.ts'
import type { Uuid } from '../shared/uuid.ts'

/** How long a shareable secret lives by default and at most, counted from when its link was made: 30 days, in microseconds. */
export const secretLifetimeMicros = 30 * 86_400 * 1_000_000

/** How long an owner may share a secret, in seconds: an hour, a day, a week, or 30 days. */
export const lifetimesSeconds = [3_600, 86_400, 604_800, 2_592_000] as const

/** One of {@link lifetimesSeconds}. */
export type Lifetime = (typeof lifetimesSeconds)[number]

/** What the owner's pages propose, in seconds: a week. Through the API a secret lives {@link secretLifetimeMicros}. */
export const pageLifetimeSeconds: Lifetime = 604_800

/** The lifetime of this many seconds; `undefined` when no secret may have it. */
export function parseLifetime(seconds: number): Lifetime | undefined {
  return lifetimesSeconds.find((lifetime) => lifetime === seconds)
}

/**
 * A secret without a link, as its owner sees it. It counts in its folder's `draftsCount` and appears in no list of secrets. The note is
 * not part of it: only opening the link reads it.
 */
export interface Draft {
  readonly id: Uuid
  readonly folderId: Uuid
  readonly label: string
  readonly createdAtMicros: number
  /** How often recipients may open it; `undefined` means without limit. */
  readonly openLimit: number | undefined
  /** Whether the owner hears what happens to it. */
  readonly notify: boolean
  /** Whether opening its link will take a password. */
  readonly hasPassword: boolean
}

/** A secret that a recipient can open by its link until it expires. */
export interface ShareableSecret extends Draft {
  readonly link: Link
  /** {@link secretLifetimeMicros} after `link.createdAtMicros`, unless a shorter lifetime was chosen. */
  readonly expiresAtMicros: number
}

/** The link of a secret. `token` opens it and is confidential. */
export interface Link {
  readonly token: LinkToken
  readonly createdAtMicros: number
}

/**
 * When a secret expires that is shared at `sharedAtMicros`.
 * @param lifetimeSeconds 30 days by default
 */
export function expiryOf(sharedAtMicros: number, lifetimeSeconds?: Lifetime): number {
  return sharedAtMicros + (lifetimeSeconds === undefined ? secretLifetimeMicros : lifetimeSeconds * 1_000_000)
}

/** A secret is gone from the moment of its expiry on. */
export function isExpired(expiresAtMicros: number, nowMicros: number): boolean {
  return expiresAtMicros <= nowMicros
}

/** Opens that remain after `opens` of them; `undefined` without limit. */
export function opensLeft(openLimit: number | undefined, opens: number): number | undefined {
  return openLimit === undefined ? undefined : Math.max(0, openLimit - opens)
}
