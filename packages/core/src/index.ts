/**
 * The pure core of a secret-sharing service: entities, the ports through which it reaches the outside, and the use-cases. No I/O, no
 * clock, no randomness of its own. Expected failures are values (neverthrow) with a stable `code`.
 *
 * Begin with `createSotto`, which binds every use-case to your ports, or with the function of the one use-case that you need.
 */

export { defaultPolicy, type Policy } from './policy.ts'
export {
  type ErrorOf,
  type Sotto,
  type SottoError,
  type SottoErrorCode,
  type SottoOptions,
  createSotto,
} from './sotto.ts'
export { type FoldersOptions, createFolders } from './slices/folders.ts'
export { type IdentityOptions, createIdentity } from './slices/identity.ts'
export { type NotifyOptions, createNotify } from './slices/notify.ts'
export { type SecretsOptions, createSecrets } from './slices/secrets.ts'
export { type UpkeepOptions, createUpkeep } from './slices/upkeep.ts'

// Entities
export {
  type AccessToken,
  type Scope,
  allScopes,
  isAccessToken,
  isTokenUsable,
  isUseToBeRecorded,
  lastUseEveryMicros,
  makeAccessToken,
} from './entities/access-token.ts'
export {
  type Account,
  type AccountName,
  type MailChoice,
  accountNameText,
  defaultMailChoice,
  parseAccountName,
} from './entities/account.ts'
export type { Caller, CallerVia } from './entities/caller.ts'
export type { Folder, FolderWithCounts } from './entities/folder.ts'
export { type Language, languages, parseLanguage } from './entities/language.ts'
export {
  type LinkToken,
  isLinkToken,
  linkTokenFrom,
  linkTokenRandomBytes,
  noLinkToken,
} from './entities/link-token.ts'
export {
  type OpaqueToken,
  isOpaqueToken,
  makeOpaqueToken,
  opaqueTokenRandomBytes,
} from './entities/opaque-token.ts'
export { type SecretEvent, type SecretEventType, secretEventTypes } from './entities/secret-event.ts'
export {
  type Draft,
  type Lifetime,
  type Link,
  type ShareableSecret,
  expiryOf,
  isExpired,
  lifetimesSeconds,
  opensLeft,
  parseLifetime,
  secretLifetimeMicros,
} from './entities/secret.ts'
export {
  type Session,
  isReauthenticationFresh,
  isSessionAlive,
  reauthenticationMicros,
  sessionIdleMicros,
  sessionLifetimeMicros,
} from './entities/session.ts'
export { type Uuid, nilUuid, parseUuid, uuidToFind, uuidV7, uuidV7RandomBytes } from './entities/uuid.ts'
export {
  type Webhook,
  type WebhookDisabledReason,
  type WebhookEndpoint,
  makeWebhookSecret,
  parseWebhookEndpoint,
  webhookEndpointText,
  webhookSecretBytes,
  webhooksMax,
} from './entities/webhook.ts'
export { emailChangeLifetimeMicros } from './entities/email-change.ts'
export { type InvitationKind, invitationLifetimeMicros } from './entities/invitation.ts'

// Errors
export type * from './errors.ts'

