import type { ResultAsync } from 'neverthrow'
import type { Policy } from './policy.ts'
import type { Ports } from './ports/ports.ts'
import { authenticate, type AuthenticateInput } from './use-cases/authenticate.ts'
import { checkNewSecret, type CheckNewSecretInput } from './use-cases/check-new-secret.ts'
import { createAccessToken, type CreateAccessTokenInput } from './use-cases/create-access-token.ts'
import { createAccount, type CreateAccountInput } from './use-cases/create-account.ts'
import { createFolder, type CreateFolderInput } from './use-cases/create-folder.ts'
import { createSecret, type CreateSecretInput } from './use-cases/create-secret.ts'
import { deleteDraft, type DeleteDraftInput } from './use-cases/delete-draft.ts'
import { disableAccount, type DisableAccountInput } from './use-cases/disable-account.ts'
import { dropDamage, type DropDamageInput } from './use-cases/drop-damage.ts'
import { ensureAccount, type EnsureAccountInput } from './use-cases/ensure-account.ts'
import { findAccount, type FindAccountInput } from './use-cases/find-account.ts'
import { findDamage, type FindDamageInput } from './use-cases/find-damage.ts'
import { fitKeyRing } from './use-cases/fit-key-ring.ts'
import { getSecret, type GetSecretInput } from './use-cases/get-secret.ts'
import { keyStatus } from './use-cases/key-status.ts'
import { listAccessTokens, type ListAccessTokensInput } from './use-cases/list-access-tokens.ts'
import { listAccounts, type ListAccountsInput } from './use-cases/list-accounts.ts'
import { listDrafts, type ListDraftsInput } from './use-cases/list-drafts.ts'
import { listFolders, type ListFoldersInput } from './use-cases/list-folders.ts'
import { listSecrets, type ListSecretsInput } from './use-cases/list-secrets.ts'
import { openSecret, type OpenSecretInput } from './use-cases/open-secret.ts'
import type { Pages } from './use-cases/pages.ts'
import { previewLink, type PreviewLinkInput } from './use-cases/preview-link.ts'
import { retireKey, type RetireKeyInput } from './use-cases/retire-key.ts'
import { revokeAccessToken, type RevokeAccessTokenInput } from './use-cases/revoke-access-token.ts'
import { rotateKeys, type RotateKeysInput } from './use-cases/rotate-keys.ts'
import { saveDraft, type SaveDraftInput } from './use-cases/save-draft.ts'
import { shareDraft, type ShareDraftInput } from './use-cases/share-draft.ts'
import { sweepExpired, type SweepExpiredInput } from './use-cases/sweep-expired.ts'
import { peekQuota, takeQuota, type PeekQuotaInput, type TakeQuotaInput } from './use-cases/take-quota.ts'

export interface SottoOptions {
  /** The adapters. */
  readonly ports: Ports
  /** The bounds that this installation sets. */
  readonly policy: Policy
}

/** All use-cases, bound to ports and policy. Each takes the input of the function of its name. */
export type Sotto = ReturnType<typeof createSotto>

/** Binds every use-case to the same ports and policy. A program that needs only a few can call their functions directly. */
export function createSotto({ ports, policy }: SottoOptions) {
  const deps = { ...ports, policy }
  return {
    policy,

    // Callers
    authenticate: (input: AuthenticateInput) => authenticate(deps, input),
    takeQuota: (input: TakeQuotaInput) => takeQuota(deps, input),
    peekQuota: (input: PeekQuotaInput) => peekQuota(deps, input),

    // Accounts and their access tokens
    createAccount: (input: CreateAccountInput) => createAccount(deps, input),
    ensureAccount: (input: EnsureAccountInput) => ensureAccount(deps, input),
    findAccount: (input: FindAccountInput) => findAccount(deps, input),
    listAccounts: (input?: ListAccountsInput) => listAccounts(deps, input),
    disableAccount: (input: DisableAccountInput) => disableAccount(deps, input),
    createAccessToken: (input: CreateAccessTokenInput) => createAccessToken(deps, input),
    listAccessTokens: (input: ListAccessTokensInput) => listAccessTokens(deps, input),
    revokeAccessToken: (input: RevokeAccessTokenInput) => revokeAccessToken(deps, input),

    // Folders, secrets, drafts
    createFolder: (input: CreateFolderInput) => createFolder(deps, input),
    listFolders: (input: ListFoldersInput) => listFolders(deps, input),
    checkNewSecret: (input: CheckNewSecretInput) => checkNewSecret(deps, input),
    createSecret: (input: CreateSecretInput) => createSecret(deps, input),
    getSecret: (input: GetSecretInput) => getSecret(deps, input),
    listSecrets: (input: ListSecretsInput) => listSecrets(deps, input),
    saveDraft: (input: SaveDraftInput) => saveDraft(deps, input),
    listDrafts: (input: ListDraftsInput) => listDrafts(deps, input),
    shareDraft: (input: ShareDraftInput) => shareDraft(deps, input),
    deleteDraft: (input: DeleteDraftInput) => deleteDraft(deps, input),

    // Links
    previewLink: (input: PreviewLinkInput) => previewLink(deps, input),
    openSecret: (input: OpenSecretInput) => openSecret(deps, input),

    // Upkeep
    sweepExpired: (input?: SweepExpiredInput) => sweepExpired(deps, input),
    findDamage: (input?: FindDamageInput) => findDamage(deps, input),
    dropDamage: (input: DropDamageInput) => dropDamage(deps, input),
    fitKeyRing: () => fitKeyRing(deps),
    keyStatus: () => keyStatus(deps),
    rotateKeys: (input?: RotateKeysInput) => rotateKeys(deps, input),
    retireKey: (input: RetireKeyInput) => retireKey(deps, input),
  }
}

/** The errors that a use-case can return, whether it returns a result or pages. */
export type ErrorOf<UseCase> = UseCase extends (...input: never[]) => ResultAsync<unknown, infer E>
  ? E
  : UseCase extends (...input: never[]) => Pages<unknown, infer E>
    ? E
    : never

/** Every error that a use-case can return. */
export type SottoError = ErrorOf<Sotto[keyof Sotto]>

export type SottoErrorCode = SottoError['code']
