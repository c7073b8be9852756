import type { TokenInvalid } from './accounts/errors.ts'
import type { FileMissing } from './files/file-store.ts'
import type { SottoErrorCode } from './sotto.ts'

/**
 * What an error means to whoever asked, whatever it is about. Statuses, pages and texts follow from it: a code needs one of its own only where
 * it says more than its kind.
 */
export type ErrorKind =
  | 'not_found'
  | 'gone'
  | 'invalid'
  | 'too_large'
  | 'unsupported'
  | 'unproven'
  | 'refused'
  | 'conflict'
  | 'limited'
  | 'busy'
  | 'unavailable'
  | 'failed'

/** The kind of each error, by its code. */
export const errorKinds = {
  // There is no such thing, or it is somebody else's. The name of the code says what is missing.
  account_not_found: 'not_found',
  folder_not_found: 'not_found',
  secret_not_found: 'not_found',
  link_not_found: 'not_found',
  draft_not_found: 'not_found',
  request_not_found: 'not_found',
  file_not_found: 'not_found',
  webhook_not_found: 'not_found',
  delivery_not_found: 'not_found',
  key_not_found: 'not_found',
  // What was there is not any more.
  secret_gone: 'gone',
  client_gone: 'gone',
  // What was sent breaks a rule.
  fields_invalid: 'invalid',
  upload_broken: 'invalid',
  answer_not_sealed: 'invalid',
  // What was sent has more bytes than are taken.
  file_too_large: 'too_large',
  files_full: 'too_large',
  // Nothing of this sort is taken here.
  files_off: 'unsupported',
  answer_without_files: 'unsupported',
  // A password or token is missing or wrong.
  token_invalid: 'unproven',
  password_required: 'unproven',
  password_wrong: 'unproven',
  // Whoever asks may not have it.
  key_wrong: 'refused',
  // What is stored does not allow it, or has changed meanwhile.
  account_exists: 'conflict',
  folder_not_empty: 'conflict',
  idempotency_key_reused: 'conflict',
  idempotency_key_under_way: 'conflict',
  form_already_used: 'conflict',
  draft_changed: 'conflict',
  draft_sealed: 'conflict',
  draft_disabled: 'conflict',
  mail_unavailable: 'conflict',
  webhook_limit_reached: 'conflict',
  key_in_use: 'conflict',
  key_ring_unfit: 'conflict',
  key_not_everywhere: 'conflict',
  // Somebody tried too often: try again after `retryAfterSeconds`.
  quota_exceeded: 'limited',
  link_locked: 'limited',
  draft_locked: 'limited',
  search_under_way: 'limited',
  too_many_answers: 'limited',
  // The service cannot do it at this moment, and nothing was changed.
  key_retired: 'busy',
  hasher_busy: 'busy',
  // The service cannot do it until something outside is mended.
  storage_unavailable: 'unavailable',
  key_unknown: 'unavailable',
  disk_full: 'unavailable',
  // Trying again does not help: the operator has to look.
  storage_failed: 'failed',
  data_damaged: 'failed',
  file_missing: 'failed',
  keys_unwritable: 'failed',
  send_failed: 'failed',
} as const satisfies Readonly<Record<SottoErrorCode | TokenInvalid['code'] | FileMissing['code'], ErrorKind>>

/** The codes of some kinds among those of a table. */
export type CodesOfKind<Kinds extends Readonly<Record<string, ErrorKind>>, Kind extends ErrorKind> = {
  [Code in keyof Kinds]: Kinds[Code] extends Kind ? Code : never
}[keyof Kinds]

/** What an error of the kind `not_found` says is missing, in English: `access token` of `access_token_not_found`. */
export function missingOf(code: string): string {
  return code.replace(/_not_found$/, '').replaceAll('_', ' ')
}
