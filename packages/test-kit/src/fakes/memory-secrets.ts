import {
  isExpired,
  noAttempts,
  type FolderNotFound,
  type KeyRetired,
  type SecretActivity,
  type SecretFilter,
  type SecretStore,
  type StorageFailed,
  type StoredSecret,
  type StoredShareableSecret,
  type Cursor,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import {
  equalBytes,
  inOrder,
  keyRetired,
  taken,
  type MemoryConnection,
  type MemoryData,
  type SecretRow,
} from './memory-data.ts'
import { putEvents } from './memory-outbox.ts'

export function createMemorySecrets(connection: MemoryConnection): SecretStore {
  const { data, answer } = connection
  return {
    insert: (secret, note) => answer(() => insertRow(connection, secret, note)),

    find: (accountId, id, nowMicros) =>
      answer(() => {
        const secret = data.secrets.get(id)?.secret
        if (secret?.accountId !== accountId || !isShareable(secret)) return ok(undefined)
        return ok(isExpired(secret.link.expiresAtMicros, nowMicros) ? undefined : secret)
      }),

    page: (filter, after, limit) =>
      answer(() => {
        const listed = [...data.secrets.values()]
          .map(({ secret }) => secret)
          .filter(isShareable)
          .filter(
            (secret) => passes(filter, secret) && !isExpired(secret.link.expiresAtMicros, filter.nowMicros),
          )
          .filter((secret) => after === undefined || inOrder(position(secret), after) < 0)
          .toSorted((one, other) => inOrder(position(other), position(one)))
        return ok(listed.slice(0, limit))
      }),

    activity: (accountId, ids) =>
      answer(() => ok(ids.flatMap((id) => activityOf(data.secrets.get(id), accountId)))),

    erase: (accountId, id) =>
      answer(() => {
        const secret = data.secrets.get(id)?.secret
        if (secret?.accountId !== accountId || !isShareable(secret)) return ok(false)
        return ok(data.secrets.delete(id))
      }),

    eraseExpired: (expiredByMicros, limit, report) =>
      answer(() => {
        const expired = [...data.secrets.values()]
          .filter(isShareableRow)
          .filter(({ secret: { link } }) => isExpired(link.expiresAtMicros, expiredByMicros))
          .slice(0, limit)
        const unopened = expired.filter(({ secret, opens }) => secret.notify && opens === 0)
        putEvents(
          data,
          unopened.map(({ secret }) => report(secret)),
        )
        for (const { secret } of expired) data.secrets.delete(secret.id)
        return ok(expired.length)
      }),
  }
}

/** Adds a secret, inside a method. */
export function insertRow(
  { data, hasFolder, mayWrite }: MemoryConnection,
  ...[secret, note]: Parameters<SecretStore['insert']>
): Result<void, FolderNotFound | KeyRetired | StorageFailed> {
  if (!hasFolder(secret.accountId, secret.folderId)) return err({ code: 'folder_not_found' })
  if (!mayWrite(secret)) return err(keyRetired)
  if (data.secrets.has(secret.id) || hasLookup(data, secret.link?.lookup)) return err(taken)
  const fresh = { opens: 0, attempts: noAttempts, openedAtMicros: [], forms: new Set<string>() }
  data.secrets.set(secret.id, structuredClone({ secret, note, ...fresh }))
  return ok()
}

/** Whether a list with this filter shows the secret, as far as account and folder go. */
export function passes({ accountId, folderId }: SecretFilter, secret: StoredSecret): boolean {
  return secret.accountId === accountId && (folderId === undefined || secret.folderId === folderId)
}

/** Whether a link is stored under this lookup. */
export function hasLookup({ secrets }: MemoryData, lookup: Uint8Array | undefined): boolean {
  if (lookup === undefined) return false
  return secrets
    .values()
    .some(({ secret: { link } }) => link !== undefined && equalBytes(link.lookup, lookup))
}

export function isShareable(secret: StoredSecret): secret is StoredShareableSecret {
  return secret.link !== undefined
}

function isShareableRow(row: SecretRow): row is SecretRow & { readonly secret: StoredShareableSecret } {
  return isShareable(row.secret)
}

/** No activity when the row is missing, a draft or another account's. */
function activityOf(row: SecretRow | undefined, accountId: Uuid): readonly SecretActivity[] {
  if (row?.secret.accountId !== accountId || !isShareable(row.secret)) return []
  const { secret, note, opens, attempts, openedAtMicros } = row
  return [{ id: secret.id, opens, hasNote: note !== undefined, attempts, openedAtMicros }]
}

/** The position of a secret in its owner's list. */
function position({ id, link: { createdAtMicros } }: StoredShareableSecret): Cursor {
  return { createdAtMicros, id }
}
