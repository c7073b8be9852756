/**
 * The pure core of a secret-sharing service: entities, the ports through which it reaches the outside, and the use-cases. No I/O, no
 * clock, no randomness of its own. Expected failures are values (neverthrow) with a stable `code`.
 *
 * Begin with `createSotto`, which binds every use-case to your ports, or with the function of the one use-case that you need.
 */

export type { ErrorOf, Sotto, SottoError, SottoErrorCode, SottoOptions } from './sotto.ts'
export { createSotto } from './sotto.ts'
export type { Policy } from './policy.ts'
export type * from './errors.ts'

// Entities
export type { AccessToken, Scope } from './entities/access-token.ts'
export {
  allScopes,
  isAccessToken,
  isTokenUsable,
  isUseToBeRecorded,
  lastUseEveryMicros,
  makeAccessToken,
} from './entities/access-token.ts'
export type { Account, AccountName } from './entities/account.ts'
export { accountNameText, parseAccountName } from './entities/account.ts'
export type { Caller, CallerVia } from './entities/caller.ts'
export type { Language } from './entities/language.ts'
export { languages, parseLanguage } from './entities/language.ts'
export type { Folder, FolderWithCounts } from './entities/folder.ts'
export type { LinkToken } from './entities/link-token.ts'
export { isLinkToken, linkTokenFrom, linkTokenRandomBytes, noLinkToken } from './entities/link-token.ts'
export type { OpaqueToken } from './entities/opaque-token.ts'
export { isOpaqueToken, makeOpaqueToken, opaqueTokenRandomBytes } from './entities/opaque-token.ts'
export type { Draft, Lifetime, Link, ShareableSecret } from './entities/secret.ts'
export {
  expiryOf,
  isExpired,
  lifetimesSeconds,
  parseLifetime,
  secretLifetimeMicros,
} from './entities/secret.ts'
export type { Session } from './entities/session.ts'
export {
  isProofFresh,
  isSessionAlive,
  proofMicros,
  sessionIdleMicros,
  sessionLifetimeMicros,
} from './entities/session.ts'
export type { WelcomeKind } from './entities/welcome.ts'
export { welcomeLifetimeMicros } from './entities/welcome.ts'
export type { Uuid } from './entities/uuid.ts'
export { nilUuid, parseUuid, uuidToFind, uuidV7, uuidV7RandomBytes } from './entities/uuid.ts'

// Ports
export type { Ports } from './ports/ports.ts'
export type { AccessTokenStore, StoredAccessToken, TokenStanding } from './ports/access-token-store.ts'
export type { AccountStore, StoredAccount } from './ports/account-store.ts'
export type {
  KeyRing,
  KeyRingAdmin,
  PlainSecret,
  SecretCipher,
  SecretHead,
  TextCipher,
} from './ports/cipher.ts'
export type { Ciphertext, Encrypted, EncryptedSecret } from './ports/ciphertext.ts'
export type { Clock } from './ports/clock.ts'
export type { Cursor } from './ports/cursor.ts'
export type { DamageStore } from './ports/damage-store.ts'
export type { Digests, KeyedDigestPurpose, OpaqueTokenPurpose } from './ports/digests.ts'
export type { FolderStore, StoredFolder, StoredFolderWithCounts } from './ports/folder-store.ts'
export type { KeyStore, RewrapStore, StoredKey, StoredText, StoredWrap } from './ports/key-store.ts'
export type { LinkChange, LinkRecord, LinkState, LinkStore, NoteQuery } from './ports/link-store.ts'
export { openTimesMax } from './ports/link-store.ts'
export type { OutboxMessage, OutboxStore } from './ports/outbox-store.ts'
export type { PasswordHasher, PasswordHashJob, PasswordHashParams } from './ports/password-hasher.ts'
export type { PasswordStore, StoredPassword } from './ports/password-store.ts'
export type { QuotaLimits, QuotaStore, QuotaWindow, QuotaWindows } from './ports/quota-store.ts'
export { defaultAddressesMax, quotaWindowMicros } from './ports/quota-store.ts'
export type { Random } from './ports/random.ts'
export type {
  DraftStore,
  SecretActivity,
  SecretFilter,
  SecretStore,
  StoredLink,
  StoredNote,
  StoredSecret,
  StoredShareableSecret,
} from './ports/secret-store.ts'
export type { SessionStanding, SessionStore, StoredSession } from './ports/session-store.ts'
export type { AttemptBucket, AttemptsChange, SignInStore } from './ports/sign-in-store.ts'
export type { StoredWelcome, WelcomeSpending, WelcomeStore } from './ports/welcome-store.ts'
export type { Erasure, Finding, OpenStorage, Storage, Upkeep } from './ports/storage.ts'
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
export type { TextColumn, TextPlace } from './ports/text-columns.ts'
export { textColumns } from './ports/text-columns.ts'

