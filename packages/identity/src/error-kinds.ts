import { errorKinds, type ErrorKind } from '@sotto/core'
import type { FullSottoErrorCode } from './identity.ts'

/** The kind of each error of the core and of identity, by its code. */
export const fullErrorKinds = {
  ...errorKinds,
  access_token_not_found: 'not_found',
  session_not_found: 'not_found',
  passkey_not_found: 'not_found',
  identity_not_found: 'not_found',
  welcome_not_found: 'not_found',
  email_change_not_found: 'not_found',
  sign_in_wrong: 'unproven',
  session_invalid: 'unproven',
  proof_required: 'unproven',
  passkey_refused: 'unproven',
  sso_refused: 'unproven',
  sign_in_held: 'refused',
  password_sign_in_off: 'refused',
  identity_refused: 'refused',
  account_disabled: 'conflict',
  password_changed: 'conflict',
  last_way_in: 'conflict',
  passkey_taken: 'conflict',
  passkey_limit_reached: 'conflict',
  identity_taken: 'conflict',
  identity_limit_reached: 'conflict',
  sign_in_locked: 'limited',
  too_many_mails: 'limited',
  identity_provider_unreachable: 'unavailable',
} as const satisfies Readonly<Record<FullSottoErrorCode | keyof typeof errorKinds, ErrorKind>>
