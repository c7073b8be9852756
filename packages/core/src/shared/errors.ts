import { err, type Err } from 'neverthrow'
import type { IdempotencyKeyRule } from './idempotency-key.ts'

/**
 * The store cannot do it now; try again later. Nothing was changed, except with `outcome_unknown`.
 * - `busy`: a lock is held.
 * - `full`: the disk is full.
 * - `disk_failed`: the disk cannot be read or written: an I/O error, or a file system that has become read-only.
 * - `read_only`: the database server is a standby.
 * - `moved`: the data is no longer where it was opened.
 * - `closed`: the store is closed.
 * - `outcome_unknown`: the connection broke, or the data was moved, during a write. It may have happened; trying again may do it twice.
 */
export interface StorageUnavailable {
  readonly code: 'storage_unavailable'
  readonly reason: 'busy' | 'full' | 'disk_failed' | 'read_only' | 'moved' | 'closed' | 'outcome_unknown'
  /** What the disk answered, for the operator's log. */
  readonly detail?: string
}

/** The store failed in a way that trying again does not fix. `detail` is for the operator's log. */
export interface StorageFailed {
  readonly code: 'storage_failed'
  readonly detail: string
}

/** Every failure of a store. */
export type StorageError = StorageUnavailable | StorageFailed

/** A row does not decrypt: it was edited, torn or moved. `what` names the column, `id` the row; for the operator's log. */
export interface DataCorrupted {
  readonly code: 'data_damaged'
  readonly what: string
  readonly id: string
}

/** The error of a row that does not decrypt. */
export function corrupted(what: string, id: string): Err<never, DataCorrupted> {
  return err({ code: 'data_damaged', what, id })
}

/** A row is under a key that this process does not hold, even after reading its keys again. */
export interface KeyUnknown {
  readonly code: 'key_unknown'
  /** The number of the key that is missing. */
  readonly kid: number
}

/** Why a stored text or secret cannot be read. */
export type DecryptError = DataCorrupted | KeyUnknown

/**
 * No row may be written under the key. Either another one is active by now, or it was retired: encrypt again under the active key. Or it
 * was never added, as in a fresh database: see `KeyStore.add`.
 */
export interface KeyRetired {
  readonly code: 'key_retired'
}

/** Too many passwords are waiting to be hashed. Try again later. */
export interface HasherBusy {
  readonly code: 'hasher_busy'
}

/** The rule that a field breaks. */
export type FieldRule =
  | 'empty'
  | 'too_long'
  | 'control_character'
  | 'invisible_character'
  | 'nul_character'
  | 'lone_surrogate'
  | 'out_of_range'
  | 'not_an_email'
  | 'unknown_folder'
  | 'unknown_scope'
  | 'too_short'
  | 'too_common'
  | 'contains_email'
  | 'unknown_language'
  | 'not_a_url'
  | 'not_https'
  | 'address_not_allowed'
  | 'not_a_file_name'
  | 'too_many'
  | 'sealed_draft'
  | 'not_a_key'
  | InputRule

/**
 * The rule that an input breaks whose caller the compiler does not check: a field has a value of another type, or is missing; or there is
 * no field of this name.
 */
export type InputRule = 'wrong_type' | 'unknown_name'

/** The rule that a field of a new secret or draft can break. */
export type NewSecretRule = Exclude<
  FieldRule,
  | 'not_an_email'
  | 'unknown_scope'
  | 'too_short'
  | 'too_common'
  | 'contains_email'
  | 'unknown_language'
  | 'not_a_url'
  | 'not_https'
  | 'address_not_allowed'
  | 'not_a_key'
>

/**
 * One invalid field. `limit` is the bound that it exceeds, in the unit of that field (bytes, code points or a number). `word` is the part of
 * the account's email that a password of the rule `contains_email` contains.
 */
export interface FieldError<Rule extends FieldRule | IdempotencyKeyRule = FieldRule> {
  readonly field: string
  readonly rule: Rule
  readonly limit?: number
  readonly word?: string
}

/** The input breaks rules; `errors` lists every invalid field, never what it held. */
export interface FieldsInvalid<Rule extends FieldRule | IdempotencyKeyRule = FieldRule> {
  readonly code: 'fields_invalid'
  readonly errors: readonly FieldError<Rule>[]
}
