import { err, ok, type Result } from 'neverthrow'
import type { Account } from '../accounts/account.ts'
import type { FolderWithCounts } from '../folders/folder.ts'
import type { SecretRequest } from '../requests/request.ts'
import type { OwnedFile } from '../files/secret-file.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { Webhook } from '../notifications/webhooks/webhook.ts'
import type { AccountNotFound } from '../accounts/errors.ts'
import type { DecryptError, HasherBusy, KeyUnknown, StorageError } from '../shared/errors.ts'
import { browseSecrets } from '../secrets/owned-secrets.ts'
import { getAccount } from '../accounts/find-account.ts'
import { getDraft, type DraftWithNote } from '../drafts/get-draft.ts'
import { listDrafts } from '../drafts/drafts.ts'
import { listFolders } from '../folders/folders.ts'
import { listRequests } from '../requests/requests.ts'
import { showFile } from '../files/file-rows.ts'
import type { DepsOf } from '../shared/use-case.ts'
import { each, pagesOf, type Page, type Pages } from '../shared/pages.ts'
import type { SecretOverview } from '../secrets/secret-overviews.ts'

/** What {@link partsOf} and {@link exportParts} need. */
export const exportNeeds = [
  ...listFolders.needs,
  ...listRequests.needs,
  'accounts.find',
  'drafts.page',
  'drafts.find',
  'drafts.updateAttempts',
  'secrets.overviews',
  'secretFiles.page',
  'secretCipher.decryptHead',
  'secretCipher.decryptNote',
  'textCipher.decryptText',
  'textCipher.encryptText',
  'clock.nowMicros',
  'random.bytes',
] as const

type Deps = DepsOf<(typeof exportNeeds)[number]>

/** The errors that end an export. */
export type ExportError = AccountNotFound | HasherBusy | DecryptError | KeyUnknown | StorageError

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

/** The pages of an account and of each of its parts, one part after the other, until one is an error. */
export async function* exportParts<Item>(
  deps: Pick<Deps, 'accounts' | 'textCipher'>,
  accountId: Uuid,
  parts: readonly Pages<Item, ExportError>[],
): Pages<Item | ExportItem, ExportError> {
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
export function partsOf(deps: Deps, accountId: Uuid): readonly Pages<ExportItem, ExportError>[] {
  return [
    each(listFolders(deps, { accountId }), (item) => ({ kind: 'folder', item })),
    draftsWithNotes(deps, accountId),
    each(browseSecrets(deps, { accountId }), (item) => ({ kind: 'secret', item })),
    each(listFiles(deps, accountId), (item) => ({ kind: 'file', item })),
    each(listRequests(deps, { accountId }), (item) => ({ kind: 'request', item })),
  ]
}

function listFiles(
  { secretFiles, textCipher }: Deps,
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

async function* draftsWithNotes(deps: Deps, accountId: Uuid): Pages<ExportItem, ExportError> {
  for await (const page of listDrafts(deps, { accountId })) {
    if (page.isErr()) return yield err(page.error)
    const { items, corrupted } = page.value
    yield ok({ items: [], corrupted })
    for (const { id } of items) yield await withNote(deps, accountId, id)
  }
}

/** One draft with its note. One that was shared or deleted in the meantime is left out. */
async function withNote(
  deps: Deps,
  accountId: Uuid,
  id: Uuid,
): Promise<Result<Page<ExportItem>, ExportError>> {
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
