/**
 * The pure core of a secret-sharing service: entities, the ports through which it reaches the outside, and the use-cases. No I/O, no
 * clock, no randomness of its own. Expected failures are values (neverthrow) with a stable `code`.
 *
 * Begin with `createSotto`, which binds every use-case to your ports, or with a slice of it that asks for less, such as `createSecrets`.
 * The types of a use-case follow from it: `Parameters<Sotto['createSecret']>[0]`, `ErrorOf<Sotto['createSecret']>`.
 */

export {
  defaultAddressesMax,
  defaultPolicy,
  takesFiles,
  type FilePolicy,
  type Policy,
  type QuotaLimits,
} from './policy.ts'
export {
  type SottoOptions,
  type Sotto,
  createSotto,
  type ErrorOf,
  type SottoError,
  type SottoErrorCode,
} from './sotto.ts'
export { errorKinds, missingOf, type CodesOfKind, type ErrorKind } from './error-kinds.ts'

export type { ClaimedKey, IdempotencyKeyRule } from './shared/idempotency-key.ts'
export { wrongToLock, lockMicros, wrongToDisable, type AttemptState, noAttempts } from './shared/attempts.ts'
export type { TokenSeal, TextCipher } from './shared/cipher.ts'
export type { Ciphertext, Encrypted, EncryptedSecret } from './shared/ciphertext.ts'
export type { Clock } from './shared/clock.ts'
export type { Cursor } from './shared/cursor.ts'
export type { OpaqueTokenPurpose, KeyedDigestPurpose, Digests } from './shared/digests.ts'
export type {
  StorageUnavailable,
  StorageFailed,
  StorageError,
  DataCorrupted,
  DecryptError,
  KeyRetired,
  HasherBusy,
  FieldRule,
  NewSecretRule,
  FieldError,
  FieldsInvalid,
} from './shared/errors.ts'
export { bounds, labelError, normalizePassword, shortNameError } from './shared/fields.ts'
export { languages, type Language, parseLanguage } from './shared/language.ts'
export {
  type LinkToken,
  linkTokenRandomBytes,
  isLinkToken,
  linkTokenFrom,
  noLinkToken,
} from './shared/link-token.ts'
export type { Measured, Gauged, Meter } from './shared/meter.ts'
export { makeOpaqueToken } from './shared/opaque-token.ts'
export { listOf, listPageSize, type List, type Page, type Pages, type ListInput } from './shared/pages.ts'
export type { Random } from './shared/random.ts'
export { hasUnseen, replaceUnseen, shownLines, shownText } from './shared/shown-text.ts'
export { attemptsText, attemptsOf } from './shared/stored-texts.ts'
export { textColumns, type TextColumn, type TextPlace, type UnstoredPlace } from './shared/text-columns.ts'
export { type Uuid, nilUuid, parseUuid, uuidToFind } from './shared/uuid.ts'

export type { AttemptBucket, AttemptsChange } from './quota/attempt-buckets.ts'
export type { QuotaExceeded, SignInLocked } from './quota/errors.ts'
export {
  quotaWindowMicros,
  type QuotaWindow,
  type QuotaWindows,
  type QuotaStore,
} from './quota/quota-store.ts'
export { quotaWindowsAt, quotaWindowsAfter, areQuotaWindowsFull } from './quota/quota-windows.ts'
export type { Quota } from './quota/count-call.ts'
export type { QuotaBucket } from './quota/take-quota.ts'

export type { StoredAccount, StoredDisplayName, AccountStore } from './accounts/account-store.ts'
export { type Account, defaultMailChoice, accountNameText } from './accounts/account.ts'
export { emailLocalPart, normalizeEmail, emailError } from './accounts/email.ts'
export type { AccountNotFound, AccountExists, TokenInvalid } from './accounts/errors.ts'
export { createAccounts } from './accounts/slice.ts'

export type { FolderNotEmpty } from './folders/errors.ts'
export { firstFolderLabel } from './folders/first-folder.ts'
export type { StoredFolder, StoredFolderWithCounts, FolderStore } from './folders/folder-store.ts'
export type { Folder, FolderWithCounts } from './folders/folder.ts'
export { createFolders } from './folders/slice.ts'

