import type { Backup, Contents, CorruptedRow, MissingFile, Restored } from '@sotto/core'
import { isoMicros } from '../shared/iso-micros.ts'
import { toWireCorruptedRow } from './corrupted-row.ts'

/** The document of `backup`. `file` is the absolute path of the backup. */
export function toWireBackup(file: string, { bytes, backedUpAtMicros, contents, missingFiles }: Backup) {
  return {
    ...{ file, bytes, backed_up_at: isoMicros(backedUpAtMicros), ...toWireContents(contents) },
    missing_files: missingFiles.map(toWireMissingFile),
  }
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

function toWireMissingFile({ id, secretId }: MissingFile) {
  return { id, secret_id: secretId }
}
