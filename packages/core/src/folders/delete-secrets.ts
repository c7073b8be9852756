import { type Result, ResultAsync, err, ok } from 'neverthrow'
import { type Uuid, uuidToFind } from '../shared/uuid.ts'
import type { FieldsInvalid, StorageError } from '../shared/errors.ts'
import type { Cursor } from '../shared/cursor.ts'
import type { SecretStore, StoredSecret } from '../secrets/secret-store.ts'
import type { DraftStore } from '../drafts/draft-store.ts'
import type { Clock } from '../shared/clock.ts'
import { bounds } from '../shared/fields.ts'
import { listPageSize } from '../shared/pages.ts'
import { positionOf } from '../secrets/show-secret.ts'

// Clearing several at once. Each secret or draft is erased in a transaction of its own, as one alone would be.

/** How many are erased at the same time: a store can commit them together, and other writes do not wait long. */
const erasedAtOnce = 25

export interface DeleteSecretsDeps {
  readonly secrets: Pick<SecretStore, 'erase'>
  readonly drafts: Pick<DraftStore, 'erase'>
}
export interface DeleteSecretsInput {
  readonly accountId: Uuid
  /** The ids of secrets. Together with those of drafts at most 100. */
  readonly ids: readonly string[]
  /** The ids of drafts. */
  readonly drafts?: readonly string[] | undefined
  /** Called with the id of each secret and draft once it is erased, also when an error ends the call early. */
  readonly erased?: ((id: Uuid, kind: 'secret' | 'draft') => void) | undefined
}
export type DeleteSecretsError = FieldsInvalid | StorageError

/** How many there were of each. */
export interface Deleted {
  readonly secrets: number
  readonly drafts: number
}

/**
 * Erases secrets, as `destroySecret` does, and drafts. Unknown, malformed and other accounts' ids are ignored. An error ends it early: those
 * that were erased before stay erased.
 * @errors `fields_invalid` for too many ids: nothing is erased
 */
export function deleteSecrets(
  deps: DeleteSecretsDeps,
  input: DeleteSecretsInput,
): ResultAsync<Deleted, DeleteSecretsError> {
  return new ResultAsync(deleteAll(deps, input))
}

async function deleteAll(
  { secrets, drafts }: DeleteSecretsDeps,
  { accountId, ids, drafts: draftIds = [], erased }: DeleteSecretsInput,
): Promise<Result<Deleted, DeleteSecretsError>> {
  const limit = bounds.deletedMax
  if (ids.length + draftIds.length > limit) {
    return err({ code: 'fields_invalid', errors: [{ field: 'ids', rule: 'too_long', limit }] })
  }
  const telling = (kind: 'secret' | 'draft', store: Pick<typeof secrets, 'erase'>) => (id: Uuid) =>
    store.erase(accountId, id).andTee((isErased) => {
      if (isErased) erased?.(id, kind)
    })
  const deletedSecrets = await eraseEach(ids.map(uuidToFind), telling('secret', secrets))
  if (deletedSecrets.isErr()) return err(deletedSecrets.error)
  const deletedDrafts = await eraseEach(draftIds.map(uuidToFind), telling('draft', drafts))
  return deletedDrafts.map((count) => ({ secrets: deletedSecrets.value, drafts: count }))
}

/** Erases rows, several at the same time. Ok with how many there were. */
async function eraseEach(
  ids: readonly Uuid[],
  erase: (id: Uuid) => ResultAsync<boolean, StorageError>,
): Promise<Result<number, StorageError>> {
  let count = 0
  for (let from = 0; from < ids.length; from += erasedAtOnce) {
    const erased = await ResultAsync.combine(ids.slice(from, from + erasedAtOnce).map(erase))
    if (erased.isErr()) return err(erased.error)
    count += erased.value.filter((isErased) => isErased).length
  }
  return ok(count)
}

export interface RemoveFinishedDeps {
  readonly secrets: Pick<SecretStore, 'page' | 'erase'>
  readonly clock: Clock
}
export interface RemoveFinishedInput {
  readonly accountId: Uuid
  /** Only the secrets in this folder. An unknown, malformed or another account's folder has none. */
  readonly folderId?: string | undefined
}
export type RemoveFinishedError = StorageError

/**
 * Erases all secrets that nobody can open any more. Ok with how many. An error ends it early: those that were erased before stay erased.
 */
export function removeFinished(
  { secrets, clock }: RemoveFinishedDeps,
  { accountId, folderId }: RemoveFinishedInput,
): ResultAsync<number, RemoveFinishedError> {
  const filter = {
    accountId,
    folderId: folderId === undefined ? undefined : uuidToFind(folderId),
    nowMicros: clock.nowMicros(),
    status: 'finished',
  } as const
  return eraseListed(
    (after) => secrets.page(filter, after, listPageSize),
    (id) => secrets.erase(accountId, id),
  )
}

/** Erases what a list holds, page by page. What is added before a page that was read stays. Ok with how many rows there were. */
export function eraseListed(
  read: (after: Cursor | undefined) => ResultAsync<readonly StoredSecret[], StorageError>,
  erase: (id: Uuid) => ResultAsync<boolean, StorageError>,
): ResultAsync<number, StorageError> {
  const eraseAll = async (): Promise<Result<number, StorageError>> => {
    let after: Cursor | undefined
    for (let count = 0; ;) {
      const rows = await read(after)
      if (rows.isErr()) return err(rows.error)
      const last = rows.value.at(-1)
      if (last === undefined) return ok(count)
      const ids = rows.value.map(({ id }) => id)
      const erased = await eraseEach(ids, erase)
      if (erased.isErr()) return err(erased.error)
      count += erased.value
      after = positionOf(last)
    }
  }
  return new ResultAsync(eraseAll())
}
