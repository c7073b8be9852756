import { type Result, ResultAsync, err, ok, okAsync } from 'neverthrow'
import type { ShareableSecret } from './secret.ts'
import type { OwnedFile } from '../files/secret-file.ts'
import { type Uuid, uuidToFind } from '../shared/uuid.ts'
import type { SecretNotFound } from './errors.ts'
import type { DecryptError, KeyUnknown, StorageError } from '../shared/errors.ts'
import type { SecretStore } from './secret-store.ts'
import type { SecretCipher } from './secret-cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { TextCipher } from '../shared/cipher.ts'
import { showFiles } from '../files/file-rows.ts'
import { type ListInput, type Pages, pagesOf } from '../shared/pages.ts'
import { positionOf, showSecret } from './show-secret.ts'
import { type SecretOverview, overviewOf } from './secret-overviews.ts'

export interface GetSecretDeps {
  readonly secrets: Pick<SecretStore, 'find'>
  readonly secretCipher: Pick<SecretCipher, 'decryptHead'>
  readonly clock: Clock
}
export interface GetSecretInput {
  readonly accountId: Uuid
  readonly id: string
}
export type GetSecretError = SecretNotFound | DecryptError | StorageError

/**
 * One shareable secret of the account, without its note.
 * @errors `secret_not_found`, the same for an unknown, malformed, expired, draft's or another account's id
 */
export function getSecret(
  deps: GetSecretDeps,
  input: GetSecretInput,
): ResultAsync<ShareableSecret, GetSecretError> {
  return new ResultAsync(get(deps, input))
}

async function get(
  { secrets, secretCipher, clock }: GetSecretDeps,
  { accountId, id }: GetSecretInput,
): Promise<Result<ShareableSecret, GetSecretError>> {
  const found = await secrets.find(accountId, uuidToFind(id), clock.nowMicros())
  if (found.isErr()) return err(found.error)
  return found.value === undefined ? err({ code: 'secret_not_found' }) : showSecret(secretCipher, found.value)
}

export type ViewSecretDeps = GetSecretDeps & {
  readonly secrets: Pick<SecretStore, 'activity'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
}
export type ViewSecretInput = GetSecretInput
export type ViewSecretError = GetSecretError

/** A secret with what happened to its link, and its files by their numbers. */
export interface ViewedSecret extends SecretOverview {
  readonly files: readonly OwnedFile[]
  /** Whether recipients see the files before they open the link. */
  readonly showsFiles: boolean
}

/**
 * One shareable secret of the account with its files and what happened to its link so far, without its note.
 * @errors `secret_not_found`, as in `getSecret`
 */
export function viewSecret(
  deps: ViewSecretDeps,
  input: ViewSecretInput,
): ResultAsync<ViewedSecret, ViewSecretError> {
  return new ResultAsync(view(deps, input))
}

async function view(
  deps: ViewSecretDeps,
  input: ViewSecretInput,
): Promise<Result<ViewedSecret, ViewSecretError>> {
  const secret = await getSecret(deps, input)
  if (secret.isErr()) return err(secret.error)
  const { accountId } = input
  const activity = await deps.secrets.activity(accountId, secret.value.id)
  if (activity.isErr()) return err(activity.error)
  if (activity.value === undefined) return err({ code: 'secret_not_found' })
  const rows = activity.value.files ?? []
  const files = showFiles(deps, rows)
  if (files.isErr()) return err(files.error)
  const overview = overviewOf(secret.value, activity.value, deps.clock.nowMicros(), rows.length)
  return ok({ ...overview, files: files.value, showsFiles: rows.some(({ isShown }) => isShown) })
}

export interface ListSecretsDeps {
  readonly secrets: Pick<SecretStore, 'page'>
  readonly secretCipher: Pick<SecretCipher, 'decryptHead'>
  readonly clock: Clock
}

/** `after` is the position of the last secret that was read: when its link was made, and its id. */
export interface ListSecretsInput extends ListInput {
  readonly accountId: Uuid
  /** Only the secrets in this folder. An unknown, malformed or another account's folder has none. */
  readonly folderId?: string | undefined
}
export type ListSecretsError = KeyUnknown | StorageError

/**
 * The account's shareable secrets that had not expired when the list was begun, newest link first. Never drafts. Secrets whose note is
 * destroyed stay in the list until they expire.
 */
export function listSecrets(
  { secrets, secretCipher, clock }: ListSecretsDeps,
  { accountId, folderId, after: first, pageSize }: ListSecretsInput,
): Pages<ShareableSecret, ListSecretsError> {
  const filter = {
    accountId,
    folderId: folderId === undefined ? undefined : uuidToFind(folderId),
    nowMicros: clock.nowMicros(),
  }
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => secrets.page(filter, after, limit),
    cursorOf: positionOf,
    show: (stored) => showSecret(secretCipher, stored),
  })
}

export interface MarkSeenDeps {
  readonly secrets: Pick<SecretStore, 'markSeen'>
}
export interface MarkSeenInput extends GetSecretInput {
  /** The `news` that the owner has seen; 1 for an answer that is new. */
  readonly news: number
}
export type MarkSeenError = StorageError

/**
 * Notes that the owner has looked at a secret or draft: it has no news any more, unless there is more by now. Without news nothing is
 * written. Unknown, malformed and other accounts' ids are ignored.
 */
export function markSeen(
  { secrets }: MarkSeenDeps,
  { accountId, id, news }: MarkSeenInput,
): ResultAsync<void, MarkSeenError> {
  return news === 0 ? okAsync() : secrets.markSeen(accountId, uuidToFind(id), news)
}

export type DestroySecretDeps = GetSecretDeps & { readonly secrets: Pick<SecretStore, 'erase'> }
export type DestroySecretInput = GetSecretInput
export type DestroySecretError = GetSecretError

/**
 * Erases a shareable secret with its note: its link is dead, and it is gone from lists and counts. An open that was claimed before is
 * delivered, no later one.
 * @returns the secret as it was
 * @errors `secret_not_found`, as in `getSecret`; `data_damaged` and `key_unknown` when it cannot be read: nothing is erased then
 */
export function destroySecret(
  deps: DestroySecretDeps,
  input: DestroySecretInput,
): ResultAsync<ShareableSecret, DestroySecretError> {
  return new ResultAsync(destroy(deps, input))
}

async function destroy(
  deps: DestroySecretDeps,
  input: DestroySecretInput,
): Promise<Result<ShareableSecret, DestroySecretError>> {
  const secret = await getSecret(deps, input)
  if (secret.isErr()) return err(secret.error)
  const erased = await deps.secrets.erase(input.accountId, secret.value.id)
  if (erased.isErr()) return err(erased.error)
  return erased.value ? secret : err({ code: 'secret_not_found' })
}
