/**
 * The pure core of a secret-sharing service: entities, the ports through which it reaches the outside, and the use-cases. No I/O, no
 * clock, no randomness of its own. Expected failures are values (neverthrow) with a stable `code`.
 *
 * Begin with `createSotto`, which binds every use-case to your ports, or with a slice of it that asks for less, such as `createSecrets`.
 * The types of a use-case follow from it: `Parameters<Sotto['createSecret']>[0]`, `ErrorOf<Sotto['createSecret']>`.
 */

export { type FilePolicy, type Policy, defaultPolicy, takesFiles } from './policy.ts'
export * from './sotto.ts'
export { createFiles } from './slices/files.ts'
export { createFolders } from './slices/folders.ts'
export { createIdentity } from './slices/identity.ts'
export { createNotify } from './slices/notify.ts'
export { createRequests } from './slices/requests.ts'
export { type SecretsOptions, createSecrets } from './slices/secrets.ts'
export { createUpkeep } from './slices/upkeep.ts'

// Entities
export {
  type Scope,
  allScopes,
  type AccessToken,
  lastUseEveryMicros,
  isTokenUsable,
  isUseToBeRecorded,
  makeAccessToken,
} from './entities/access-token.ts'
export { type Account, defaultMailChoice, accountNameText } from './entities/account.ts'
export type { Caller } from './entities/caller.ts'
export type * from './entities/folder.ts'
export type { Identity, IdentityOrigin } from './entities/identity.ts'
export * from './entities/invitation.ts'
export * from './entities/language.ts'
export * from './entities/link-token.ts'
export { passkeysMax, type Passkey } from './entities/passkey.ts'
export { makeOpaqueToken } from './entities/opaque-token.ts'
export { answersAllowedMax, type SecretRequest } from './entities/request.ts'
export * from './entities/secret-event.ts'
export type { OwnedFile, SecretFile, Upload } from './entities/secret-file.ts'
export {
  secretLifetimeMicros,
  lifetimesSeconds,
  type Lifetime,
  pageLifetimeSeconds,
  parseLifetime,
  type Draft,
  type ShareableSecret,
  isExpired,
} from './entities/secret.ts'
export {
  sessionIdleMicros,
  sessionLifetimeMicros,
  type NamedSession,
  type Session,
  isSessionAlive,
  isReauthenticationFresh,
} from './entities/session.ts'
export type { ShownServer } from './entities/shown-server.ts'
export { type Uuid, nilUuid, parseUuid, uuidToFind } from './entities/uuid.ts'
export { webhooksMax, type WebhookDisabledReason, type Webhook } from './entities/webhook.ts'

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
export type * from './ports/access-token-store.ts'
export type * from './ports/account-store.ts'
export type {
  TokenSeal,
  TextCipher,
  SecretHead,
  PlainSecret,
  SecretCipher,
  KeyRingAdmin,
} from './ports/cipher.ts'
export type * from './ports/ciphertext.ts'
export type { Clock } from './ports/clock.ts'
export type { CorruptionStore } from './ports/corruption-store.ts'
export type { Cursor } from './ports/cursor.ts'
export type { ByteRange, FileCipher, FilePlace, Pieces } from './ports/file-cipher.ts'
export type * from './ports/file-store.ts'
export type {
  Target,
  NewDelivery,
  Delivery,
  Lease,
  LeaseOptions,
  Settlement,
  DeliveryFilter,
  DeliveryStore,
} from './ports/delivery-store.ts'
export type * from './ports/digests.ts'
export type * from './ports/email-change-store.ts'
export type * from './ports/folder-store.ts'
export * from './ports/idempotency-store.ts'
export type { IdentityProvider, ProvenIdentity, ProvenLogout } from './ports/identity-provider.ts'
export type {
  StoredIdentity,
  IdentityIndexes,
  IdentityStatus,
  RefusedAccount,
  WaysIn,
  UsedToken,
  IdentityStore,
  UsedTokenStore,
} from './ports/identity-store.ts'
export type * from './ports/invitation-store.ts'
export type * from './ports/key-store.ts'
export * from './ports/link-store.ts'
export type * from './ports/meter.ts'
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
} from './ports/move.ts'
export type * from './ports/outbox-store.ts'
export type * from './ports/passkey-verifier.ts'
export type { StoredPasskey, PasskeyStatus, PasskeyStore } from './ports/passkey-store.ts'
export type * from './ports/password-hasher.ts'
export type * from './ports/password-store.ts'
export type { Ports, PortMethods } from './ports/ports.ts'
export * from './ports/quota-store.ts'
export type { Random } from './ports/random.ts'
export type * from './ports/request-store.ts'
export type * from './ports/secret-file-store.ts'
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
} from './ports/secret-store.ts'
export type * from './ports/senders.ts'
export type * from './ports/session-store.ts'
export type * from './ports/sign-in-store.ts'
export type * from './ports/storage-driver.ts'
export type * from './ports/storage.ts'
export * from './ports/stored-texts.ts'
export * from './ports/text-columns.ts'
export type * from './ports/webhook-store.ts'