// Ports
export type { AccessTokenStore, StoredAccessToken, TokenStatus } from './ports/access-token-store.ts'
export type { AccountStore, StoredAccount } from './ports/account-store.ts'
export type {
  KeyRing,
  KeyRingAdmin,
  PlainSecret,
  SecretCipher,
  SecretHead,
  TextCipher,
  TokenSeal,
} from './ports/cipher.ts'
export type { Ciphertext, Encrypted, EncryptedSecret } from './ports/ciphertext.ts'
export type { Clock } from './ports/clock.ts'
export type { Cursor } from './ports/cursor.ts'
export type { CorruptionStore } from './ports/corruption-store.ts'
export type {
  Delivery,
  DeliveryFilter,
  DeliveryStore,
  Lease,
  LeaseOptions,
  NewDelivery,
  QueueState,
  Settlement,
  Target,
} from './ports/delivery-store.ts'
export type { Digests, KeyedDigestPurpose, OpaqueTokenPurpose } from './ports/digests.ts'
export type { FolderStore, StoredFolder, StoredFolderWithCounts } from './ports/folder-store.ts'
export type { ClaimedKey, IdempotencyStore, RequestDigests } from './ports/idempotency-store.ts'
export { attemptsOf, attemptsText, scopesOf, scopesText } from './ports/stored-texts.ts'
export { storedKeyBytes } from './ports/idempotency-store.ts'
export type { KeyStore, RewrapStore, StoredKey, StoredText, StoredWrap } from './ports/key-store.ts'
export {
  type LinkChange,
  type LinkRecord,
  type LinkState,
  type LinkStore,
  type NoteQuery,
  openTimesMax,
} from './ports/link-store.ts'
export {
  type MovedRow,
  type MovedRows,
  type MovedTable,
  type MovedType,
  type MovedValue,
  type MoveSource,
  type MoveSourceError,
  type MoveSourceOptions,
  type MoveTarget,
  type MoveTargetError,
  type MoveTargetOptions,
} from './ports/move.ts'
export type { EventDeliveries, OutboxStore } from './ports/outbox-store.ts'
export type { PasswordHasher, PasswordHashJob, PasswordHashParams } from './ports/password-hasher.ts'
export type { PasswordStore, StoredPassword } from './ports/password-store.ts'
export type { MethodNames, PortMethods, Ports } from './ports/ports.ts'
export {
  type QuotaLimits,
  type QuotaStore,
  type QuotaWindow,
  type QuotaWindows,
  defaultAddressesMax,
  quotaWindowMicros,
} from './ports/quota-store.ts'
export type { Random } from './ports/random.ts'
export type {
  DraftStore,
  SecretActivity,
  SecretFilter,
  SecretStore,
  StoredDraft,
  StoredLink,
  StoredNote,
  StoredSecret,
  StoredShareableSecret,
} from './ports/secret-store.ts'
export type {
  Mail,
  MailContent,
  MailNotice,
  MailSender,
  SendFailed,
  WebhookMessage,
  WebhookRequest,
  WebhookSender,
  WebhookUrlRefused,
} from './ports/senders.ts'
export type { SessionStatus, SessionStore, StoredSession } from './ports/session-store.ts'
export type { AttemptBucket, AttemptsChange, SignInStore } from './ports/sign-in-store.ts'
export type {
  BackedUpKeys,
  Backup,
  BackUpError,
  BackUpOptions,
  Contents,
  CopyProgress,
  Log,
  OpenStorageOptions,
  RestoreChoices,
  Restored,
  RestoreError,
  RestoreOptions,
  StorageDriver,
  StorageOpenError,
} from './ports/storage-driver.ts'
export type { Erasure, Finding, OpenStorage, RowCounts, Storage, Upkeep } from './ports/storage.ts'
export type { Gauged, Measured, Meter } from './ports/meter.ts'
export { type TextColumn, type TextPlace, textColumns } from './ports/text-columns.ts'
export type { StoredWebhook, WebhookChange, WebhookStore } from './ports/webhook-store.ts'
export type { EmailChangeStore, StoredEmailChange } from './ports/email-change-store.ts'
export type { StoredInvitation, InvitationSpending, InvitationStore } from './ports/invitation-store.ts'

// Rules
export { accountPasswordMinCodePoints, emailLocalPart } from './rules/account-passwords.ts'
export {
  type AttemptLimits,
  type AttemptRefused,
  type AttemptState,
  type AttemptUnderWay,
  attemptTimeoutMicros,
  linkAttemptLimits,
  lockMicros,
  noAttempts,
  wrongToDisable,
  wrongToLock,
  wrongWindowMicros,
} from './rules/attempts.ts'
export {
  type DraftReservation,
  isDraftDisabled,
  reserveDraftAttempt,
  settleDraftAttempt,
} from './rules/draft-attempts.ts'
export { commonPasswords } from './rules/common-passwords.ts'
export {
  type NewSecret,
  type RuleBroken,
  bounds,
  emailError,
  normalizeEmail,
  normalizePassword,
  passwordError,
} from './rules/fields.ts'
export {
  type RepeatableRequest,
  idempotencyKeyErrors,
  idempotencyKeyMaxLength,
  idempotencyMicros,
  requestDigests,
} from './rules/idempotency.ts'
export { compareKeyRing } from './rules/key-ring.ts'
export { type MovedCounts, type MoveDiffers, type OnMoved, compareRows, copyRows } from './rules/moving.ts'
export {
  type Claim,
  type Reservation,
  claimOpen,
  isOpenable,
  rememberedFormsMax,
  reserveOpen,
  settleOpen,
} from './rules/opening.ts'
export { areQuotaWindowsFull, quotaWindowsAt } from './rules/quota-windows.ts'
export {
  type FailedAttempt,
  nextAttemptMicros,
  retryAfterMaxMicros,
  retryDelaysMicros,
} from './rules/retries.ts'
export { type EventStamp, expiredUnopenedEvent, lockedEvent, openedEvent } from './rules/secret-events.ts'
export { accountAttemptLimits, addressAttemptLimits, mailLimits } from './rules/sign-in-attempts.ts'
export { codePointCount, hasControlCharacter, hasLoneSurrogate, utf8ByteLength } from './rules/text.ts'
export { failingMaxMicros, webhookAfterFailure } from './rules/webhook-failures.ts'

