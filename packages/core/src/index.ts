/**
 * The pure core of a secret-sharing service: entities, the ports through which it meets the world, and the use-cases. No I/O, no
 * clock, no randomness of its own. Expected failures are values (neverthrow) with a stable `code`.
 */

// Entities
export type { AccessToken, Caller, Scope } from './entities/access-token.ts'
export { allScopes, isAccessToken, makeAccessToken } from './entities/access-token.ts'
export type { Account } from './entities/account.ts'
export type { Folder, FolderWithCounts } from './entities/folder.ts'
export type { LinkToken } from './entities/link-token.ts'
export { isLinkToken, linkTokenFrom, linkTokenRandomBytes } from './entities/link-token.ts'
export type { Draft, Link, ShareableSecret } from './entities/secret.ts'
export { expiryOf, isExpired, secretLifetimeMicros } from './entities/secret.ts'
export type { Uuid } from './entities/uuid.ts'
export { nilUuid, parseUuid, uuidV7, uuidV7RandomBytes } from './entities/uuid.ts'

// Errors
export type * from './errors.ts'

// Ports
export type { AccessTokenStore, StoredAccessToken, TokenStanding } from './ports/access-token-store.ts'
export type { AccountStore, StoredAccount } from './ports/account-store.ts'
export type {
  KeyRing,
  KeyRingAdmin,
  PlainSecret,
  SecretCipher,
  SecretHead,
  TextCipher,
  TextPlace,
} from './ports/cipher.ts'
export type { Ciphertext, Encrypted, SecretKeys } from './ports/ciphertext.ts'
export type { Clock } from './ports/clock.ts'
export type { Digests } from './ports/digests.ts'
export type { FolderStore, StoredFolder, StoredFolderWithCounts } from './ports/folder-store.ts'
export type { KeyStore, RewrapStore, StoredKey, StoredText, StoredWrap } from './ports/key-store.ts'
export type { LinkChange, LinkRecord, LinkState, LinkStore } from './ports/link-store.ts'
export type { Limits, Ports, RotationPorts } from './ports/ports.ts'
export type { QuotaLimits, QuotaStore, QuotaWindow, QuotaWindows } from './ports/quota-store.ts'
export type { Random } from './ports/random.ts'
export type {
  DraftStore,
  SecretStore,
  StoredLink,
  StoredNote,
  StoredSecret,
  StoredShareableSecret,
} from './ports/secret-store.ts'
export type { TimePosition } from './ports/time-position.ts'

// Rules
export type { AttemptState, AttemptUnderWay } from './rules/attempts.ts'
export {
  attemptTimeoutMicros,
  lockMicros,
  noAttempts,
  wrongToDisable,
  wrongToLock,
  wrongWindowMicros,
} from './rules/attempts.ts'
export type { NewSecret } from './rules/fields.ts'
export { bounds, normalizeEmail } from './rules/fields.ts'
export { codePointCount, hasControlCharacter, hasLoneSurrogate, utf8ByteLength } from './rules/text.ts'

// Use-cases
export { authenticate } from './use-cases/authenticate.ts'
export { checkNewSecret } from './use-cases/check-new-secret.ts'
export type { NewAccessToken } from './use-cases/create-access-token.ts'
export { createAccessToken } from './use-cases/create-access-token.ts'
export { createAccount } from './use-cases/create-account.ts'
export { createFolder } from './use-cases/create-folder.ts'
export { createSecret } from './use-cases/create-secret.ts'
export { deleteDraft } from './use-cases/delete-draft.ts'
export { disableAccount } from './use-cases/disable-account.ts'
export { findAccount } from './use-cases/find-account.ts'
export { getSecret } from './use-cases/get-secret.ts'
export type { KeepSecretError, KeepSecretInput } from './use-cases/keep-secret.ts'
export type { KeyStatus } from './use-cases/key-status.ts'
export { keyStatus } from './use-cases/key-status.ts'
export { listAccessTokens } from './use-cases/list-access-tokens.ts'
export { listAccounts } from './use-cases/list-accounts.ts'
export { listDrafts } from './use-cases/list-drafts.ts'
export { listFolders } from './use-cases/list-folders.ts'
export { listSecrets } from './use-cases/list-secrets.ts'
export type { OpenedSecret, OpenSecretError, OpenSecretInput } from './use-cases/open-secret.ts'
export { openSecret } from './use-cases/open-secret.ts'
export type { LinkPreview } from './use-cases/preview-link.ts'
export { previewLink } from './use-cases/preview-link.ts'
export type { Purged } from './use-cases/purge-expired.ts'
export { eraseAfterMicros, purgeExpired } from './use-cases/purge-expired.ts'
export { fitKeyRing } from './use-cases/fit-key-ring.ts'
export { retireKey } from './use-cases/retire-key.ts'
export { revokeAccessToken } from './use-cases/revoke-access-token.ts'
export type { RotateKeysError, RotationProgress } from './use-cases/rotate-keys.ts'
export { rotateKeys } from './use-cases/rotate-keys.ts'
export { saveDraft } from './use-cases/save-draft.ts'
export { shareDraft } from './use-cases/share-draft.ts'
export type { Slices } from './use-cases/slices.ts'
export { sliceSize } from './use-cases/slices.ts'
export type { Quota, QuotaBucket } from './use-cases/take-quota.ts'
export { peekQuota, takeQuota } from './use-cases/take-quota.ts'
