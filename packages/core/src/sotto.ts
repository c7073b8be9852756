import type { ResultAsync } from 'neverthrow'
import { defaultPolicy, type Policy } from './policy.ts'
import type { Ports } from './ports/ports.ts'
import { authenticateSession, type AuthenticateSessionInput } from './use-cases/authenticate-session.ts'
import { authenticate, type AuthenticateInput } from './use-cases/authenticate.ts'
import { browseSecrets, type BrowseSecretsInput } from './use-cases/browse-secrets.ts'
import { changeEmail, type ChangeEmailInput } from './use-cases/change-email.ts'
import { changePassword, type ChangePasswordInput } from './use-cases/change-password.ts'
import { checkNewSecret, type CheckNewSecretInput } from './use-cases/check-new-secret.ts'
import { choosePassword, type ChoosePasswordInput } from './use-cases/choose-password.ts'
import { confirmEmailChange, type ConfirmEmailChangeInput } from './use-cases/confirm-email-change.ts'
import { createAccessToken, type CreateAccessTokenInput } from './use-cases/create-access-token.ts'
import { createAccount, type CreateAccountInput } from './use-cases/create-account.ts'
import { createFolder, type CreateFolderInput } from './use-cases/create-folder.ts'
import { createSecretOnce, type CreateSecretOnceInput } from './use-cases/create-secret-once.ts'
import { createSecret, type CreateSecretInput } from './use-cases/create-secret.ts'
import { createWebhook, type CreateWebhookInput } from './use-cases/create-webhook.ts'
import { deleteAccount, type DeleteAccountInput } from './use-cases/delete-account.ts'
import { deleteDraft, type DeleteDraftInput } from './use-cases/delete-draft.ts'
import { deleteFolder, type DeleteFolderInput } from './use-cases/delete-folder.ts'
import { deleteWebhook, type DeleteWebhookInput } from './use-cases/delete-webhook.ts'
import { deliverLease, type DeliverLeaseInput } from './use-cases/deliver-lease.ts'
import { destroySecret, type DestroySecretInput } from './use-cases/destroy-secret.ts'
import { disableAccount, type DisableAccountInput } from './use-cases/disable-account.ts'
import { distributeEvents, type DistributeEventsInput } from './use-cases/distribute-events.ts'
import { dropCorruptedRows, type DropCorruptedRowsInput } from './use-cases/drop-corrupted-rows.ts'
import { editDraft, type EditDraftInput } from './use-cases/edit-draft.ts'
import { endSession, type EndSessionInput } from './use-cases/end-session.ts'
import { ensureAccount, type EnsureAccountInput } from './use-cases/ensure-account.ts'
import {
  ensureReauthentication,
  type EnsureReauthenticationInput,
} from './use-cases/ensure-reauthentication.ts'
import { exportAccount, type ExportAccountInput } from './use-cases/export-account.ts'
import { findAccount, type FindAccountInput } from './use-cases/find-account.ts'
import { findCorruptedRows, type FindCorruptedRowsInput } from './use-cases/find-corrupted-rows.ts'
import { fitKeyRing } from './use-cases/fit-key-ring.ts'
import { getAccount, type GetAccountInput } from './use-cases/get-account.ts'
import { getDraft, type GetDraftInput } from './use-cases/get-draft.ts'
import { getFolder, type GetFolderInput } from './use-cases/get-folder.ts'
import { getQueueState } from './use-cases/get-queue-state.ts'
import { getSecret, type GetSecretInput } from './use-cases/get-secret.ts'
import { inviteAccount, type InviteAccountInput } from './use-cases/invite-account.ts'
import { keyStatus } from './use-cases/key-status.ts'
import { leaseDeliveries, type LeaseDeliveriesInput } from './use-cases/lease-deliveries.ts'
import { listAccessTokens, type ListAccessTokensInput } from './use-cases/list-access-tokens.ts'
import { listAccounts, type ListAccountsInput } from './use-cases/list-accounts.ts'
import { listDeliveries, type ListDeliveriesInput } from './use-cases/list-deliveries.ts'
import { listDrafts, type ListDraftsInput } from './use-cases/list-drafts.ts'
import { listFolders, type ListFoldersInput } from './use-cases/list-folders.ts'
import { listSecrets, type ListSecretsInput } from './use-cases/list-secrets.ts'
import { listSessions, type ListSessionsInput } from './use-cases/list-sessions.ts'
import { listWebhooks, type ListWebhooksInput } from './use-cases/list-webhooks.ts'
import { mailInvitation, type MailInvitationInput } from './use-cases/mail-invitation.ts'
import { openSecret, type OpenSecretInput } from './use-cases/open-secret.ts'
import type { Pages } from './use-cases/pages.ts'
import { previewEmailChange, type PreviewEmailChangeInput } from './use-cases/preview-email-change.ts'
import { previewLink, type PreviewLinkInput } from './use-cases/preview-link.ts'
import { previewInvitation, type PreviewInvitationInput } from './use-cases/preview-invitation.ts'
import { renameFolder, type RenameFolderInput } from './use-cases/rename-folder.ts'
import { requestEmailChange, type RequestEmailChangeInput } from './use-cases/request-email-change.ts'
import { requestReset, type RequestResetInput } from './use-cases/request-reset.ts'
import { resetAccount, type ResetAccountInput } from './use-cases/reset-account.ts'
import { retireKey, type RetireKeyInput } from './use-cases/retire-key.ts'
import { retryDelivery, type RetryDeliveryInput } from './use-cases/retry-delivery.ts'
import { revokeAccessToken, type RevokeAccessTokenInput } from './use-cases/revoke-access-token.ts'
import { rotateKeys, type RotateKeysInput } from './use-cases/rotate-keys.ts'
import { saveDraft, type SaveDraftInput } from './use-cases/save-draft.ts'
import { setLanguage, type SetLanguageInput } from './use-cases/set-language.ts'
import { setMails, type SetMailsInput } from './use-cases/set-mails.ts'
import { shareDraft, type ShareDraftInput } from './use-cases/share-draft.ts'
import { signIn, type SignInInput } from './use-cases/sign-in.ts'
import { sweepExpired, type SweepExpiredInput } from './use-cases/sweep-expired.ts'
import { peekQuota, takeQuota, type PeekQuotaInput, type TakeQuotaInput } from './use-cases/take-quota.ts'
import { testMail, type TestMailInput } from './use-cases/test-mail.ts'
import { testWebhook, type TestWebhookInput } from './use-cases/test-webhook.ts'
import { viewSecret, type ViewSecretInput } from './use-cases/view-secret.ts'

