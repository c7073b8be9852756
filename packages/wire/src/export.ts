import type {
  Account,
  ExportedFile,
  ExportItem,
  Identity,
  NamedSession,
  NewInvitation,
  Passkey,
  SecretOverview,
} from '@sotto/core'
import { toWireAccessToken, toWireAccount, toWireDraft } from './command.ts'
import { toWireFolder } from './folders/folder.ts'
import { toWireOpenLimit } from './secrets/open-limit.ts'
import { toWireWebhook } from './notifications/notifications.ts'
import { isoMicros } from './shared/iso-micros.ts'
import { toWireRequest } from './requests/request.ts'
import { toWireSecret } from './secrets/secret.ts'
import { invitationUrl } from './invitations/invitation-url.ts'

// What an owner sees of his own things: the documents of the command, and the download of an account.

/** The document of `secret list`: the API's secret with what happened to its link. `opens_left` is `null` without a limit. */
export function toWireSecretOverview(secret: SecretOverview, linkBaseUrl: string) {
  return {
    ...toWireSecret(secret, linkBaseUrl),
    open_limit: toWireOpenLimit(secret.openLimit),
    notify: secret.notify,
    has_password: secret.hasPassword,
    opens: secret.opens,
    opens_left: secret.opensLeft ?? null,
    opened_at: secret.openedAtMicros.map(isoMicros),
    locked_until: secret.lockedUntilMicros === undefined ? null : isoMicros(secret.lockedUntilMicros),
    disabled: secret.isDisabled,
    has_note: secret.hasNote,
  }
}

/** The document of `account invite` and `account reset`. `url` is the one-time link. */
export function toWireInvitation({ account, kind, token, expiresAtMicros }: NewInvitation, baseUrl: string) {
  return {
    id: account.id,
    email: account.email ?? null,
    kind,
    url: invitationUrl(baseUrl, token),
    expires_at: isoMicros(expiresAtMicros),
  }
}

/** The document with `--mail`: whoever has the link can sign in, so it is in the mail alone. */
export function toWireMailedInvitation({ account, kind, expiresAtMicros }: Omit<NewInvitation, 'token'>) {
  return {
    id: account.id,
    email: account.email ?? null,
    kind,
    mailed: true,
    expires_at: isoMicros(expiresAtMicros),
  }
}

/** The document of `secret destroy`. */
export function toWireDestroyed(id: string) {
  return { id, destroyed: true }
}

/** The document of `folder rename`. */
export function toWireRenamed(id: string, label: string) {
  return { id, label }
}

/** A session in the download of an account, never with its token. */
export function toWireSession({ id, name, createdAtMicros, lastUsedAtMicros }: NamedSession) {
  const times = { created_at: isoMicros(createdAtMicros), last_used_at: isoMicros(lastUsedAtMicros) }
  return { id, name: name ?? null, ...times }
}

/** The document of `account identities`. Never the subject. */
export function toWireIdentity({ id, issuer, origin, createdAtMicros, lastUsedAtMicros }: Identity) {
  return { id, issuer, origin, ...timesOf(createdAtMicros, lastUsedAtMicros) }
}

/** A passkey in the download of an account, never with its key. */
function toWirePasskey({ id, name, rpId, createdAtMicros, lastUsedAtMicros }: Passkey) {
  return { id, name, rp_id: rpId, ...timesOf(createdAtMicros, lastUsedAtMicros) }
}

function timesOf(createdAtMicros: number, lastUsedAtMicros: number | undefined) {
  const lastUsedAt = lastUsedAtMicros === undefined ? null : isoMicros(lastUsedAtMicros)
  return { created_at: isoMicros(createdAtMicros), last_used_at: lastUsedAt }
}

/** The document of `account disconnect`. */
export function toWireDisconnected(id: string) {
  return { id, disconnected: true }
}

/** The names of the lists in a download, in their order. */
export const exportLists = {
  account: 'account',
  folder: 'folders',
  draft: 'drafts',
  secret: 'secrets',
  file: 'files',
  request: 'requests',
  access_token: 'access_tokens',
  session: 'sessions',
  identity: 'identities',
  passkey: 'passkeys',
  webhook: 'webhooks',
} as const satisfies Record<ExportItem['kind'], string>

/** One entry of a download. A draft has its `note`, which is `null` when only its password can show it. */
export function toWireExportItem(entry: ExportItem, linkBaseUrl: string): unknown {
  switch (entry.kind) {
    case 'account':
      return toWireExportedAccount(entry.item)
    case 'folder':
      return toWireFolder(entry.item)
    case 'draft':
      return { ...toWireDraft(entry.item), note: entry.item.note ?? null }
    case 'secret':
      return toWireSecretOverview(entry.item, linkBaseUrl)
    case 'file':
      return toWireExportedFile(entry.item)
    case 'request':
      return toWireRequest(entry.item, linkBaseUrl)
    case 'access_token':
      return toWireAccessToken(entry.item)
    case 'session':
      return toWireSession(entry.item)
    case 'identity':
      return toWireIdentity(entry.item)
    case 'passkey':
      return toWirePasskey(entry.item)
    case 'webhook':
      return toWireWebhook(entry.item)
  }
}

function toWireExportedFile({ id, secretId, name, size, type }: ExportedFile) {
  return { id, secret_id: secretId, name, size, type }
}

function toWireExportedAccount(account: Account) {
  const { language = null, mails, notifies, displayName = null } = account
  return {
    ...toWireAccount(account),
    language,
    mails: { enabled: mails.enabled, name_labels: mails.nameLabels },
    notifies,
    display_name: displayName,
  }
}
