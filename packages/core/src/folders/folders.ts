import { type Result, ResultAsync, err, ok, okAsync } from 'neverthrow'
import type { Folder, FolderWithCounts } from './folder.ts'
import { type Uuid, uuidToFind } from '../shared/uuid.ts'
import type { FolderNotFound } from '../secrets/errors.ts'
import type { FolderNotEmpty } from './errors.ts'
import type { AccountNotFound } from '../accounts/errors.ts'
import type { DecryptError, FieldsInvalid, KeyRetired, KeyUnknown, StorageError } from '../shared/errors.ts'
import type { FolderStore } from './folder-store.ts'
import type { KeyRing, TextCipher } from '../shared/cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import type { RequestStore } from '../requests/request-store.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { DraftStore } from '../drafts/draft-store.ts'
import { labelError } from '../shared/fields.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { eraseListed } from './delete-secrets.ts'
import { eraseAll } from '../shared/erase-all.ts'
import { foundOr } from '../shared/found-or.ts'
import { newId } from '../shared/ids.ts'
import { type ListInput, type Pages, creationOf, listPageSize, pagesOf } from '../shared/pages.ts'

export interface CreateFolderDeps {
  readonly folders: Pick<FolderStore, 'insert'>
  readonly textCipher: Pick<TextCipher, 'encryptText'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly clock: Clock
  readonly random: Random
}
export interface CreateFolderInput {
  readonly accountId: Uuid
  /** 1 to 255 code points, nothing that people do not see. */
  readonly label: string
}
export type CreateFolderError = FieldsInvalid | AccountNotFound | KeyRetired | StorageError

/**
 * Adds a folder to an account.
 * @errors `fields_invalid`, `account_not_found`
 */
export function createFolder(
  deps: CreateFolderDeps,
  input: CreateFolderInput,
): ResultAsync<Folder, CreateFolderError> {
  return new ResultAsync(create(deps, input))
}

async function create(
  { folders, textCipher, keyRing, clock, random }: CreateFolderDeps,
  { accountId, label }: CreateFolderInput,
): Promise<Result<Folder, CreateFolderError>> {
  const broken = labelError(label)
  if (broken !== undefined) return err({ code: 'fields_invalid', errors: [{ field: 'label', ...broken }] })
  const createdAtMicros = clock.nowMicros()
  const id = newId(random, createdAtMicros)
  const inserted = await underActiveKey(keyRing, () => {
    const encrypted = textCipher.encryptText({ column: 'folder.label', accountId, rowId: id }, label)
    return folders.insert({ id, accountId, label: encrypted, createdAtMicros })
  })
  return inserted.isErr() ? err(inserted.error) : ok({ id, label, createdAtMicros })
}

export interface ListFoldersDeps {
  readonly folders: Pick<FolderStore, 'page'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly clock: Clock
}
export interface ListFoldersInput extends ListInput {
  readonly accountId: Uuid
}
export type ListFoldersError = KeyUnknown | StorageError

/** The account's folders by creation and id, each with its counts at the time at which the list was begun. */
export function listFolders(
  { folders, textCipher, clock }: ListFoldersDeps,
  { accountId, after: first, pageSize }: ListFoldersInput,
): Pages<FolderWithCounts, ListFoldersError> {
  const nowMicros = clock.nowMicros()
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => folders.page(accountId, nowMicros, after, limit),
    cursorOf: creationOf,
    show: ({ id, label, createdAtMicros, draftsCount, secretsCount }) =>
      textCipher
        .decryptText({ column: 'folder.label', accountId, rowId: id }, label)
        .map((text) => ({ id, label: text, createdAtMicros, draftsCount, secretsCount })),
  })
}

export interface GetFolderDeps {
  readonly folders: Pick<FolderStore, 'find'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly clock: Clock
}
export interface GetFolderInput {
  readonly accountId: Uuid
  readonly id: string
}
export type GetFolderError = FolderNotFound | DecryptError | StorageError

/**
 * One folder of the account, with its counts.
 * @errors `folder_not_found`, the same for an unknown, malformed or another account's id
 */
export function getFolder(
  deps: GetFolderDeps,
  input: GetFolderInput,
): ResultAsync<FolderWithCounts, GetFolderError> {
  return new ResultAsync(get(deps, input))
}

