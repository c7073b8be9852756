import type {
  AccessToken,
  Account,
  Backup,
  Contents,
  CorruptedRow,
  DecryptError,
  Draft,
  DroppedCorruptedRows,
  Finding,
  KeyStatus,
  MissingFile,
  MovedCounts,
  MovedFiles,
  NewAccessToken,
  Restored,
  RotationProgress,
  Swept,
} from '@sotto/core'
import { toWireOpenLimit } from './secrets/open-limit.ts'
import { isoMicros } from './shared/iso-micros.ts'
import { invitationUrl } from './invitations/invitation-url.ts'

// The documents that the command `sotto` prints with `--json`. Folders and shared secrets look as in the API. Scripts read these
// documents: fields may be added, but never renamed or removed.

/** The document of `init`: the absolute path of the data directory, or the address of the database in its place; and that of the key file. */
export function toWireInitialized({
  keysFile,
  ...place
}: ({ readonly dataDir: string } | { readonly database: string }) & { readonly keysFile: string }) {
  const where = 'dataDir' in place ? { data_dir: place.dataDir } : { database: place.database }
  return { ...where, keys_file: keysFile }
}

/**
 * The document of `account create`, `list`, `disable` and `release`. `external_id` is there only for an account that has one; its `email` is
 * `null`.
 */
export function toWireAccount({ id, email, externalId, createdAtMicros, disabledAtMicros, isHeld }: Account) {
  return {
    id,
    email: email ?? null,
    ...(externalId === undefined ? {} : { external_id: externalId }),
    created_at: isoMicros(createdAtMicros),
    disabled_at: timeOrNull(disabledAtMicros),
    held: isHeld,
  }
}

/** The document of `draft create` and `list`. */
export function toWireDraft(draft: Draft) {
  return {
    id: draft.id,
    label: draft.label,
    folder_id: draft.folderId,
    created_at: isoMicros(draft.createdAtMicros),
    open_limit: toWireOpenLimit(draft.openLimit),
    notify: draft.notify,
    has_password: draft.hasPassword,
  }
}

/** The document of `draft delete`, `folder delete` and `account delete`. */
export function toWireDeleted(id: string) {
  return { id, deleted: true }
}

/** The document of `token create`. */
export function toWireNewAccessToken({ id, token }: Pick<NewAccessToken, 'id' | 'token'>) {
  return { id, token }
}

/** The document of `token list`. Never the token itself. */
export function toWireAccessToken(token: AccessToken) {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    created_at: isoMicros(token.createdAtMicros),
    expires_at: timeOrNull(token.expiresAtMicros),
    revoked_at: timeOrNull(token.revokedAtMicros),
    last_used_at: timeOrNull(token.lastUsedAtMicros),
  }
}

/** The document of `token revoke`. */
export function toWireRevoked(id: string) {
  return { id, revoked: true }
}

/** The document of `keys status`. */
export function toWireKey({ kid, createdAtMicros, active, waiting, rows, lackedBy }: KeyStatus) {
  const lacked_by = lackedBy.map(({ name, seenAtMicros }) => ({ name, seen_at: isoMicros(seenAtMicros) }))
  return { kid, created_at: isoMicros(createdAtMicros), active, waiting, rows, lacked_by }
}

/** The document of `keys add`. */
export function toWireWaitingKey({ kid, added }: Pick<RotationProgress, 'kid' | 'added'>) {
  return { kid, added }
}

/** The document of `keys rotate`. */
export function toWireRotation({ kid, added, rewrapped, corrupted }: RotationProgress) {
  return { kid, added, rewrapped, damaged: corrupted.map(toWireCorruption) }
}

function toWireCorruption(error: DecryptError) {
  return error.code === 'data_damaged'
    ? { code: error.code, what: error.what, id: error.id }
    : { code: error.code, kid: error.kid }
}

/** The document of `damage list`, and in `restore`. */
export function toWireCorruptedRow({ kind, id, accountId, error }: CorruptedRow) {
  return { kind, id, account_id: accountId, ...toWireCause(error) }
}

function toWireCause(error: DecryptError) {
  return error.code === 'data_damaged'
    ? { code: error.code, what: error.what }
    : { code: error.code, kid: error.kid }
}

/** The document of `damage drop`. */
export function toWireDroppedCorruptedRows({ dropped, refused }: DroppedCorruptedRows) {
  return {
    dropped: dropped.map((row) => ({ ...toWireCorruptedRow(row), outcome: row.outcome })),
    refused: refused.map(({ id, reason }) => ({ id, reason })),
  }
}

