/**
 * The pure core of a secret-sharing service: entities, the ports through which it reaches the outside, and the use-cases. No I/O, no
 * clock, no randomness of its own. Expected failures are values (neverthrow) with a stable `code`.
 *
 * Begin with `createSotto`, which binds every use-case to your ports, or with a slice of it that asks for less, such as `createSecrets`.
 * The types of a use-case follow from it: `Parameters<Sotto['createSecret']>[0]`, `ErrorOf<Sotto['createSecret']>`.
 */

export { type FilePolicy, type Policy, defaultPolicy, takesFiles } from './policy.ts'
export * from './sotto.ts'
export { createFiles } from './files/use-cases.ts'
export { createFolders } from './folders/use-cases.ts'
export { createIdentity } from './accounts/use-cases.ts'
export { createNotify } from './notifications/use-cases.ts'
export { createRequests } from './requests/use-cases.ts'
export { type SecretsOptions, createSecrets } from './secrets/use-cases.ts'
export { createUpkeep } from './storage/use-cases.ts'

// Entities
export {
  type Scope,
  allScopes,
  type AccessToken,
  lastUseEveryMicros,
  isTokenUsable,
  isUseToBeRecorded,
  makeAccessToken,
} from './access-tokens/access-token.ts'
export { type Account, defaultMailChoice, accountNameText } from './accounts/account.ts'
export type { Caller } from './access-tokens/caller.ts'
export type * from './folders/folder.ts'
export type { Identity, IdentityOrigin } from './single-sign-on/identity.ts'
export * from './invitations/invitation.ts'
export * from './shared/language.ts'
export * from './shared/link-token.ts'
export { passkeysMax, type Passkey } from './passkeys/passkey.ts'
export { makeOpaqueToken } from './shared/opaque-token.ts'
export { answersAllowedMax, type SecretRequest } from './requests/request.ts'
export * from './notifications/secret-event.ts'
export type { OwnedFile, SecretFile, Upload } from './files/secret-file.ts'
export {
  secretLifetimeMicros,
  lifetimesSeconds,
  type Lifetime,
  pageLifetimeSeconds,
  parseLifetime,
  type Draft,
  type ShareableSecret,
  isExpired,
} from './secrets/secret.ts'
export {
  sessionIdleMicros,
  sessionLifetimeMicros,
  type NamedSession,
  type Session,
  isSessionAlive,
  isReauthenticationFresh,
} from './sessions/session.ts'
export type { ShownServer } from './keys/shown-server.ts'
export { type Uuid, nilUuid, parseUuid, uuidToFind } from './shared/uuid.ts'
export { webhooksMax, type WebhookDisabledReason, type Webhook } from './notifications/webhooks/webhook.ts'

// Errors
export type {
  StorageUnavailable,
  StorageFailed,
  StorageError,
  DataCorrupted,
  DecryptError,
  KeyRetired,
  KeysUnwritable,
  KeyInUse,
  KeyRingUnfit,
  HasherBusy,
  FieldRule,
  IdempotencyKeyRule,
  NewSecretRule,
  FieldError,
  FieldsInvalid,
  QuotaExceeded,
  AccountNotFound,
  AccountExists,
  FolderNotFound,
  FolderNotEmpty,
  DraftNotFound,
  LinkNotFound,
  RequestNotFound,
  PasswordRequired,
  PasswordWrong,
  ClientGone,
  DiskFull,
  FilesFull,
  UploadBroken,
  WebhookNotFound,
  WebhookLimitReached,
  IdentityProviderUnreachable,
  SsoRefused,
  SsoRefusedReason,
  IdentityTaken,
  IdentityLimitReached,
  IdentityNotFound,
  LastWayIn,
  PasskeyRefused,
  SignInHeld,
  SignInLocked,
  PasskeyTaken,
  PasskeyLimitReached,
  PasskeyNotFound,
} from './errors.ts'

