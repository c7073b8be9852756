/**
 * Every expected failure of the core, as a value with a stable `code`. Codes never change their meaning; messages belong to
 * those who show them. None of them carries anything that was confided.
 */

/** The store cannot do it now: a lock is held, the disk is full, or it is being closed. Nothing was changed; try again later. */
export interface StorageUnavailable {
  readonly code: 'storage_unavailable'
  readonly reason: 'busy' | 'full' | 'closed'
}

/** The store failed in a way that trying again will not mend. `detail` is for the operator's log. */
export interface StorageFailed {
  readonly code: 'storage_failed'
  readonly detail: string
}

export type StorageError = StorageUnavailable | StorageFailed

/** A row does not decrypt: it was edited, torn or moved. `what` names the column, `id` the row; for the operator's log. */
export interface DataDamaged {
  readonly code: 'data_damaged'
  readonly what: string
  readonly id: string
}

/** A row was written under a key that this process does not hold, also after it has read its keys again. */
export interface KeyUnknown {
  readonly code: 'key_unknown'
  readonly kid: number
}

export type DecryptError = DataDamaged | KeyUnknown

/**
 * A row was to be written under a key that the store does not know: it has been retired meanwhile, so encrypt again under the active
 * key; or it was never added, as to a fresh database, see `KeyStore.add`.
 */
export interface KeyRetired {
  readonly code: 'key_retired'
}

/** The ring of keys cannot be changed. `detail` is for the operator. */
export interface KeysUnwritable {
  readonly code: 'keys_unwritable'
  readonly detail: string
}

/** The key cannot be retired: it is the active one, or `rows` rows hang on it. */
export interface KeyInUse {
  readonly code: 'key_in_use'
  readonly rows: number
}

/** No such key. */
export interface KeyNotFound {
  readonly code: 'key_not_found'
}

/** The ring is not the one that the data was written under: it lacks the key `kid`, or has another one of this number. */
export interface KeyRingUnfit {
  readonly code: 'key_ring_unfit'
  readonly kid: number
  readonly reason: 'missing' | 'wrong'
}

/** Too much password hashing is waiting already. Try again later. */
export interface CipherBusy {
  readonly code: 'cipher_busy'
}

/** Which rule a field breaks. */
export type FaultRule =
  | 'required'
  | 'empty'
  | 'too_long'
  | 'control_character'
  | 'nul_character'
  | 'lone_surrogate'
  | 'out_of_range'
  | 'not_an_email'
  | 'unknown_folder'
  | 'unknown_scope'

/** One field at fault. `limit` is the bound in force (bytes, code points or a number, as the rule of that field says). */
export interface FieldFault {
  readonly field: string
  readonly rule: FaultRule
  readonly limit?: number
}

/** The input breaks rules; `faults` lists every field at fault, never what it held. */
export interface FieldsInvalid {
  readonly code: 'fields_invalid'
  readonly faults: readonly FieldFault[]
}

/** Malformed, unknown, revoked or expired token, or a disabled account: one answer for all of them. */
export interface TokenInvalid {
  readonly code: 'token_invalid'
}

export interface QuotaExceeded {
  readonly code: 'quota_exceeded'
  /** When the window that blocks ends, in microseconds since the epoch. */
  readonly resetAtMicros: number
  readonly retryAfterSeconds: number
}

/** Unknown, expired, a draft, or somebody else's: one answer for all of them. */
export interface SecretNotFound {
  readonly code: 'secret_not_found'
}

export interface AccountNotFound {
  readonly code: 'account_not_found'
}

export interface AccountExists {
  readonly code: 'account_exists'
}

/** Unknown or somebody else's folder. */
export interface FolderNotFound {
  readonly code: 'folder_not_found'
}

/** Unknown, shared already, or somebody else's draft. */
export interface DraftNotFound {
  readonly code: 'draft_not_found'
}

/** Unknown or somebody else's access token. */
export interface AccessTokenNotFound {
  readonly code: 'access_token_not_found'
}

/** Unknown, expired, used up, destroyed or disabled link: one answer for all of them. */
export interface LinkNotFound {
  readonly code: 'link_not_found'
}

/** The link asks for a password and none was given. Nothing was counted. */
export interface PasswordRequired {
  readonly code: 'password_required'
}

/** The password is not the right one. The attempt was counted. */
export interface PasswordWrong {
  readonly code: 'password_wrong'
}

/** Too many wrong passwords, or too many attempts under way at once: come again after `retryAfterSeconds`. */
export interface LinkLocked {
  readonly code: 'link_locked'
  readonly reason: 'wrong_passwords' | 'attempts_under_way'
  readonly retryAfterSeconds: number
}

/** The form with this id has opened the link before: ask the person again before another open is spent. */
export interface FormAlreadyUsed {
  readonly code: 'form_already_used'
}

/** Every failure that a use-case can return. */
export type SottoError =
  | StorageError
  | DecryptError
  | KeyRetired
  | KeysUnwritable
  | KeyInUse
  | KeyNotFound
  | KeyRingUnfit
  | CipherBusy
  | FieldsInvalid
  | TokenInvalid
  | QuotaExceeded
  | SecretNotFound
  | AccountNotFound
  | AccountExists
  | FolderNotFound
  | DraftNotFound
  | AccessTokenNotFound
  | LinkNotFound
  | PasswordRequired
  | PasswordWrong
  | LinkLocked
  | FormAlreadyUsed

export type SottoErrorCode = SottoError['code']