/** What `createSotto` binds the use-cases to. */
export interface SottoOptions {
  /** The adapters. */
  readonly ports: Ports
  /** The bounds that this installation sets; `defaultPolicy` by default. */
  readonly policy?: Policy | undefined
}

/** All use-cases, bound to ports and policy. Each takes the input of the function of its name. */
export type Sotto = ReturnType<typeof createSotto>

/** Binds every use-case to the same ports and policy. A program that needs only a few can call their functions directly. */
export function createSotto({ ports, policy = defaultPolicy }: SottoOptions) {
  const deps = { ...ports, policy }
  return {
    policy,

    // Callers
    authenticate: (input: AuthenticateInput) => authenticate(deps, input),
    takeQuota: (input: TakeQuotaInput) => takeQuota(deps, input),
    peekQuota: (input: PeekQuotaInput) => peekQuota(deps, input),

    // Signing in
    signIn: (input: SignInInput) => signIn(deps, input),
    authenticateSession: (input: AuthenticateSessionInput) => authenticateSession(deps, input),
    listSessions: (input: ListSessionsInput) => listSessions(deps, input),
    endSession: (input: EndSessionInput) => endSession(deps, input),
    ensureReauthentication: (input: EnsureReauthenticationInput) => ensureReauthentication(deps, input),
    previewInvitation: (input: PreviewInvitationInput) => previewInvitation(deps, input),
    choosePassword: (input: ChoosePasswordInput) => choosePassword(deps, input),
    requestReset: (input: RequestResetInput) => requestReset(deps, input),
    changePassword: (input: ChangePasswordInput) => changePassword(deps, input),

    // Accounts and their access tokens
    createAccount: (input: CreateAccountInput) => createAccount(deps, input),
    ensureAccount: (input: EnsureAccountInput) => ensureAccount(deps, input),
    findAccount: (input: FindAccountInput) => findAccount(deps, input),
    listAccounts: (input?: ListAccountsInput) => listAccounts(deps, input),
    getAccount: (input: GetAccountInput) => getAccount(deps, input),
    inviteAccount: (input: InviteAccountInput) => inviteAccount(deps, input),
    resetAccount: (input: ResetAccountInput) => resetAccount(deps, input),
    changeEmail: (input: ChangeEmailInput) => changeEmail(deps, input),
    requestEmailChange: (input: RequestEmailChangeInput) => requestEmailChange(deps, input),
    previewEmailChange: (input: PreviewEmailChangeInput) => previewEmailChange(deps, input),
    confirmEmailChange: (input: ConfirmEmailChangeInput) => confirmEmailChange(deps, input),
    setLanguage: (input: SetLanguageInput) => setLanguage(deps, input),
    setMails: (input: SetMailsInput) => setMails(deps, input),
    exportAccount: (input: ExportAccountInput) => exportAccount(deps, input),
    deleteAccount: (input: DeleteAccountInput) => deleteAccount(deps, input),
    disableAccount: (input: DisableAccountInput) => disableAccount(deps, input),
    createAccessToken: (input: CreateAccessTokenInput) => createAccessToken(deps, input),
    listAccessTokens: (input: ListAccessTokensInput) => listAccessTokens(deps, input),
    revokeAccessToken: (input: RevokeAccessTokenInput) => revokeAccessToken(deps, input),

    // Folders, secrets, drafts
    createFolder: (input: CreateFolderInput) => createFolder(deps, input),
    listFolders: (input: ListFoldersInput) => listFolders(deps, input),
    getFolder: (input: GetFolderInput) => getFolder(deps, input),
    renameFolder: (input: RenameFolderInput) => renameFolder(deps, input),
    deleteFolder: (input: DeleteFolderInput) => deleteFolder(deps, input),
    checkNewSecret: (input: CheckNewSecretInput) => checkNewSecret(deps, input),
    createSecret: (input: CreateSecretInput) => createSecret(deps, input),
    createSecretOnce: (input: CreateSecretOnceInput) => createSecretOnce(deps, input),
    getSecret: (input: GetSecretInput) => getSecret(deps, input),
    listSecrets: (input: ListSecretsInput) => listSecrets(deps, input),
    viewSecret: (input: ViewSecretInput) => viewSecret(deps, input),
    browseSecrets: (input: BrowseSecretsInput) => browseSecrets(deps, input),
    destroySecret: (input: DestroySecretInput) => destroySecret(deps, input),
    saveDraft: (input: SaveDraftInput) => saveDraft(deps, input),
    listDrafts: (input: ListDraftsInput) => listDrafts(deps, input),
    getDraft: (input: GetDraftInput) => getDraft(deps, input),
    editDraft: (input: EditDraftInput) => editDraft(deps, input),
    shareDraft: (input: ShareDraftInput) => shareDraft(deps, input),
    deleteDraft: (input: DeleteDraftInput) => deleteDraft(deps, input),

    // Links
    previewLink: (input: PreviewLinkInput) => previewLink(deps, input),
    openSecret: (input: OpenSecretInput) => openSecret(deps, input),

    // Telling the owner
    createWebhook: (input: CreateWebhookInput) => createWebhook(deps, input),
    listWebhooks: (input: ListWebhooksInput) => listWebhooks(deps, input),
    deleteWebhook: (input: DeleteWebhookInput) => deleteWebhook(deps, input),
    testWebhook: (input: TestWebhookInput) => testWebhook(deps, input),
    testMail: (input: TestMailInput) => testMail(deps, input),
    mailInvitation: (input: MailInvitationInput) => mailInvitation(deps, input),
    distributeEvents: (input?: DistributeEventsInput) => distributeEvents(deps, input),
    leaseDeliveries: (input: LeaseDeliveriesInput) => leaseDeliveries(deps, input),
    deliverLease: (input: DeliverLeaseInput) => deliverLease(deps, input),
    listDeliveries: (input?: ListDeliveriesInput) => listDeliveries(deps, input),
    retryDelivery: (input: RetryDeliveryInput) => retryDelivery(deps, input),
    getQueueState: () => getQueueState(deps),

    // Upkeep
    sweepExpired: (input?: SweepExpiredInput) => sweepExpired(deps, input),
    findCorruptedRows: (input?: FindCorruptedRowsInput) => findCorruptedRows(deps, input),
    dropCorruptedRows: (input: DropCorruptedRowsInput) => dropCorruptedRows(deps, input),
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

/** The `code` of every error that a use-case can return. */
export type SottoErrorCode = SottoError['code']
