import type { ErrorOf } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'

/** The use-cases whose refusals are counted. */
type Refusing =
  | 'openSecret'
  | 'answerRequest'
  | 'authenticate'
  | 'signIn'
  | 'ensureReauthentication'
  | 'reauthenticateWithPasskey'
  | 'createSecret'
  | 'createSecretOnce'
type Code = ErrorOf<FullSotto[Refusing]>['code']

/** Why something was refused: a fixed list. What a client left out of its request is no refusal. */
export const refusalReasons = [
  'token_invalid',
  'link_not_found',
  'password_required',
  'password_wrong',
  'link_locked',
  'form_already_used',
  'request_not_found',
  'too_many_answers',
  'sign_in_wrong',
  'sign_in_locked',
  'fields_invalid',
  'idempotency_key_reused',
  'idempotency_key_under_way',
  'hasher_busy',
  'storage_unavailable',
  'storage_failed',
  'data_damaged',
  'key_unknown',
] as const satisfies readonly Code[]
