import type { Uuid } from '@sotto/core'

/** Wrong password, unknown email, an account without a password or a disabled one: the same error for all of them. The attempt was counted. */
export interface SignInWrong {
  readonly code: 'sign_in_wrong'
}
export const signInWrong: SignInWrong = { code: 'sign_in_wrong' }

/** The password or passkey is right, but the account is held (`Account.isHeld`): its owner signs in at the identity provider. */
export interface SignInHeld {
  readonly code: 'sign_in_held'
  readonly accountId: Uuid
}

/** The account's password is another one by now, or there is none. */
export interface PasswordChanged {
  readonly code: 'password_changed'
}
export const passwordChanged: PasswordChanged = { code: 'password_changed' }

/** The password has to be entered again before this can be done. */
export interface ReauthenticationRequired {
  readonly code: 'proof_required'
}
export const reauthenticationRequired: ReauthenticationRequired = { code: 'proof_required' }

/** Nobody signs in with a password here. */
export interface PasswordSignInOff {
  readonly code: 'password_sign_in_off'
}
export const passwordSignInOff: PasswordSignInOff = { code: 'password_sign_in_off' }