async function get(
  { folders, textCipher, clock }: GetFolderDeps,
  { accountId, id }: GetFolderInput,
): Promise<Result<FolderWithCounts, GetFolderError>> {
  const found = await folders.find(accountId, uuidToFind(id), clock.nowMicros())
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'folder_not_found' })
  const { accountId: _, label, ...folder } = found.value
  return textCipher
    .decryptText({ column: 'folder.label', accountId, rowId: folder.id }, label)
    .map((text) => ({ ...folder, label: text }))
}

export interface RenameFolderDeps {
  readonly folders: Pick<FolderStore, 'relabel'>
  readonly textCipher: Pick<TextCipher, 'encryptText'>
  readonly keyRing: Pick<KeyRing, 'follow'>
}
export interface RenameFolderInput {
  readonly accountId: Uuid
  readonly id: string
  /** 1 to 255 code points, nothing that people do not see. */
  readonly label: string
}
export type RenameFolderError = FieldsInvalid | FolderNotFound | KeyRetired | StorageError

/**
 * Gives a folder another label.
 * @errors `fields_invalid`; `folder_not_found`, the same for an unknown, malformed or another account's id
 */
export function renameFolder(
  deps: RenameFolderDeps,
  input: RenameFolderInput,
): ResultAsync<void, RenameFolderError> {
  return new ResultAsync(rename(deps, input))
}

async function rename(
  { folders, textCipher, keyRing }: RenameFolderDeps,
  { accountId, id, label }: RenameFolderInput,
): Promise<Result<void, RenameFolderError>> {
  const broken = labelError(label)
  if (broken !== undefined) return err({ code: 'fields_invalid', errors: [{ field: 'label', ...broken }] })
  const rowId = uuidToFind(id)
  const renamed = await underActiveKey(keyRing, () =>
    folders.relabel(
      accountId,
      rowId,
      textCipher.encryptText({ column: 'folder.label', accountId, rowId }, label),
    ),
  )
  return renamed.andThen(foundOr('folder_not_found'))
}

export interface DeleteFolderDeps {
  readonly folders: Pick<FolderStore, 'erase'>
  readonly requests: Pick<RequestStore, 'eraseIn'>
  readonly secrets: Pick<SecretStore, 'page' | 'erase'>
  readonly drafts: Pick<DraftStore, 'page' | 'erase'>
  readonly clock: Clock
}
export interface DeleteFolderInput {
  readonly accountId: Uuid
  readonly id: string
  /** Whether its requests, drafts and secrets are erased first; false by default. */
  readonly withContents?: boolean | undefined
}
export type DeleteFolderError = FolderNotFound | FolderNotEmpty | StorageError

/**
 * Erases a folder that holds no drafts, no secrets, and no requests that can be answered, or with them. They are erased part by part,
 * so that other writes do not wait: an error ends it early, and those that were erased before stay erased.
 * @errors `folder_not_empty`, also when something was added while the rest was erased; `folder_not_found`, the same for an
 * unknown, malformed or another account's id
 */
export function deleteFolder(
  { folders, requests, secrets, drafts, clock }: DeleteFolderDeps,
  { accountId, id, withContents = false }: DeleteFolderInput,
): ResultAsync<void, DeleteFolderError> {
  const filter = { accountId, folderId: uuidToFind(id) }
  const nowMicros = clock.nowMicros()
  // Requests first: an answer to one would be another draft.
  const emptied = withContents
    ? new ResultAsync(eraseAll((limit) => requests.eraseIn(accountId, filter.folderId, limit)))
        .andThen(() =>
          eraseListed(
            (after) => drafts.page(filter, after, listPageSize),
            (draftId) => drafts.erase(accountId, draftId),
          ),
        )
        .andThen(() =>
          eraseListed(
            (after) => secrets.page({ ...filter, nowMicros }, after, listPageSize),
            (secretId) => secrets.erase(accountId, secretId),
          ),
        )
    : okAsync(0)
  return emptied
    .andThen(() => folders.erase(accountId, filter.folderId, nowMicros))
    .andThen(foundOr('folder_not_found'))
}