export type { DiskFull, FilesFull, FileTooLarge, UploadBroken } from './files/errors.ts'
export type { ByteRange, FileCipher, FilePlace, Pieces } from './files/file-cipher.ts'
export { uploadMaxMicros } from './files/compare-files.ts'
export { countedMinBytes, fileNameError, filesMax, wrongInFileName } from './files/file-rules.ts'
export type { FileMissing, StoredFileInfo, FileStore } from './files/file-store.ts'
export type { FileUsage } from './files/file-usage.ts'
export type {
  StoredSecretFile,
  ContentUnderWay,
  ReserveLimits,
  NewTicket,
  StoredTicket,
  FilesFilter,
  SecretFileStore,
} from './files/secret-file-store.ts'
export type { OwnedFile, SecretFile, Upload } from './files/secret-file.ts'
export type { SweptFiles } from './files/sweep-files.ts'
export { ticketMicros, type ReadableFile } from './files/tickets.ts'
export type { NewFile, NewFiles } from './files/upload-files.ts'
export { createFiles } from './files/slice.ts'

export { checkNewSecret, type CreateSecretInput } from './secrets/create-secret.ts'
export type { CreatedOnce } from './secrets/create-secret-once.ts'
export type {
  FolderNotFound,
  LinkNotFound,
  PasswordRequired,
  PasswordWrong,
  ClientGone,
} from './secrets/errors.ts'
export { storedKeyBytes, type RequestDigests, type IdempotencyStore } from './secrets/idempotency-store.ts'
export { idempotencyKeyMaxLength, idempotencyKeyErrors } from './secrets/idempotency.ts'
export {
  openTimesMax,
  type LinkState,
  type LinkChange,
  type LinkedSecret,
  type LinkRecord,
  type FoundLink,
  type PreviewedLink,
  type FoundNote,
  type NoteQuery,
  type LinkStore,
} from './secrets/link-store.ts'
export { type NewSecret, passwordError } from './secrets/new-secret.ts'
export { type PasswordRefused, type OpenedSecret, openSecret } from './secrets/open-secret.ts'
export { claimOpen } from './secrets/opening.ts'
export type { LinkPreview } from './secrets/preview-link.ts'
export type { SecretHead, PlainSecret, SecretCipher } from './secrets/secret-cipher.ts'
export { secretEventTypes, type SecretEventType, type SecretEvent } from './secrets/secret-event.ts'
export type { SecretOverview } from './secrets/secret-overviews.ts'
export { type SecretStatus, secretStatus, secretStatuses } from './secrets/secret-status.ts'
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
} from './secrets/secret-store.ts'
export {
  secretLifetimeMicros,
  offeredLifetimesSeconds,
  pageLifetimeSeconds,
  type Draft,
  type ShareableSecret,
  isExpired,
} from './secrets/secret.ts'
export type { ViewedSecret } from './secrets/owned-secrets.ts'
export { suggestedPassword, suggestedPasswordRandomBytes } from './secrets/suggested-password.ts'
export { type SecretsOptions, createSecrets } from './secrets/slice.ts'

export type { DraftStore, StoredAnswer, StoredDraft } from './drafts/draft-store.ts'
export type { DraftNotFound } from './drafts/errors.ts'
export type { DraftWithNote } from './drafts/get-draft.ts'
export { proposedOpenLimit } from './drafts/show-draft.ts'

export type { Admission, RequestPreview } from './requests/admit-answer.ts'
export type { AnswerReceipt } from './requests/answer-request.ts'
export type { Answer } from './requests/answers.ts'
export type { RequestNotFound } from './requests/errors.ts'
export { requestEventTypes, type RequestEventType, type RequestEvent } from './requests/request-event.ts'
export type {
  NewDraft,
  StoredRequest,
  RequestRecord,
  FoundRequest,
  NamedRequest,
  Answerer,
  AnswerChange,
  RequestFilter,
  RequestStore,
} from './requests/request-store.ts'
export { answersAllowedMax, requestKeyShape, type SecretRequest } from './requests/request.ts'
export { newRequestErrors } from './requests/request-fields.ts'
export { createRequests } from './requests/slice.ts'

