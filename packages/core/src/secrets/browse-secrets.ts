import type { ResultAsync } from 'neverthrow'
import { type Uuid, uuidToFind } from '../shared/uuid.ts'
import type { KeyUnknown, StorageError } from '../shared/errors.ts'
import type { SecretStore, StatusCounts } from './secret-store.ts'
import type { SecretCipher } from './secret-cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { SecretStatus } from './secret-status.ts'
import { type Pages, pagesOf } from '../shared/pages.ts'
import { positionOf } from './show-secret.ts'
import { type SecretOverview, showOverview } from './secret-overviews.ts'
import type { ListSecretsInput } from './secrets.ts'

export interface BrowseSecretsDeps {
  readonly secrets: Pick<SecretStore, 'overviews'>
  readonly secretCipher: Pick<SecretCipher, 'decryptHead'>
  readonly clock: Clock
}
export interface BrowseSecretsInput extends ListSecretsInput {
  /** Only secrets of this status. */
  readonly status?: SecretStatus | undefined
}
export type BrowseSecretsError = KeyUnknown | StorageError

/** Lists secrets as `listSecrets` does, each with what happened to its link so far. */
export function browseSecrets(
  { secrets, secretCipher, clock }: BrowseSecretsDeps,
  { accountId, folderId, status, after: first, pageSize }: BrowseSecretsInput,
): Pages<SecretOverview, BrowseSecretsError> {
  const nowMicros = clock.nowMicros()
  const filter = {
    accountId,
    folderId: folderId === undefined ? undefined : uuidToFind(folderId),
    nowMicros,
    status,
  }
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => secrets.overviews(filter, after, limit),
    cursorOf: ({ secret }) => positionOf(secret),
    show: (stored) => showOverview(secretCipher, stored, nowMicros),
  })
}

export interface CountSecretsDeps {
  readonly secrets: Pick<SecretStore, 'counts'>
  readonly clock: Clock
}
export interface CountSecretsInput {
  readonly accountId: Uuid
  /** Only what is in this folder. An unknown, malformed or another account's folder holds nothing. */
  readonly folderId?: string | undefined
}
export type CountSecretsError = StorageError

/** How many secrets there are of each status, how many in all, how many drafts, and how much news of the secrets. */
export interface SecretCounts extends StatusCounts {
  /** Secrets of every status, drafts not among them. */
  readonly all: number
}

/** Counts the account's secrets that have not expired, by their status, with their news, and its drafts. */
export function countSecrets(
  { secrets, clock }: CountSecretsDeps,
  { accountId, folderId }: CountSecretsInput,
): ResultAsync<SecretCounts, CountSecretsError> {
  const folder = folderId === undefined ? undefined : uuidToFind(folderId)
  return secrets
    .counts({ accountId, folderId: folder, nowMicros: clock.nowMicros() })
    .map((counts) => ({ ...counts, all: counts.waiting + counts.opened + counts.finished }))
}
