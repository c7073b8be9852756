/** Unknown or another account's folder. */
export interface FolderNotFound {
  readonly code: 'folder_not_found'
}
export const folderNotFound: FolderNotFound = { code: 'folder_not_found' }

/** Unknown, expired, a draft, or another account's: the same error for all of them. */
export interface SecretNotFound {
  readonly code: 'secret_not_found'
}
export const secretNotFound: SecretNotFound = { code: 'secret_not_found' }

/** The idempotency key was claimed within the last 24 hours by a request for something else. */
export interface IdempotencyKeyReused {
  readonly code: 'idempotency_key_reused'
}
export const idempotencyKeyReused: IdempotencyKeyReused = { code: 'idempotency_key_reused' }

/** Another request with the same idempotency key succeeded at the same time. When this request is sent again, it gets the same answer. */
export interface IdempotencyKeyUnderWay {
  readonly code: 'idempotency_key_under_way'
}
export const idempotencyKeyUnderWay: IdempotencyKeyUnderWay = { code: 'idempotency_key_under_way' }

/** The secret that the idempotency key was claimed for has been destroyed or has expired. It is not created again. */
export interface SecretGone {
  readonly code: 'secret_gone'
}
export const secretGone: SecretGone = { code: 'secret_gone' }

/** Another search of the account is under way: try again after `retryAfterSeconds`. */
export interface SearchUnderWay {
  readonly code: 'search_under_way'
  readonly retryAfterSeconds: number
}

/** Unknown, expired, used up, destroyed or disabled link: the same error for all of them. */
export interface LinkNotFound {
  readonly code: 'link_not_found'
}
export const linkNotFound: LinkNotFound = { code: 'link_not_found' }

/** The link asks for a password and none was given. Nothing was counted. */
export interface PasswordRequired {
  readonly code: 'password_required'
}
export const passwordRequired: PasswordRequired = { code: 'password_required' }

/** The link is of a sealed secret, and the proof of its key is missing or that of another key. Nothing was counted. */
export interface KeyWrong {
  readonly code: 'key_wrong'
}
export const keyWrong: KeyWrong = { code: 'key_wrong' }

/** The password is wrong. The attempt was counted. */
export interface PasswordWrong {
  readonly code: 'password_wrong'
}
export const passwordWrong: PasswordWrong = { code: 'password_wrong' }

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
export const formAlreadyUsed: FormAlreadyUsed = { code: 'form_already_used' }

/** The client left before the open was claimed. Nothing was counted, and nobody can receive an answer. */
export interface ClientGone {
  readonly code: 'client_gone'
}
export const clientGone: ClientGone = { code: 'client_gone' }