export type {
  Target,
  NewDelivery,
  Delivery,
  Lease,
  LeaseOptions,
  Settlement,
  DeliveryFilter,
  DeliveryStore,
} from './notifications/queue/delivery-store.ts'
export type { EventDeliveries, OutboxStore } from './notifications/queue/outbox-store.ts'
export { type OwnerEvent, isRequestEvent, subjectOf } from './notifications/queue/owner-event.ts'
export type {
  InvitationKind,
  SendFailed,
  MailNotice,
  MailContent,
  Mail,
  MailSender,
} from './notifications/queue/senders.ts'
export { createNotify } from './notifications/slice.ts'
export type { WebhookNotFound, WebhookLimitReached } from './notifications/webhooks/errors.ts'
export type {
  WebhookMessage,
  WebhookRequest,
  WebhookSender,
  WebhookUrlRefused,
} from './notifications/webhooks/webhook-sender.ts'
export type { StoredWebhook, WebhookChange, WebhookStore } from './notifications/webhooks/webhook-store.ts'
export { webhooksMax, type WebhookDisabledReason, type Webhook } from './notifications/webhooks/webhook.ts'

export type { KeysUnwritable, KeyInUse, KeyRingUnfit } from './keys/errors.ts'
export type { KeyRingAdmin } from './keys/key-ring-admin.ts'
export { activeKeyOf, compareKeyRing } from './keys/key-ring.ts'
export type {
  StoredKey,
  KeyStore,
  ServerStore,
  StoredText,
  StoredWrappedKey,
  RewrapStore,
} from './keys/key-store.ts'
export { type KeyStatus, fitKeyRing, keyStatus } from './keys/keys.ts'
export { type RotationProgress, rotateKeys } from './keys/rotate-keys.ts'
export type { ShownServer } from './keys/shown-server.ts'

export { type TransferredFiles, type TransferFileMissing, copyFiles } from './storage/copy-files.ts'
export type { CopyProgress } from './storage/copy-progress.ts'
export { type TransferredCounts, type TransferDiffers, copyRows, compareRows } from './storage/copy-rows.ts'
export type { CorruptionStore } from './storage/corruption-store.ts'
export type { CorruptedRow } from './storage/corruption.ts'
export { type DroppedCorruptedRows, type DropRefusal, findCorruptedRows } from './storage/corrupted-rows.ts'
export { examineFiles } from './storage/examine-files.ts'
export type { ExportedFile } from './storage/export-parts.ts'
export type {
  TransferredType,
  TransferredValue,
  TransferredRow,
  TransferredTable,
  TransferredRows,
  TransferredFile,
  TransferSource,
  TransferTarget,
  TransferTargetOptions,
  TransferSourceError,
  TransferTargetError,
} from './storage/transfer.ts'
export type { Ports } from './storage/ports.ts'
export type {
  StorageDriver,
  OpenStorageOptions,
  Log,
  BackUpOptions,
  Backup,
  MissingFile,
  Contents,
  BackUpError,
  RestoreChoices,
  RestoreOptions,
  BackedUpKeys,
  Restored,
  RestoreError,
} from './storage/storage-driver.ts'
export type {
  Storage,
  OpenStorage,
  Upkeep,
  RowCounts,
  Erasure,
  Finding,
  StorageOpenError,
} from './storage/storage.ts'
export { eraseAfterMicros } from './storage/retention.ts'
export type { Swept } from './storage/sweep-expired.ts'
export { createUpkeep } from './storage/slice.ts'

export { type Scope, allScopes } from './accounts/caller.ts'
export { scopesText, scopesOf } from './accounts/scopes-text.ts'
export { isUseToBeRecorded, lastUseEveryMicros } from './shared/last-use.ts'
export type { Caller } from './accounts/caller.ts'

export type { PasswordHashParams, PasswordHashJob, PasswordHasher } from './shared/password-hasher.ts'