// Rules
export { accountPasswordMinCodePoints, emailLocalPart } from './rules/account-passwords.ts'
export { wrongToLock, lockMicros, wrongToDisable, type AttemptState, noAttempts } from './rules/attempts.ts'
export {
  bounds,
  labelError,
  type NewSecret,
  normalizeEmail,
  emailError,
  normalizePassword,
  passwordError,
} from './rules/fields.ts'
export { idempotencyKeyMaxLength, idempotencyKeyErrors } from './rules/idempotency.ts'
export { activeKeyOf, compareKeyRing } from './rules/key-ring.ts'
export { claimOpen } from './rules/opening.ts'
export * from './rules/quota-windows.ts'
export { parseAllowed } from './rules/single-sign-on.ts'
export { type SecretStatus, secretStatus, secretStatuses } from './rules/secret-status.ts'
export { hasUnseen, replaceUnseen, shownLines, shownText } from './rules/shown-text.ts'
export { suggestedPassword, suggestedPasswordRandomBytes } from './rules/suggested-password.ts'
export { countedMinBytes, fileNameError, filesMax, wrongInFileName } from './rules/files.ts'
export type { RelyingParty } from './rules/passkeys.ts'

// Use-cases
export type { PasskeyBeginning } from './use-cases/add-passkey.ts'
export { checkNewSecret } from './use-cases/check-new-secret.ts'
export { type MovedFiles, type MoveFileMissing, copyFiles } from './use-cases/copy-files.ts'
export { type MovedCounts, type MoveDiffers, copyRows, compareRows } from './use-cases/copy-rows.ts'
export type { CorruptedRow } from './use-cases/corruption.ts'
export type { NewAccessToken } from './use-cases/access-tokens.ts'
export type { CreatedOnce } from './use-cases/create-secret-once.ts'
export type { CreateSecretInput } from './use-cases/create-secret.ts'
export type { DroppedCorruptedRows, DropRefusal } from './use-cases/drop-corrupted-rows.ts'
export type { ExportedFile, ExportItem } from './use-cases/export-account.ts'
export type { ViewedSecret } from './use-cases/secrets.ts'
export { findCorruptedRows } from './use-cases/find-corrupted-rows.ts'
export { firstFolderLabel } from './use-cases/first-folder.ts'
export type { DraftWithNote } from './use-cases/get-draft.ts'
export type { FileUsage } from './use-cases/file-usage.ts'
export type { NewInvitation } from './use-cases/invitations.ts'
export { type KeyStatus, fitKeyRing, keyStatus } from './use-cases/keys.ts'
export { type PasswordRefused, type OpenedSecret, openSecret } from './use-cases/open-secret.ts'
export { listPageSize, type Page, type Pages, type ListInput } from './use-cases/pages.ts'
export type { LinkPreview } from './use-cases/preview-link.ts'
export type { AnswerReceipt, RequestPreview } from './use-cases/answer-request.ts'
export { type RotationProgress, rotateKeys } from './use-cases/rotate-keys.ts'
export type { SecretOverview } from './use-cases/secret-overviews.ts'
export { eraseAfterMicros, type Swept } from './use-cases/sweep-expired.ts'
export { examineFiles } from './use-cases/examine-files.ts'
export type { SweptFiles } from './use-cases/sweep-files.ts'
export { ticketMicros, type ReadableFile } from './use-cases/tickets.ts'
export { type NewFile, type NewFiles, uploadMaxMicros } from './use-cases/upload-files.ts'
export type { QuotaBucket, Quota } from './use-cases/take-quota.ts'
