import type { Uuid } from '@sotto/core'
import type { PasskeyFault } from './passkey-rules.ts'

/** A passkey that was made or used is not accepted. The person learns no more than that. */
export interface PasskeyRefused {
  readonly code: 'passkey_refused'
  readonly reason: PasskeyFault
  /** The account whose passkey it is; absent when it is nobody's. */
  readonly accountId?: Uuid | undefined
}

/** A passkey with this credential is stored already. */
export interface PasskeyTaken {
  readonly code: 'passkey_taken'
}

/** The account has `passkeysMax` passkeys. */
export interface PasskeyLimitReached {
  readonly code: 'passkey_limit_reached'
}

/** Unknown or another account's passkey. */
export interface PasskeyNotFound {
  readonly code: 'passkey_not_found'
}
