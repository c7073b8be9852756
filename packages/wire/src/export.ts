import type { ExportItem } from '@sotto/identity'
import { toWireAccessToken } from './access-tokens/access-token.ts'
import { toWireExportedAccount } from './accounts/account.ts'
import { toWireExportedDraft } from './drafts/draft.ts'
import { toWireExportedFile } from './files/file.ts'
import { toWireFolder } from './folders/folder.ts'
import { toWireWebhook } from './notifications/webhooks/webhook.ts'
import { toWirePasskey } from './passkeys/passkey.ts'
import { toWireRequest } from './requests/request.ts'
import { toWireSecretOverview } from './secrets/secret-overview.ts'
import { toWireSession } from './sessions/session.ts'
import { toWireIdentity } from './single-sign-on/identity.ts'

type Kind = ExportItem['kind']
type ItemOf<K extends Kind> = Extract<ExportItem, { readonly kind: K }>['item']

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
} as const satisfies Record<Kind, string>

/** What writes an item of each kind. */
const writers: { readonly [K in Kind]: (item: ItemOf<K>, linkBaseUrl: string) => unknown } = {
  account: toWireExportedAccount,
  folder: toWireFolder,
  draft: toWireExportedDraft,
  secret: toWireSecretOverview,
  file: toWireExportedFile,
  request: toWireRequest,
  access_token: toWireAccessToken,
  session: toWireSession,
  identity: toWireIdentity,
  passkey: toWirePasskey,
  webhook: toWireWebhook,
}

/** One entry of a download. A draft has its `note`, which is `null` when only its password can show it. */
export function toWireExportItem(entry: ExportItem, linkBaseUrl: string): unknown {
  return write(entry, linkBaseUrl)
}

function write<K extends Kind>(
  { kind, item }: { readonly kind: K; readonly item: ItemOf<K> },
  linkBaseUrl: string,
): unknown {
  return writers[kind](item, linkBaseUrl)
}
