import type { Uuid } from '@sotto/core'
import type { ErrorKinds } from '@sotto/core/building-blocks'

/** Wrong password, unknown email, an account without a password or a disabled one: the same error for all of them. The attempt was counted. */
export interface SignInWrong {
  readonly code: 'sign_in_wrong'
}

/** The password or passkey is right, but the account is held (`Account.isHeld`): its owner signs in at the identity provider. */
export interface SignInHeld {
  readonly code: 'sign_in_held'
  readonly accountId: Uuid
}

/** The account's password is another one by now, or there is none. */
export interface PasswordChanged {
  readonly code: 'password_changed'
}

/** The password has to be entered again before this can be done. */
export interface ReauthenticationRequired {
  readonly code: 'proof_required'
}

/** Nobody signs in with a password here. */
export interface PasswordSignInOff {
  readonly code: 'password_sign_in_off'
}

export const passwordErrorKinds = {
  sign_in_wrong: 'unproven',
  sign_in_held: 'refused',
  password_changed: 'conflict',
  proof_required: 'unproven',
  password_sign_in_off: 'refused',
} as const satisfies ErrorKinds