/** The document of `keys retire`. */
export function toWireRetiredKey(kid: number) {
  return { kid, retired: true }
}

/** The document of `backup`. `file` is the absolute path of the backup. */
export function toWireBackup(file: string, { bytes, backedUpAtMicros, contents, missingFiles }: Backup) {
  return {
    ...{ file, bytes, backed_up_at: isoMicros(backedUpAtMicros), ...toWireContents(contents) },
    missing_files: missingFiles.map(toWireMissingFile),
  }
}

function toWireMissingFile({ id, secretId }: MissingFile) {
  return { id, secret_id: secretId }
}

/**
 * The document of `move`: the locations without credentials, how many rows of each kind were moved, and the bytes of the contents of files
 * as they are stored. `rows` is `null` when an earlier move had finished already.
 */
export function toWireMoved({
  from,
  to,
  rows,
  contents,
}: {
  readonly from: string
  readonly to: string
  readonly rows: MovedCounts | undefined
  readonly contents: MovedFiles
}) {
  return { from, to, rows: rows ?? null, file_bytes: contents.bytes }
}

/**
 * The document of `restore`. `ageSeconds` is the age of the backup, negative when its time is in the future. `damaged` is `null` when the
 * rows could not be checked.
 */
export function toWireRestored(
  restored: Restored,
  ageSeconds: number,
  corrupted: readonly CorruptedRow[] | undefined,
) {
  const { backedUpAtMicros, contents, erasedSecrets, destroyedNotes, closedRequests, revokedTokens } =
    restored
  return {
    backed_up_at: isoMicros(backedUpAtMicros),
    age_seconds: Math.floor(ageSeconds),
    ...toWireContents(contents),
    purged_secrets: erasedSecrets,
    destroyed_notes: destroyedNotes,
    closed_requests: closedRequests,
    revoked_tokens: revokedTokens,
    restored_files: restored.restoredFiles,
    missing_files: restored.missingFiles.map(toWireMissingFile),
    damaged: corrupted?.map(toWireCorruptedRow) ?? null,
  }
}

function toWireContents(contents: Contents) {
  return {
    accounts: contents.accounts,
    folders: contents.folders,
    drafts: contents.drafts,
    secrets: contents.secrets,
    expired_secrets: contents.expiredSecrets,
    access_tokens: contents.accessTokens,
    files: contents.files,
    file_bytes: contents.fileBytes,
    kids: contents.kids,
  }
}

/** The document of `completion`. */
export function toWireCompletion({ script }: { readonly script: string }) {
  return { script }
}

/** The document of `purge`. */
export function toWireSwept({ secrets, quotaBuckets, files }: Swept & { readonly files: number }) {
  return { secrets, quota_buckets: quotaBuckets, files }
}

/** The document of `doctor`, which prints a list of these. `ok` is `null` for what could not be checked. */
export function toWireFinding({ check, ok, text }: Finding) {
  return { check, ok: ok ?? null, text }
}

/** What `serve` says when it listens. */
export interface Announcement {
  /** Where the server listens, such as `http://127.0.0.1:3000`. */
  readonly address: string
  readonly baseUrl: string
  readonly linkBaseUrl: string
  /** What the first start made; `undefined` on any other start. */
  readonly firstStart:
    | {
        readonly email: string
        readonly folderId: string
        readonly folderLabel: string
        readonly token: string
        readonly tokenExpiresAtMicros: number
        /** The token of the one-time link with which the owner chooses a password. */
        readonly invitationToken: string
      }
    | undefined
}

/** The document of `serve`. */
export function toWireAnnouncement({ address, baseUrl, linkBaseUrl, firstStart }: Announcement) {
  return {
    listening: address,
    base_url: baseUrl,
    link_base_url: linkBaseUrl,
    first_start:
      firstStart === undefined
        ? null
        : {
            account: firstStart.email,
            folder_id: firstStart.folderId,
            folder_label: firstStart.folderLabel,
            token: firstStart.token,
            token_expires_at: isoMicros(firstStart.tokenExpiresAtMicros),
            welcome_url: invitationUrl(baseUrl, firstStart.invitationToken),
          },
  }
}

/** A time as the API writes it; `null` when there is none. */
export function timeOrNull(micros: number | undefined): string | null {
  return micros === undefined ? null : isoMicros(micros)
}
