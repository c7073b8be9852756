import { createKeyRing, type KeyFileError } from '@sotto/adapter-node-crypto'
import {
  backUpDatabase,
  restoreDatabase,
  type Backup,
  type BackupError,
  type CopyProgress,
  type Restored,
  type RestoredKeys,
  type RestoreError,
} from '@sotto/adapter-sqlite'
import type { Clock } from '@sotto/core'
import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { Settings } from './config/settings.ts'
import { createSystemClock } from './system-clock.ts'

/** Why there is no backup. Nothing is left of it. */
export type BackupFault = BackupError

/** Why nothing was restored. Nothing is changed. */
export type RestoreFault =
  | RestoreError
  | KeyFileError
  /** The key file lacks a key that rows of the backup are under. */
  | { readonly code: 'backup_key_missing'; readonly path: string; readonly kid: number }
  /** The backup was made under another key of this number than the key file has. */
  | { readonly code: 'backup_key_wrong'; readonly path: string; readonly kid: number }

export interface BackupInput {
  readonly settings: Pick<Settings, 'dataDir' | 'keysFile'>
  /** The backup's path. */
  readonly file: string
  readonly onProgress?: (progress: CopyProgress) => void
  readonly clock?: Clock
}

export interface RestoreInput extends BackupInput {
  readonly keepLimited: boolean
  readonly keepTokens: boolean
}

/** Makes a backup of an installation, whether a server runs on it or not. Needs no key. */
export function backUpInstallation({
  settings,
  file,
  onProgress,
  clock = createSystemClock(),
}: BackupInput): ResultAsync<Backup, BackupFault> {
  const { dataDir } = settings
  return backUpDatabase({ dataDir, file, nowMicros: clock.nowMicros(), onProgress })
}

/** Makes the database of an installation out of a backup. Needs the key file, and that there is no database. */
export function restoreInstallation({
  settings,
  clock = createSystemClock(),
  ...options
}: RestoreInput): ResultAsync<Restored, RestoreFault> {
  const { dataDir, keysFile } = settings
  return restoreDatabase<RestoreFault>({
    ...options,
    dataDir,
    nowMicros: clock.nowMicros(),
    checkKeys: (restored) => checkKeys(restored, keysFile, clock),
  })
}

/** Ok with the kids that the key file holds. */
function checkKeys(
  { instanceId, keys }: RestoredKeys,
  keysFile: string,
  clock: Clock,
): Result<readonly number[], RestoreFault> {
  const opened = createKeyRing({ keyFile: keysFile, instanceId, clock })
  if (opened.isErr()) return err(opened.error)
  const ring = opened.value
  const atHand: number[] = []
  for (const { kid, checkValue, isUsed } of keys) {
    if (ring.kids().includes(kid)) {
      const isSame = Buffer.from(ring.checkValue(kid)).equals(checkValue)
      if (!isSame) return err({ code: 'backup_key_wrong', path: keysFile, kid })
      atHand.push(kid)
    } else if (isUsed) {
      return err({ code: 'backup_key_missing', path: keysFile, kid })
    }
  }
  return ok(atHand)
}