// Ports
export type * from './access-tokens/access-token-store.ts'
export type * from './accounts/account-store.ts'
export type {
  TokenSeal,
  TextCipher,
  SecretHead,
  PlainSecret,
  SecretCipher,
  KeyRingAdmin,
} from './shared/cipher.ts'
export type * from './shared/ciphertext.ts'
export type { Clock } from './shared/clock.ts'
export type { CorruptionStore } from './storage/corruption-store.ts'
export type { Cursor } from './shared/cursor.ts'
export type { ByteRange, FileCipher, FilePlace, Pieces } from './files/file-cipher.ts'
export type * from './files/file-store.ts'
export type {
  Target,
  NewDelivery,
  Delivery,
  Lease,
  LeaseOptions,
  Settlement,
  DeliveryFilter,
  DeliveryStore,
} from './notifications/delivery-store.ts'
export type * from './shared/digests.ts'
export type * from './email-changes/email-change-store.ts'
export type * from './folders/folder-store.ts'
export * from './secrets/idempotency-store.ts'
export type { IdentityProvider, ProvenIdentity, ProvenLogout } from './single-sign-on/identity-provider.ts'
export type {
  StoredIdentity,
  IdentityIndexes,
  IdentityStatus,
  RefusedAccount,
  WaysIn,
  UsedToken,
  IdentityStore,
  UsedTokenStore,
} from './single-sign-on/identity-store.ts'
export type * from './invitations/invitation-store.ts'
export type * from './keys/key-store.ts'
export * from './secrets/link-store.ts'
export type * from './shared/meter.ts'
export type {
  MovedType,
  MovedValue,
  MovedRow,
  MovedTable,
  MovedRows,
  MovedFile,
  MoveSource,
  MoveTarget,
  MoveTargetOptions,
  MoveSourceError,
  MoveTargetError,
} from './storage/move.ts'
export type * from './notifications/outbox-store.ts'
export type * from './passkeys/passkey-verifier.ts'
export type { StoredPasskey, PasskeyStatus, PasskeyStore } from './passkeys/passkey-store.ts'
export type * from './passwords/password-hasher.ts'
export type * from './passwords/password-store.ts'
export type { Ports, PortMethods } from './storage/ports.ts'
export * from './quota/quota-store.ts'
export type { Random } from './shared/random.ts'
export type * from './requests/request-store.ts'
export type * from './files/secret-file-store.ts'
export type {
  InsertSecretRowError,
  WithFiles,
  StoredSecret,
  StoredLink,
  StoredShareableSecret,
  StoredNote,
  SecretActivity,
  SecretStore,
  SecretFilter,
  DraftStore,
} from './secrets/secret-store.ts'
export type * from './notifications/senders.ts'
export type * from './sessions/session-store.ts'
export type * from './passwords/sign-in-store.ts'
export type * from './storage/storage-driver.ts'
export type * from './storage/storage.ts'
export * from './shared/stored-texts.ts'
export * from './shared/text-columns.ts'
export type * from './notifications/webhooks/webhook-store.ts'

// Rules
export { accountPasswordMinCodePoints, emailLocalPart } from './passwords/password-rules.ts'
export { wrongToLock, lockMicros, wrongToDisable, type AttemptState, noAttempts } from './shared/attempts.ts'
export {
  bounds,
  labelError,
  type NewSecret,
  normalizeEmail,
  emailError,
  normalizePassword,
  passwordError,
} from './shared/fields.ts'
export { idempotencyKeyMaxLength, idempotencyKeyErrors } from './secrets/idempotency.ts'
export { activeKeyOf, compareKeyRing } from './keys/key-ring.ts'
export { claimOpen } from './secrets/opening.ts'
export * from './quota/quota-windows.ts'
export { parseAllowed } from './single-sign-on/single-sign-on.ts'
export { type SecretStatus, secretStatus, secretStatuses } from './secrets/secret-status.ts'
export { hasUnseen, replaceUnseen, shownLines, shownText } from './shared/shown-text.ts'
export { suggestedPassword, suggestedPasswordRandomBytes } from './secrets/suggested-password.ts'
export { countedMinBytes, fileNameError, filesMax, wrongInFileName } from './files/file-rules.ts'
export type { RelyingParty } from './passkeys/passkey-rules.ts'

// Use-cases
export type { PasskeyBeginning } from './passkeys/add-passkey.ts'
export { checkNewSecret } from './secrets/check-new-secret.ts'
export { type MovedFiles, type MoveFileMissing, copyFiles } from './storage/copy-files.ts'
export { type MovedCounts, type MoveDiffers, copyRows, compareRows } from './storage/copy-rows.ts'
export type { CorruptedRow } from './storage/corruption.ts'
export type { NewAccessToken } from './access-tokens/access-tokens.ts'
export type { CreatedOnce } from './secrets/create-secret-once.ts'
export type { CreateSecretInput } from './secrets/create-secret.ts'
export type { DroppedCorruptedRows, DropRefusal } from './storage/drop-corrupted-rows.ts'
export type { ExportedFile, ExportItem } from './storage/export-account.ts'
export type { ViewedSecret } from './secrets/secrets.ts'
export { findCorruptedRows } from './storage/find-corrupted-rows.ts'
export { firstFolderLabel } from './folders/first-folder.ts'
export type { DraftWithNote } from './drafts/get-draft.ts'
export type { FileUsage } from './files/file-usage.ts'
export type { NewInvitation } from './invitations/invitations.ts'
export { type KeyStatus, fitKeyRing, keyStatus } from './keys/keys.ts'
export { type PasswordRefused, type OpenedSecret, openSecret } from './secrets/open-secret.ts'
export { listPageSize, type Page, type Pages, type ListInput } from './shared/pages.ts'
export type { LinkPreview } from './secrets/preview-link.ts'
export type { AnswerReceipt, RequestPreview } from './requests/answer-request.ts'
export { type RotationProgress, rotateKeys } from './keys/rotate-keys.ts'
export type { SecretOverview } from './secrets/secret-overviews.ts'
export { eraseAfterMicros, type Swept } from './storage/sweep-expired.ts'
export { examineFiles } from './storage/examine-files.ts'
export type { SweptFiles } from './files/sweep-files.ts'
export { ticketMicros, type ReadableFile } from './files/tickets.ts'
export { type NewFile, type NewFiles, uploadMaxMicros } from './files/upload-files.ts'
export type { QuotaBucket, Quota } from './quota/take-quota.ts'