// Rules
export { accountPasswordMinCodePoints } from './rules/account-passwords.ts'
export { commonPasswords } from './rules/common-passwords.ts'
export { accountAttemptLimits, addressAttemptLimits } from './rules/sign-in-attempts.ts'
export type { AttemptLimits, AttemptRefused, AttemptState, AttemptUnderWay } from './rules/attempts.ts'
export {
  attemptTimeoutMicros,
  linkAttemptLimits,
  lockMicros,
  noAttempts,
  wrongToDisable,
  wrongToLock,
  wrongWindowMicros,
} from './rules/attempts.ts'
export type { NewSecret } from './rules/fields.ts'
export { bounds, normalizeEmail, normalizePassword, passwordError } from './rules/fields.ts'
export { compareKeyRing } from './rules/key-ring.ts'
export type { Claim, Reservation } from './rules/opening.ts'
export {
  claimOpen,
  isOpenable,
  opensLeft,
  rememberedFormsMax,
  reserveOpen,
  settleOpen,
} from './rules/opening.ts'
export { codePointCount, hasControlCharacter, hasLoneSurrogate, utf8ByteLength } from './rules/text.ts'

// Use-cases
export type { AuthenticateDeps, AuthenticateError, AuthenticateInput } from './use-cases/authenticate.ts'
export { authenticate } from './use-cases/authenticate.ts'
export type {
  CheckNewSecretDeps,
  CheckNewSecretError,
  CheckNewSecretInput,
} from './use-cases/check-new-secret.ts'
export { checkNewSecret } from './use-cases/check-new-secret.ts'
export type {
  CreateAccessTokenDeps,
  CreateAccessTokenError,
  CreateAccessTokenInput,
  NewAccessToken,
} from './use-cases/create-access-token.ts'
export { createAccessToken } from './use-cases/create-access-token.ts'
export type { CreateAccountDeps, CreateAccountError, CreateAccountInput } from './use-cases/create-account.ts'
export { createAccount } from './use-cases/create-account.ts'
export type { CreateFolderDeps, CreateFolderError, CreateFolderInput } from './use-cases/create-folder.ts'
export { createFolder } from './use-cases/create-folder.ts'
export type { CreateSecretDeps, CreateSecretError, CreateSecretInput } from './use-cases/create-secret.ts'
export { createSecret } from './use-cases/create-secret.ts'
export type { DeleteDraftDeps, DeleteDraftError, DeleteDraftInput } from './use-cases/delete-draft.ts'
export { deleteDraft } from './use-cases/delete-draft.ts'
export type {
  DisableAccountDeps,
  DisableAccountError,
  DisableAccountInput,
} from './use-cases/disable-account.ts'
export { disableAccount } from './use-cases/disable-account.ts'
export type {
  DropDamageDeps,
  DropDamageError,
  DropDamageInput,
  DroppedDamage,
  DroppedRow,
  DropRefusal,
  RefusedRow,
} from './use-cases/drop-damage.ts'
export { dropDamage, labelInPlaceOfDamaged } from './use-cases/drop-damage.ts'
export type { EnsureAccountDeps, EnsureAccountError, EnsureAccountInput } from './use-cases/ensure-account.ts'
export { ensureAccount } from './use-cases/ensure-account.ts'
export type { FindAccountDeps, FindAccountError, FindAccountInput } from './use-cases/find-account.ts'
export { findAccount } from './use-cases/find-account.ts'
export type { DamagedRow } from './use-cases/damage.ts'
export type { FindDamageDeps, FindDamageError, FindDamageInput } from './use-cases/find-damage.ts'
export { findDamage } from './use-cases/find-damage.ts'
export type { FitKeyRingDeps, FitKeyRingError } from './use-cases/fit-key-ring.ts'
export { fitKeyRing } from './use-cases/fit-key-ring.ts'
export type { GetSecretDeps, GetSecretError, GetSecretInput } from './use-cases/get-secret.ts'
export { getSecret } from './use-cases/get-secret.ts'
export type { KeyStatus, KeyStatusDeps, KeyStatusError } from './use-cases/key-status.ts'
export { keyStatus } from './use-cases/key-status.ts'
export type {
  ListAccessTokensDeps,
  ListAccessTokensError,
  ListAccessTokensInput,
} from './use-cases/list-access-tokens.ts'
export { listAccessTokens } from './use-cases/list-access-tokens.ts'
export type { ListAccountsDeps, ListAccountsError, ListAccountsInput } from './use-cases/list-accounts.ts'
export { listAccounts } from './use-cases/list-accounts.ts'
export type { ListDraftsDeps, ListDraftsError, ListDraftsInput } from './use-cases/list-drafts.ts'
export { listDrafts } from './use-cases/list-drafts.ts'
export type { ListFoldersDeps, ListFoldersError, ListFoldersInput } from './use-cases/list-folders.ts'
export { listFolders } from './use-cases/list-folders.ts'
export type { ListSecretsDeps, ListSecretsError, ListSecretsInput } from './use-cases/list-secrets.ts'
export { listSecrets } from './use-cases/list-secrets.ts'
export type {
  OpenSecretDeps,
  OpenSecretError,
  OpenSecretInput,
  OpenedSecret,
} from './use-cases/open-secret.ts'
export { openSecret } from './use-cases/open-secret.ts'
export type {
  LinkPreview,
  PreviewLinkDeps,
  PreviewLinkError,
  PreviewLinkInput,
} from './use-cases/preview-link.ts'
export { previewLink } from './use-cases/preview-link.ts'
export type { RetireKeyDeps, RetireKeyError, RetireKeyInput } from './use-cases/retire-key.ts'
export { retireKey } from './use-cases/retire-key.ts'
export type {
  RevokeAccessTokenDeps,
  RevokeAccessTokenError,
  RevokeAccessTokenInput,
} from './use-cases/revoke-access-token.ts'
export { revokeAccessToken } from './use-cases/revoke-access-token.ts'
export type {
  RotateKeysDeps,
  RotateKeysError,
  RotateKeysInput,
  RotationProgress,
} from './use-cases/rotate-keys.ts'
export { rotateKeys } from './use-cases/rotate-keys.ts'
export type { SaveDraftDeps, SaveDraftError, SaveDraftInput } from './use-cases/save-draft.ts'
export { saveDraft } from './use-cases/save-draft.ts'
export type { ShareDraftDeps, ShareDraftError, ShareDraftInput } from './use-cases/share-draft.ts'
export { shareDraft } from './use-cases/share-draft.ts'
export type {
  SweepExpiredDeps,
  SweepExpiredError,
  SweepExpiredInput,
  Swept,
} from './use-cases/sweep-expired.ts'
export { eraseAfterMicros, sweepExpired } from './use-cases/sweep-expired.ts'
export type {
  PeekQuotaDeps,
  PeekQuotaError,
  PeekQuotaInput,
  Quota,
  QuotaBucket,
  TakeQuotaDeps,
  TakeQuotaError,
  TakeQuotaInput,
} from './use-cases/take-quota.ts'
export { peekQuota, takeQuota } from './use-cases/take-quota.ts'
export type { ListInput, Page, Pages } from './use-cases/pages.ts'
export { listPageSize } from './use-cases/pages.ts'
export type {
  AuthenticateSessionDeps,
  AuthenticateSessionError,
  AuthenticateSessionInput,
  SignedIn,
} from './use-cases/authenticate-session.ts'
export { authenticateSession } from './use-cases/authenticate-session.ts'
export type { SignInDeps, SignInError, SignInInput } from './use-cases/sign-in.ts'
export { signIn } from './use-cases/sign-in.ts'
export type { EndSessionDeps, EndSessionError, EndSessionInput } from './use-cases/end-session.ts'
export { endSession } from './use-cases/end-session.ts'
export type { ListSessionsDeps, ListSessionsError, ListSessionsInput } from './use-cases/list-sessions.ts'
export { listSessions } from './use-cases/list-sessions.ts'
export type { EnsureProofDeps, EnsureProofError, EnsureProofInput } from './use-cases/ensure-proof.ts'
export { ensureProof } from './use-cases/ensure-proof.ts'
export type { InviteAccountDeps, InviteAccountError, InviteAccountInput } from './use-cases/invite-account.ts'
export { inviteAccount } from './use-cases/invite-account.ts'
export type { ResetAccountDeps, ResetAccountError, ResetAccountInput } from './use-cases/reset-account.ts'
export { resetAccount } from './use-cases/reset-account.ts'
export type {
  PreviewWelcomeDeps,
  PreviewWelcomeError,
  PreviewWelcomeInput,
  WelcomePreview,
} from './use-cases/preview-welcome.ts'
export { previewWelcome } from './use-cases/preview-welcome.ts'
export type {
  ChoosePasswordDeps,
  ChoosePasswordError,
  ChoosePasswordInput,
} from './use-cases/choose-password.ts'
export { choosePassword } from './use-cases/choose-password.ts'
export type {
  ChangePasswordDeps,
  ChangePasswordError,
  ChangePasswordInput,
} from './use-cases/change-password.ts'
export { changePassword } from './use-cases/change-password.ts'
export type { GetAccountDeps, GetAccountError, GetAccountInput } from './use-cases/get-account.ts'
export { getAccount } from './use-cases/get-account.ts'
export type { ChangeEmailDeps, ChangeEmailError, ChangeEmailInput } from './use-cases/change-email.ts'
export { changeEmail } from './use-cases/change-email.ts'
export type { SetLanguageDeps, SetLanguageError, SetLanguageInput } from './use-cases/set-language.ts'
export { setLanguage } from './use-cases/set-language.ts'
export type { DeleteAccountDeps, DeleteAccountError, DeleteAccountInput } from './use-cases/delete-account.ts'
export { deleteAccount } from './use-cases/delete-account.ts'
export type {
  ExportAccountDeps,
  ExportAccountError,
  ExportAccountInput,
  ExportItem,
} from './use-cases/export-account.ts'
export { exportAccount } from './use-cases/export-account.ts'
export type { GetFolderDeps, GetFolderError, GetFolderInput } from './use-cases/get-folder.ts'
export { getFolder } from './use-cases/get-folder.ts'
export type { RenameFolderDeps, RenameFolderError, RenameFolderInput } from './use-cases/rename-folder.ts'
export { renameFolder } from './use-cases/rename-folder.ts'
export type { DeleteFolderDeps, DeleteFolderError, DeleteFolderInput } from './use-cases/delete-folder.ts'
export { deleteFolder } from './use-cases/delete-folder.ts'
export type { ViewSecretDeps, ViewSecretError, ViewSecretInput } from './use-cases/view-secret.ts'
export { viewSecret } from './use-cases/view-secret.ts'
export type { BrowseSecretsDeps, BrowseSecretsError, BrowseSecretsInput } from './use-cases/browse-secrets.ts'
export { browseSecrets } from './use-cases/browse-secrets.ts'
export type { DestroySecretDeps, DestroySecretError, DestroySecretInput } from './use-cases/destroy-secret.ts'
export { destroySecret } from './use-cases/destroy-secret.ts'
export type { DraftWithNote, GetDraftDeps, GetDraftError, GetDraftInput } from './use-cases/get-draft.ts'
export { getDraft } from './use-cases/get-draft.ts'
export type { EditDraftDeps, EditDraftError, EditDraftInput } from './use-cases/edit-draft.ts'
export { editDraft } from './use-cases/edit-draft.ts'
export type { SecretOverview } from './use-cases/secret-overviews.ts'
export type { NewSession } from './use-cases/sessions.ts'
export type { NewWelcome } from './use-cases/welcomes.ts'
