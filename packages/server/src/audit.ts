import type { FullSotto } from '@sotto/identity'
import type { Settings } from './config/settings.ts'

/** The ids that an audit line names. */
export type AuditIds = Readonly<Record<string, string | number>>

/** Writes one audit line: which event, and the ids of account and object, nothing else. */
export type Audit = (event: string, ids: AuditIds) => void

/**
 * The audit lines of a command, on standard error in the form of the server's log. A command writes them only where SOTTO_LOG_LEVEL is set,
 * and lets them through: whoever runs a command sees what it did, and cron mails whatever is printed.
 */
export function commandAudit(
  stderr: { write(line: string): unknown },
  { commandsLog }: Pick<Settings, 'commandsLog'>,
): Audit | undefined {
  if (!commandsLog) return undefined
  return (event, ids) => {
    const line = { level: 30, time: new Date().toISOString(), audit: true, event, ...ids, msg: event }
    stderr.write(`${JSON.stringify(line)}\n`)
  }
}

/** Use-cases of which those that a command calls write an audit line once they have succeeded. */
export function auditSotto(sotto: FullSotto, audit: Audit): FullSotto {
  return { ...sotto, ...ofAccounts(sotto, audit), ...ofThings(sotto, audit), ...ofKeys(sotto, audit) }
}

function ofAccounts(sotto: FullSotto, audit: Audit) {
  return {
    createAccount: (input) =>
      sotto.createAccount(input).andTee(({ id }) => audit('account_created', { account_id: id })),
    inviteAccount: (input) =>
      sotto
        .inviteAccount(input)
        .andTee(({ account: { id } }) => audit('account_invited', { account_id: id })),
    resetAccount: (input) =>
      sotto
        .resetAccount(input)
        .andTee(({ account: { id } }) => audit('account_reset_link_made', { account_id: id })),
    changeEmail: (input) =>
      sotto.changeEmail(input).andTee(() => audit('email_changed', { account_id: input.accountId })),
    disableAccount: (input) =>
      sotto.disableAccount(input).andTee(() => audit('account_disabled', { account_id: input.accountId })),
    releaseAccount: (input) =>
      sotto.releaseAccount(input).andTee(() => audit('account_released', { account_id: input.accountId })),
    deleteAccount: (input) =>
      sotto.deleteAccount(input).andTee(() => audit('account_deleted', { account_id: input.accountId })),
    createAccessToken: (input) =>
      sotto
        .createAccessToken(input)
        .andTee(({ id }) => audit('token_created', { account_id: input.accountId, token_id: id })),
    revokeAccessToken: (input) =>
      sotto
        .revokeAccessToken(input)
        .andTee(() =>
          audit('token_revoked', { account_id: input.accountId, token_id: input.id.toLowerCase() }),
        ),
    removeIdentity: (input) =>
      sotto.removeIdentity(input).andTee(() =>
        audit('identity_disconnected', {
          account_id: input.accountId,
          identity_id: input.id.toLowerCase(),
        }),
      ),
  } satisfies Partial<FullSotto>
}

function ofThings(sotto: FullSotto, audit: Audit) {
  const secretLine = (event: string, accountId: string, id: string): void =>
    audit(event, { account_id: accountId, secret_id: id })
  const folderLine = (event: string, accountId: string, id: string): void =>
    audit(event, { account_id: accountId, folder_id: id })
  return {
    saveDraft: (input) =>
      sotto.saveDraft(input).andTee(({ id }) => secretLine('draft_saved', input.accountId, id)),
    shareDraft: (input) =>
      sotto.shareDraft(input).andTee(({ id }) => secretLine('draft_shared', input.accountId, id)),
    destroySecret: (input) =>
      sotto.destroySecret(input).andTee(({ id }) => secretLine('secret_destroyed', input.accountId, id)),
    unlockSecret: (input) =>
      sotto.unlockSecret(input).andTee(({ wasLocked }) => {
        if (wasLocked) secretLine('secret_unlocked', input.accountId, input.id.toLowerCase())
      }),
    deleteDraft: (input) =>
      sotto
        .deleteDraft(input)
        .andTee(() => secretLine('draft_deleted', input.accountId, input.id.toLowerCase())),
    createFolder: (input) =>
      sotto.createFolder(input).andTee(({ id }) => folderLine('folder_created', input.accountId, id)),
    renameFolder: (input) =>
      sotto
        .renameFolder(input)
        .andTee(() => folderLine('folder_renamed', input.accountId, input.id.toLowerCase())),
    deleteFolder: (input) =>
      sotto
        .deleteFolder(input)
        .andTee(() => folderLine('folder_deleted', input.accountId, input.id.toLowerCase())),
    createRequest: (input) =>
      sotto
        .createRequest(input)
        .andTee(({ id }) => audit('request_created', { account_id: input.accountId, request_id: id })),
    closeRequest: (input) =>
      sotto
        .closeRequest(input)
        .andTee(() =>
          audit('request_closed', { account_id: input.accountId, request_id: input.id.toLowerCase() }),
        ),
    createWebhook: (input) =>
      sotto
        .createWebhook(input)
        .andTee(({ id }) => audit('webhook_created', { account_id: input.accountId, webhook_id: id })),
    deleteWebhook: (input) =>
      sotto
        .deleteWebhook(input)
        .andTee(() =>
          audit('webhook_deleted', { account_id: input.accountId, webhook_id: input.id.toLowerCase() }),
        ),
  } satisfies Partial<FullSotto>
}

function ofKeys(sotto: FullSotto, audit: Audit) {
  return {
    addKey: () => sotto.addKey().andTee(({ kid }) => audit('key_added', { kid })),
    rotateKeys: (input) => sotto.rotateKeys(input).andTee(({ kid }) => audit('keys_rotated', { kid })),
    retireKey: (input) => sotto.retireKey(input).andTee(() => audit('key_retired', { kid: input.kid })),
  } satisfies Partial<FullSotto>
}
