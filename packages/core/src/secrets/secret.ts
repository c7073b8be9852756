import type { LinkToken } from '../shared/link-token.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { SealedMark } from '../sealed/sealed-note.ts'

/** How long a shareable secret lives by default and at most, counted from when its link was made: 30 days, in microseconds. */
export const secretLifetimeMicros = 30 * 86_400 * 1_000_000

/** The longest lifetime that a secret can be given, in seconds: 30 days. */
export const lifetimeMaxSeconds = secretLifetimeMicros / 1_000_000

/** The lifetimes that people choose from, on the owner's pages and in the command, in seconds: an hour, a day, a week, or 30 days. */
export const offeredLifetimesSeconds: readonly number[] = [3_600, 86_400, 604_800, lifetimeMaxSeconds]

/** What the owner's pages propose, in seconds: a week. Through the API a secret lives {@link secretLifetimeMicros}. */
export const pageLifetimeSeconds = 604_800

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
  /** Only of an answer that is encrypted for its owner alone: the key of its request. Nobody can share or edit it. */
  readonly requestKey?: string
}

/** A secret that a recipient can open by its link until it expires. */
export interface ShareableSecret extends Draft, SealedMark {
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
export function expiryOf(sharedAtMicros: number, lifetimeSeconds?: number): number {
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
