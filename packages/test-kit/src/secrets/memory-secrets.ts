import {
  isExpired,
  noAttempts,
  secretStatus,
  type FolderNotFound,
  type KeyRetired,
  type SecretActivity,
  type SecretFilter,
  type SecretStatus,
  type SecretStore,
  type StorageFailed,
  type StorageUnavailable,
  type StoredSecret,
  type StoredShareableSecret,
  type Cursor,
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
  putEvents,
} from '../stores/memory-data.ts'
import { changeFiles, filesCountOf, filesOf, hasTicket } from '../files/memory-secret-files.ts'

export function createMemorySecrets(connection: MemoryConnection): SecretStore {
  const { data, answer } = connection
  return {
    insert: (secret, note, files) => answer(() => insertRow(connection, secret, note, files)),

    find: (accountId, id, nowMicros) =>
      answer(() => {
        const secret = data.secrets.get(id)?.secret
        if (secret?.accountId !== accountId || !isShareable(secret)) return ok(undefined)
        return ok(isExpired(secret.link.expiresAtMicros, nowMicros) ? undefined : secret)
      }),

    page: (filter, after, limit) =>
      answer(() => ok(listed(data, filter, after, limit).map(({ secret }) => secret))),

    overviews: (filter, after, limit) =>
      answer(() => {
        const rows = listed(data, filter, after, limit)
        return ok(
          rows.map((row) => ({
            secret: row.secret,
            activity: activityOf(row),
            ...filesCountOf(data, row.secret.id),
          })),
        )
      }),

    counts: (filter) =>
      answer(() => {
        const all = [...data.secrets.values()].filter(({ secret }) => passes(filter, secret))
        const live = all.filter(isShareableRow).filter((row) => isLive(row, filter.nowMicros))
        const of = (status: SecretStatus) => live.filter((row) => statusOf(row) === status).length
        const drafts = all.filter(({ secret }) => !isShareable(secret)).length
        const news = live.reduce((sum, row) => sum + row.news, 0)
        return ok({ waiting: of('waiting'), opened: of('opened'), finished: of('finished'), drafts, news })
      }),

    activity: (accountId, id) =>
      answer(() => {
        const row = data.secrets.get(id)
        const isOwn = row?.secret.accountId === accountId && isShareable(row.secret)
        return ok(isOwn ? { ...activityOf(row), ...filesOf(data, id) } : undefined)
      }),

    markSeen: (accountId, id, news) =>
      answer(() => {
        const row = data.secrets.get(id)
        if (row?.secret.accountId === accountId && row.news === news)
          data.secrets.set(id, { ...row, news: 0 })
        return ok()
      }),

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
          .filter(({ secret }) => !hasTicket(data, secret.id))
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
  connection: MemoryConnection,
  ...[secret, note, files]: Parameters<SecretStore['insert']>
): Result<void, FolderNotFound | KeyRetired | StorageUnavailable | StorageFailed> {
  const { data, hasFolder, mayWrite } = connection
  if (!mayWrite(secret)) return err(keyRetired)
  if (!hasFolder(secret.accountId, secret.folderId)) return err({ code: 'folder_not_found' })
  if (data.secrets.has(secret.id) || hasLookup(data, secret.link?.lookup)) return err(taken)
  const changed = changeFiles(connection, secret, files)
  if (changed.isErr()) return err(changed.error)
  const fresh = { opens: 0, attempts: noAttempts, openedAtMicros: [], news: 0, forms: new Set<string>() }
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

type ShareableRow = SecretRow & { readonly secret: StoredShareableSecret }

function isShareableRow(row: SecretRow): row is ShareableRow {
  return isShareable(row.secret)
}

function isLive({ secret }: ShareableRow, nowMicros: number): boolean {
  return !isExpired(secret.link.expiresAtMicros, nowMicros)
}

/** The rows of an owner's list. */
function listed(
  data: MemoryData,
  filter: Parameters<SecretStore['overviews']>[0],
  after: Cursor | undefined,
  limit: number,
): readonly ShareableRow[] {
  return [...data.secrets.values()]
    .filter(isShareableRow)
    .filter((row) => passes(filter, row.secret) && isLive(row, filter.nowMicros))
    .filter((row) => filter.status === undefined || statusOf(row) === filter.status)
    .filter(({ secret }) => after === undefined || inOrder(position(secret), after) < 0)
    .toSorted((one, other) => inOrder(position(other.secret), position(one.secret)))
    .slice(0, limit)
}

function statusOf(row: SecretRow): SecretStatus {
  return secretStatus(row.secret, activityOf(row))
}

function activityOf({ note, opens, attempts, openedAtMicros, news }: SecretRow): SecretActivity {
  return { opens, hasNote: note !== undefined, attempts, openedAtMicros, news }
}

/** The position of a secret in its owner's list. */
function position({ id, link: { createdAtMicros } }: StoredShareableSecret): Cursor {
  return { createdAtMicros, id }
}
