import type { Uuid } from '@sotto/core'

/** How many passkeys an account has at most. */
export const passkeysMax = 10

/** A passkey (WebAuthn Level 3) with which an account's owner signs in, as its owner sees it. */
export interface Passkey {
  readonly id: Uuid
  /** What its owner calls it. */
  readonly name: string
  /** The host that it is bound to. */
  readonly rpId: string
  readonly createdAtMicros: number
  /** `undefined` until somebody signs in with it. */
  readonly lastUsedAtMicros: number | undefined
}
