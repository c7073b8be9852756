import { err, ok, type Result } from 'neverthrow'
import type { Account } from '../accounts/account.ts'
import type { FolderWithCounts } from '../folders/folder.ts'
import type { SecretRequest } from '../requests/request.ts'
import type { OwnedFile } from '../files/secret-file.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { Webhook } from '../notifications/webhooks/webhook.ts'
import type { AccountNotFound } from '../accounts/errors.ts'
import type { DecryptError, HasherBusy, KeyUnknown, StorageError } from '../shared/errors.ts'
import type { SecretFileStore } from '../files/secret-file-store.ts'
import { browseSecrets, type BrowseSecretsDeps } from '../secrets/browse-secrets.ts'
import { getAccount, type GetAccountDeps } from '../accounts/get-account.ts'
import { getDraft, type DraftWithNote, type GetDraftDeps } from '../drafts/get-draft.ts'
import { listDrafts, type ListDraftsDeps } from '../drafts/drafts.ts'
import { listFolders } from '../folders/folders.ts'
import { listRequests } from '../requests/requests.ts'
import { webhooksOf, type ListWebhooksDeps } from '../notifications/webhooks/webhooks.ts'
import { showFile } from '../files/file-rows.ts'
import { each, pagesOf, type Page, type Pages } from '../shared/pages.ts'
import type { SecretOverview } from '../secrets/secret-overviews.ts'

/** The ports that {@link exportAccount} reads. */
export type ExportAccountDeps = GetAccountDeps &
  Parameters<typeof listFolders>[0] &
  ListDraftsDeps &
  GetDraftDeps &
  BrowseSecretsDeps &
  Parameters<typeof listRequests>[0] &
  ListWebhooksDeps & { readonly secretFiles: Pick<SecretFileStore, 'page'> }
/** The account that is exported. */
export interface ExportAccountInput {
  readonly accountId: Uuid
}
/** The errors that end an export. */
export type ExportAccountError = AccountNotFound | HasherBusy | DecryptError | KeyUnknown | StorageError

/** A file, with the id of the secret or draft that has it. */
export interface ExportedFile extends OwnedFile {
  readonly secretId: Uuid
}

/** One thing that is an account's. */
export type ExportItem =
  | { readonly kind: 'account'; readonly item: Account }
  | { readonly kind: 'folder'; readonly item: FolderWithCounts }
  | { readonly kind: 'draft'; readonly item: DraftWithNote }
  | { readonly kind: 'secret'; readonly item: SecretOverview }
  | { readonly kind: 'file'; readonly item: ExportedFile }
  | { readonly kind: 'request'; readonly item: SecretRequest }
  | { readonly kind: 'webhook'; readonly item: Webhook }

/**
 * Everything that is an account's, by kind in the order of {@link ExportItem}. The notes of drafts are included, unless they have a password;
 * those of secrets never, because only opening a link reads them. Files come without their contents, and webhooks without their signing
 * secrets. Files of an erased secret are included until a sweep drops them. Corrupted rows are left out. A page has at most one draft, because
 * notes are long.
 * @errors `account_not_found`
 */
export function exportAccount(
  deps: ExportAccountDeps,
  input: ExportAccountInput,
): Pages<ExportItem, ExportAccountError> {
  return exportParts<ExportItem>(deps, input, [...partsOf(deps, input), webhooksOf(deps, input)])
}

/** The pages of an account and of each of its parts, one part after the other, until one is an error. */
export async function* exportParts<Item>(
  deps: GetAccountDeps,
  { accountId }: ExportAccountInput,
  parts: readonly Pages<Item, ExportAccountError>[],
): Pages<Item | ExportItem, ExportAccountError> {
  const account = await getAccount(deps, { accountId })
  if (account.isErr()) return yield err(account.error)
  yield ok({ items: [{ kind: 'account', item: account.value }], corrupted: [] })
  for (const part of parts) {
    for await (const page of part) {
      yield page
      if (page.isErr()) return
    }
  }
}

/** Everything of an account that stands in its folders. */
export function partsOf(
  deps: ExportAccountDeps,
  { accountId }: ExportAccountInput,
): readonly Pages<ExportItem, ExportAccountError>[] {
  return [
    each(listFolders(deps, { accountId }), (item) => ({ kind: 'folder', item })),
    draftsWithNotes(deps, accountId),
    each(browseSecrets(deps, { accountId }), (item) => ({ kind: 'secret', item })),
    each(listFiles(deps, accountId), (item) => ({ kind: 'file', item })),
    each(listRequests(deps, { accountId }), (item) => ({ kind: 'request', item })),
  ]
}

function listFiles(
  { secretFiles, textCipher }: ExportAccountDeps,
  accountId: Uuid,
): Pages<ExportedFile, KeyUnknown | StorageError> {
  return pagesOf({
    after: undefined,
    read: (after, limit) => secretFiles.page({ accountId }, after?.id, limit),
    // The list is in the order of the ids alone.
    cursorOf: ({ id }) => ({ id, createdAtMicros: 0 }),
    show: (row) =>
      showFile({ textCipher }, row).map((file) => ({ id: row.id, secretId: row.secretId, ...file })),
  })
}

async function* draftsWithNotes(
  deps: ExportAccountDeps,
  accountId: Uuid,
): Pages<ExportItem, ExportAccountError> {
  for await (const page of listDrafts(deps, { accountId })) {
    if (page.isErr()) return yield err(page.error)
    const { items, corrupted } = page.value
    yield ok({ items: [], corrupted })
    for (const { id } of items) yield await withNote(deps, accountId, id)
  }
}

/** One draft with its note. One that was shared or deleted in the meantime is left out. */
async function withNote(
  deps: ExportAccountDeps,
  accountId: Uuid,
  id: Uuid,
): Promise<Result<Page<ExportItem>, ExportAccountError>> {
  const draft = await getDraft(deps, { accountId, id })
  if (draft.isOk()) return ok({ items: [{ kind: 'draft', item: draft.value }], corrupted: [] })
  const { error } = draft
  switch (error.code) {
    case 'data_damaged':
      return ok({ items: [], corrupted: [error] })
    // The last three errors never occur: no password is given.
    case 'draft_not_found':
    case 'password_wrong':
    case 'draft_locked':
    case 'draft_disabled':
      return ok({ items: [], corrupted: [] })
    default:
      return err(error)
  }
}
