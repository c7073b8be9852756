/**
 * Every expected failure of the core, as a value with a stable `code`. Codes never change their meaning; the text for people is made
 * by the caller that shows it. No error carries anything confidential.
 */

import type { ShownServer } from './keys/shown-server.ts'
import type { Uuid } from './shared/uuid.ts'
import type { PasskeyFault } from './passkeys/passkey-rules.ts'

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

/** The key ring cannot be changed. `detail` is for the operator. */
export interface KeysUnwritable {
  readonly code: 'keys_unwritable'
  readonly detail: string
}

/** The key cannot be retired: it is the active one, or `rows` rows are under it. */
export interface KeyInUse {
  readonly code: 'key_in_use'
  readonly rows: number
}

/** There is no such key. */
export interface KeyNotFound {
  readonly code: 'key_not_found'
}

/** The ring is not the one that the data was written under: it lacks the key `kid`, or holds a different key under this number. */
export interface KeyRingUnfit {
  readonly code: 'key_ring_unfit'
  readonly kid: number
  readonly reason: 'missing' | 'wrong'
}

/** The key `kid` does not become the active one yet, because servers that run have not shown that they hold it. */
export interface KeyNotEverywhere {
  readonly code: 'key_not_everywhere'
  readonly kid: number
  /** The servers that lack the key. */
  readonly servers: readonly ShownServer[]
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
  | InputRule

/**
 * Which rule an input breaks whose caller the compiler does not check: a field has a value of another type, or is missing; or there is no
 * field of this name.
 */
export type InputRule = 'wrong_type' | 'unknown_name'

/** The rule that an idempotency key can break. */
export type IdempotencyKeyRule = 'not_visible_ascii'

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

/** Malformed, unknown, revoked or expired token, or a disabled account: the same error for all of them. */
export interface TokenInvalid {
  readonly code: 'token_invalid'
}

/** The calls of the minute or of the day are spent. */
export interface QuotaExceeded {
  readonly code: 'quota_exceeded'
  /** When the window that blocks ends, in microseconds since the epoch. */
  readonly resetAtMicros: number
  readonly retryAfterSeconds: number
}

/** Unknown, expired, a draft, or another account's: the same error for all of them. */
export interface SecretNotFound {
  readonly code: 'secret_not_found'
}

/** The idempotency key was claimed within the last 24 hours by a request for something else. */
export interface IdempotencyKeyReused {
  readonly code: 'idempotency_key_reused'
}

/** Another request with the same idempotency key succeeded at the same time. When this request is sent again, it gets the same answer. */
export interface IdempotencyKeyUnderWay {
  readonly code: 'idempotency_key_under_way'
}

/** The secret that the idempotency key was claimed for has been destroyed or has expired. It is not created again. */
export interface SecretGone {
  readonly code: 'secret_gone'
}

/** Another search of the account is under way: try again after `retryAfterSeconds`. */
export interface SearchUnderWay {
  readonly code: 'search_under_way'
  readonly retryAfterSeconds: number
}

/** There is no such account. */
export interface AccountNotFound {
  readonly code: 'account_not_found'
}

/** Another account has this email address, or this id of an embedding application. */
export interface AccountExists {
  readonly code: 'account_exists'
}

/** Unknown or another account's folder. */
export interface FolderNotFound {
  readonly code: 'folder_not_found'
}

/** The folder holds drafts, secrets, or requests that can be answered. */
export interface FolderNotEmpty {
  readonly code: 'folder_not_empty'
}

/** Unknown, already shared, or another account's draft. */
export interface DraftNotFound {
  readonly code: 'draft_not_found'
}

/** The draft was changed since it was read. */
export interface DraftChanged {
  readonly code: 'draft_changed'
}

/** Too many wrong passwords for a draft, or too many simultaneous attempts: try again after `retryAfterSeconds`. */
export interface DraftLocked {
  readonly code: 'draft_locked'
  readonly reason: LinkLocked['reason']
  readonly retryAfterSeconds: number
}

/** So many wrong passwords were given for a draft that its note can be neither shown nor shared any more. */
export interface DraftDisabled {
  readonly code: 'draft_disabled'
}

/** Unknown or another account's access token. */
export interface AccessTokenNotFound {
  readonly code: 'access_token_not_found'
}

/** A file has more bytes than the installation allows. */
export interface FileTooLarge {
  readonly code: 'file_too_large'
  readonly maxBytes: number
  /** The number of the file among those that are sent, from 1, where that is known. */
  readonly number?: number | undefined
}

/** The account's files would count more bytes with these files than the installation allows. */
export interface FilesFull {
  readonly code: 'files_full'
  readonly maxBytes: number
}

/** Less would stay free on the disk of the installation with these files than it keeps for everything else. */
export interface DiskFull {
  readonly code: 'disk_full'
}

/** What sends the files ended too early, or sent something malformed. */
export interface UploadBroken {
  readonly code: 'upload_broken'
}

/** The installation takes no files. */
export interface FilesOff {
  readonly code: 'files_off'
}

/** Unknown or ended ticket, or no file with this number: the same error for all of them. */
export interface FileNotFound {
  readonly code: 'file_not_found'
}

/** Unknown, expired, used up, destroyed or disabled link: the same error for all of them. */
export interface LinkNotFound {
  readonly code: 'link_not_found'
}

/** Unknown, expired, full or closed request, or another account's: the same error for all of them. */
export interface RequestNotFound {
  readonly code: 'request_not_found'
}

/** Too many answers were handed in from this address: try again after `retryAfterSeconds`. */
export interface TooManyAnswers {
  readonly code: 'too_many_answers'
  readonly retryAfterSeconds: number
}

/** The link asks for a password and none was given. Nothing was counted. */
export interface PasswordRequired {
  readonly code: 'password_required'
}

/** The password is wrong. The attempt was counted. */
export interface PasswordWrong {
  readonly code: 'password_wrong'
}

/** Too many wrong passwords, or too many simultaneous attempts: try again after `retryAfterSeconds`. */
export interface LinkLocked {
  readonly code: 'link_locked'
  readonly reason: 'wrong_passwords' | 'attempts_under_way'
  readonly retryAfterSeconds: number
  /** When the lock of wrong passwords ends; absent for attempts under way. */
  readonly lockedUntilMicros?: number
}

/** The form with this id has opened the link before: ask the person again before another open is spent. */
export interface FormAlreadyUsed {
  readonly code: 'form_already_used'
}

/** The client left before the open was claimed. Nothing was counted, and nobody can receive an answer. */
export interface ClientGone {
  readonly code: 'client_gone'
}

/** Unknown or another account's session. */
export interface SessionNotFound {
  readonly code: 'session_not_found'
}

/** Malformed, unknown or ended session, or a disabled account: the same error for all of them. */
export interface SessionInvalid {
  readonly code: 'session_invalid'
}

/** The account is disabled: nobody can sign in to it. */
export interface AccountDisabled {
  readonly code: 'account_disabled'
}

/** Malformed, unknown, expired, spent or replaced one-time link, or a disabled account: the same error for all of them. */
export interface InvitationNotFound {
  readonly code: 'welcome_not_found'
}

/** Malformed, unknown, expired, spent or replaced link of a changed email address, or a disabled account: the same error for all of them. */
export interface EmailChangeNotFound {
  readonly code: 'email_change_not_found'
}

/** Too many mails were asked for, for this account, to this email, or from this address: try again after `retryAfterSeconds`. */
export interface TooManyMails {
  readonly code: 'too_many_mails'
  readonly retryAfterSeconds: number
}

/** Wrong password, unknown email, an account without a password or a disabled one: the same error for all of them. The attempt was counted. */
export interface SignInWrong {
  readonly code: 'sign_in_wrong'
}

/** Too many failed attempts to sign in, or too many simultaneous ones: try again after `retryAfterSeconds`. */
export interface SignInLocked {
  readonly code: 'sign_in_locked'
  readonly reason: 'wrong_passwords' | 'attempts_under_way'
  readonly retryAfterSeconds: number
}

/** The account's password is another one by now, or there is none. */
export interface PasswordChanged {
  readonly code: 'password_changed'
}

/** Unknown or another account's webhook. */
export interface WebhookNotFound {
  readonly code: 'webhook_not_found'
}

/** The account has `webhooksMax` webhooks. */
export interface WebhookLimitReached {
  readonly code: 'webhook_limit_reached'
}

/** No delivery has this id. */
export interface DeliveryNotFound {
  readonly code: 'delivery_not_found'
}

/** No mails can be sent here, or the account has no email address. */
export interface MailUnavailable {
  readonly code: 'mail_unavailable'
}

/** The password has to be entered again before this can be done. */
export interface ReauthenticationRequired {
  readonly code: 'proof_required'
}

/** The identity provider could not be asked, or answered nothing that can be used: try again later. */
export interface IdentityProviderUnreachable {
  readonly code: 'identity_provider_unreachable'
  /** A few words for the operator, such as `timeout`, `connection refused` or `status 503`. Never what the provider has sent. */
  readonly reason: string
  /** Whether the provider answers, but refuses this service: that lasts until its operator or this service's changes something. */
  readonly isRefusal: boolean
}

/**
 * What did not fit when somebody came back from the identity provider, or when it ended a session.
 * - `provider_refused`: the provider answered with an error instead of a code, such as when the person gave up.
 * - `state`, `nonce`, `issuer`, `code`, `signature`, `audience`, `expired`: that is missing, wrong, or was used before.
 * - `subject`: the ID token and userinfo name different ones.
 * - `malformed`, `too_large`: what came cannot be read.
 * - `not_fresh`: the person was to sign in at the provider once more, and the provider does not say that this happened.
 * - `used`: the logout token was used before.
 * - `not_set_up`: there is no provider.
 */
export type SsoRefusedReason =
  | 'provider_refused'
  | 'state'
  | 'nonce'
  | 'issuer'
  | 'code'
  | 'signature'
  | 'audience'
  | 'expired'
  | 'subject'
  | 'malformed'
  | 'too_large'
  | 'not_fresh'
  | 'used'
  | 'not_set_up'

/** What came from the identity provider proves nothing: nobody is signed in. */
export interface SsoRefused {
  readonly code: 'sso_refused'
  readonly reason: SsoRefusedReason
}

/**
 * Why somebody whom the identity provider knows is not signed in.
 * - `unknown`: no account has this identity, and the operator allows no accounts to be made.
 * - `unverified`: the provider does not vouch for an email address, so no account is made.
 * - `not_allowed`: what the operator allows does not include this person, or not any more.
 * - `address_taken`: an account has this email address. Accounts are never linked by it.
 * - `account_disabled`: the account is disabled.
 */
export type IdentityRefusal = 'unknown' | 'unverified' | 'not_allowed' | 'address_taken' | 'account_disabled'

/** Somebody has proven who they are, and is not signed in all the same. */
export interface IdentityRefused {
  readonly code: 'identity_refused'
  readonly reason: IdentityRefusal
  /** The account that has the identity; absent when none has. */
  readonly accountId?: Uuid | undefined
}

/** An account has this identity already. */
export interface IdentityTaken {
  readonly code: 'identity_taken'
}

/** The account has `identitiesMax` identities. */
export interface IdentityLimitReached {
  readonly code: 'identity_limit_reached'
}

/** Unknown or another account's identity. */
export interface IdentityNotFound {
  readonly code: 'identity_not_found'
}

/** Nobody could sign in to the account any more. */
export interface LastWayIn {
  readonly code: 'last_way_in'
}

/** The password or passkey is right, but the account is held (`Account.isHeld`): its owner signs in at the identity provider. */
export interface SignInHeld {
  readonly code: 'sign_in_held'
  readonly accountId: Uuid
}

/** Nobody signs in with a password here. */
export interface PasswordSignInOff {
  readonly code: 'password_sign_in_off'
}

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