// Use-cases
export {
  type AuthenticateSessionDeps,
  type AuthenticateSessionError,
  type AuthenticateSessionInput,
  type SignedIn,
  authenticateSession,
} from './use-cases/authenticate-session.ts'
export {
  type AuthenticateDeps,
  type AuthenticateError,
  type AuthenticateInput,
  authenticate,
} from './use-cases/authenticate.ts'
export {
  type BrowseSecretsDeps,
  type BrowseSecretsError,
  type BrowseSecretsInput,
  browseSecrets,
} from './use-cases/browse-secrets.ts'
export {
  type ChangeEmailDeps,
  type ChangeEmailError,
  type ChangeEmailInput,
  changeEmail,
} from './use-cases/change-email.ts'
export {
  type ChangePasswordDeps,
  type ChangePasswordError,
  type ChangePasswordInput,
  changePassword,
} from './use-cases/change-password.ts'
export {
  type CheckNewSecretDeps,
  type CheckNewSecretError,
  type CheckNewSecretInput,
  checkNewSecret,
} from './use-cases/check-new-secret.ts'
export {
  type ChoosePasswordDeps,
  type ChoosePasswordError,
  type ChoosePasswordInput,
  choosePassword,
  type ChosenPassword,
} from './use-cases/choose-password.ts'
export {
  type ConfirmEmailChangeDeps,
  type ConfirmEmailChangeError,
  type ConfirmEmailChangeInput,
  confirmEmailChange,
  type EmailChanged,
} from './use-cases/confirm-email-change.ts'
export {
  type CreateAccessTokenDeps,
  type CreateAccessTokenError,
  type CreateAccessTokenInput,
  type NewAccessToken,
  createAccessToken,
} from './use-cases/create-access-token.ts'
export {
  type CreateAccountDeps,
  type CreateAccountError,
  type CreateAccountInput,
  createAccount,
} from './use-cases/create-account.ts'
export {
  type CreateFolderDeps,
  type CreateFolderError,
  type CreateFolderInput,
  createFolder,
} from './use-cases/create-folder.ts'
export {
  type CreateSecretOnceDeps,
  type CreateSecretOnceError,
  type CreateSecretOnceInput,
  type CreatedOnce,
  createSecretOnce,
} from './use-cases/create-secret-once.ts'
export {
  type CreateSecretDeps,
  type CreateSecretError,
  type CreateSecretInput,
  createSecret,
} from './use-cases/create-secret.ts'
export {
  type CreateWebhookDeps,
  type CreateWebhookError,
  type CreateWebhookInput,
  type NewWebhook,
  createWebhook,
} from './use-cases/create-webhook.ts'
export type { CorruptedRow } from './use-cases/corruption.ts'
export {
  type DeleteAccountDeps,
  type DeleteAccountError,
  type DeleteAccountInput,
  deleteAccount,
} from './use-cases/delete-account.ts'
export {
  type DeleteDraftDeps,
  type DeleteDraftError,
  type DeleteDraftInput,
  deleteDraft,
} from './use-cases/delete-draft.ts'
export {
  type DeleteFolderDeps,
  type DeleteFolderError,
  type DeleteFolderInput,
  deleteFolder,
} from './use-cases/delete-folder.ts'
export {
  type DeleteWebhookDeps,
  type DeleteWebhookError,
  type DeleteWebhookInput,
  deleteWebhook,
} from './use-cases/delete-webhook.ts'
export {
  type Delivered,
  type DeliverLeaseDeps,
  type DeliverLeaseError,
  type DeliverLeaseInput,
  deliverLease,
  pauseMicros,
} from './use-cases/deliver-lease.ts'
export {
  type DestroySecretDeps,
  type DestroySecretError,
  type DestroySecretInput,
  destroySecret,
} from './use-cases/destroy-secret.ts'
export {
  type DisableAccountDeps,
  type DisableAccountError,
  type DisableAccountInput,
  disableAccount,
} from './use-cases/disable-account.ts'
export {
  type Distributed,
  type DistributeEventsDeps,
  type DistributeEventsError,
  type DistributeEventsInput,
  distributeEvents,
} from './use-cases/distribute-events.ts'
export {
  type DropCorruptedRowsDeps,
  type DropCorruptedRowsError,
  type DropCorruptedRowsInput,
  type DroppedCorruptedRows,
  type DroppedRow,
  type DropRefusal,
  type RefusedRow,
  dropCorruptedRows,
  labelInPlaceOfCorrupted,
} from './use-cases/drop-corrupted-rows.ts'
export {
  type EditDraftDeps,
  type EditDraftError,
  type EditDraftInput,
  editDraft,
} from './use-cases/edit-draft.ts'
export {
  type EndSessionDeps,
  type EndSessionError,
  type EndSessionInput,
  endSession,
} from './use-cases/end-session.ts'
export {
  type EnsureAccountDeps,
  type EnsureAccountError,
  type EnsureAccountInput,
  ensureAccount,
} from './use-cases/ensure-account.ts'
export {
  type EnsureReauthenticationDeps,
  type EnsureReauthenticationError,
  type EnsureReauthenticationInput,
  ensureReauthentication,
} from './use-cases/ensure-reauthentication.ts'
export {
  type ExportAccountDeps,
  type ExportAccountError,
  type ExportAccountInput,
  type ExportItem,
  exportAccount,
} from './use-cases/export-account.ts'
export {
  type FindAccountDeps,
  type FindAccountError,
  type FindAccountInput,
  findAccount,
} from './use-cases/find-account.ts'
export {
  type FindCorruptedRowsDeps,
  type FindCorruptedRowsError,
  type FindCorruptedRowsInput,
  findCorruptedRows,
} from './use-cases/find-corrupted-rows.ts'
export { type FitKeyRingDeps, type FitKeyRingError, fitKeyRing } from './use-cases/fit-key-ring.ts'
export {
  type GetAccountDeps,
  type GetAccountError,
  type GetAccountInput,
  getAccount,
} from './use-cases/get-account.ts'
export {
  type DraftWithNote,
  type GetDraftDeps,
  type GetDraftError,
  type GetDraftInput,
  getDraft,
} from './use-cases/get-draft.ts'
export {
  type GetFolderDeps,
  type GetFolderError,
  type GetFolderInput,
  getFolder,
} from './use-cases/get-folder.ts'
export {
  type GetQueueStateDeps,
  type GetQueueStateError,
  getQueueState,
} from './use-cases/get-queue-state.ts'
export {
  type GetSecretDeps,
  type GetSecretError,
  type GetSecretInput,
  getSecret,
} from './use-cases/get-secret.ts'
export {
  firstFolderLabel,
  type InviteAccountDeps,
  type InviteAccountError,
  type InviteAccountInput,
  inviteAccount,
} from './use-cases/invite-account.ts'
export { type KeyStatus, type KeyStatusDeps, type KeyStatusError, keyStatus } from './use-cases/key-status.ts'
export {
  type LeaseDeliveriesDeps,
  type LeaseDeliveriesError,
  type LeaseDeliveriesInput,
  leaseDeliveries,
  leaseMicros,
} from './use-cases/lease-deliveries.ts'
export {
  type ListAccessTokensDeps,
  type ListAccessTokensError,
  type ListAccessTokensInput,
  listAccessTokens,
} from './use-cases/list-access-tokens.ts'
export {
  type ListAccountsDeps,
  type ListAccountsError,
  type ListAccountsInput,
  listAccounts,
} from './use-cases/list-accounts.ts'
export {
  type ListDeliveriesDeps,
  type ListDeliveriesError,
  type ListDeliveriesInput,
  listDeliveries,
} from './use-cases/list-deliveries.ts'
export {
  type ListDraftsDeps,
  type ListDraftsError,
  type ListDraftsInput,
  listDrafts,
} from './use-cases/list-drafts.ts'
export {
  type ListFoldersDeps,
  type ListFoldersError,
  type ListFoldersInput,
  listFolders,
} from './use-cases/list-folders.ts'
export {
  type ListSecretsDeps,
  type ListSecretsError,
  type ListSecretsInput,
  listSecrets,
} from './use-cases/list-secrets.ts'
export {
  type ListSessionsDeps,
  type ListSessionsError,
  type ListSessionsInput,
  listSessions,
} from './use-cases/list-sessions.ts'
export {
  type ListWebhooksDeps,
  type ListWebhooksError,
  type ListWebhooksInput,
  listWebhooks,
} from './use-cases/list-webhooks.ts'
export {
  type MailInvitationDeps,
  type MailInvitationError,
  type MailInvitationInput,
  mailInvitation,
} from './use-cases/mail-invitation.ts'
export type { MailUnderWay } from './use-cases/mails.ts'
export {
  type OpenedSecret,
  type OpenSecretDeps,
  type OpenSecretError,
  type OpenSecretInput,
  openSecret,
  type PasswordRefused,
} from './use-cases/open-secret.ts'
export { type ListInput, type Page, type Pages, listPageSize } from './use-cases/pages.ts'
export {
  type EmailChangePreview,
  type PreviewEmailChangeDeps,
  type PreviewEmailChangeError,
  type PreviewEmailChangeInput,
  previewEmailChange,
} from './use-cases/preview-email-change.ts'
export {
  type LinkPreview,
  type PreviewLinkDeps,
  type PreviewLinkError,
  type PreviewLinkInput,
  previewLink,
} from './use-cases/preview-link.ts'
export {
  type PreviewInvitationDeps,
  type PreviewInvitationError,
  type PreviewInvitationInput,
  type InvitationPreview,
  previewInvitation,
} from './use-cases/preview-invitation.ts'
export {
  type RenameFolderDeps,
  type RenameFolderError,
  type RenameFolderInput,
  renameFolder,
} from './use-cases/rename-folder.ts'
export {
  type RequestEmailChangeDeps,
  type RequestEmailChangeError,
  type RequestEmailChangeInput,
  requestEmailChange,
} from './use-cases/request-email-change.ts'
export {
  type RequestResetDeps,
  type RequestResetError,
  type RequestResetInput,
  requestReset,
  type ResetRequested,
} from './use-cases/request-reset.ts'
export {
  type ResetAccountDeps,
  type ResetAccountError,
  type ResetAccountInput,
  resetAccount,
} from './use-cases/reset-account.ts'
export {
  type RetireKeyDeps,
  type RetireKeyError,
  type RetireKeyInput,
  retireKey,
} from './use-cases/retire-key.ts'
export {
  type RetryDeliveryDeps,
  type RetryDeliveryError,
  type RetryDeliveryInput,
  retryDelivery,
} from './use-cases/retry-delivery.ts'
export {
  type RevokeAccessTokenDeps,
  type RevokeAccessTokenError,
  type RevokeAccessTokenInput,
  revokeAccessToken,
} from './use-cases/revoke-access-token.ts'
export {
  type RotateKeysDeps,
  type RotateKeysError,
  type RotateKeysInput,
  type RotationProgress,
  rotateKeys,
} from './use-cases/rotate-keys.ts'
export {
  type SaveDraftDeps,
  type SaveDraftError,
  type SaveDraftInput,
  saveDraft,
} from './use-cases/save-draft.ts'
export type { SecretOverview } from './use-cases/secret-overviews.ts'
export type { NewSession } from './use-cases/sessions.ts'
export {
  type SetLanguageDeps,
  type SetLanguageError,
  type SetLanguageInput,
  setLanguage,
} from './use-cases/set-language.ts'
export { type SetMailsDeps, type SetMailsError, type SetMailsInput, setMails } from './use-cases/set-mails.ts'
export {
  type ShareDraftDeps,
  type ShareDraftError,
  type ShareDraftInput,
  shareDraft,
} from './use-cases/share-draft.ts'
export { type SignInDeps, type SignInError, type SignInInput, signIn } from './use-cases/sign-in.ts'
export {
  type SweepExpiredDeps,
  type SweepExpiredError,
  type SweepExpiredInput,
  type Swept,
  eraseAfterMicros,
  keepMicros,
  sweepExpired,
} from './use-cases/sweep-expired.ts'
export {
  type PeekQuotaDeps,
  type PeekQuotaError,
  type PeekQuotaInput,
  type Quota,
  type QuotaBucket,
  type TakeQuotaDeps,
  type TakeQuotaError,
  type TakeQuotaInput,
  peekQuota,
  takeQuota,
  testLimits,
} from './use-cases/take-quota.ts'
export { type TestMailDeps, type TestMailError, type TestMailInput, testMail } from './use-cases/test-mail.ts'
export {
  type TestWebhookDeps,
  type TestWebhookError,
  type TestWebhookInput,
  testWebhook,
} from './use-cases/test-webhook.ts'
export {
  type ViewSecretDeps,
  type ViewSecretError,
  type ViewSecretInput,
  viewSecret,
} from './use-cases/view-secret.ts'
export type { NewInvitation } from './use-cases/invitations.ts'
