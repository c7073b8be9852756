import { createKeyRing, type KeyFileError } from '@sotto/adapter-node-crypto'
import {
  compareKeyRing,
  type BackedUpKeys,
  type Backup,
  type BackUpError,
  type BackUpOptions,
  type Clock,
  type Restored,
  type RestoreChoices,
  type RestoreError,
} from '@sotto/core'
import { createSystemClock } from '@sotto/system'
import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { Settings } from './config/settings.ts'
import { storageDriverOf, type StorageSettings } from './storage.ts'

/** Why nothing was restored. Nothing has changed. */
export type RestoreInstallationError =
  | RestoreError
  | KeyFileError
  /** The key file lacks a key that rows of the backup are under. */
  | { readonly code: 'backup_key_missing'; readonly path: string; readonly kid: number }
  /** The key of this number in the key file is not the key that the backup was made under. */
  | { readonly code: 'backup_key_wrong'; readonly path: string; readonly kid: number }

export interface BackUpInstallationOptions extends Pick<BackUpOptions, 'file' | 'onProgress'> {
  readonly settings: StorageSettings
  readonly clock?: Clock
}

export interface RestoreInstallationOptions extends BackUpInstallationOptions, RestoreChoices {
  readonly settings: StorageSettings & Pick<Settings, 'keysFile'>
}

/** Makes a backup of an installation, while a server runs on it or not. Needs no key. */
export function backUpInstallation({
  settings,
  file,
  onProgress,
  clock = createSystemClock(),
}: BackUpInstallationOptions): ResultAsync<Backup, BackUpError> {
  return storageDriverOf(settings).backUp({ file, onProgress, nowMicros: clock.nowMicros() })
}

/** Creates the database of an installation from a backup. Needs the key file, and a place without a database. */
export function restoreInstallation({
  settings,
  clock = createSystemClock(),
  ...options
}: RestoreInstallationOptions): ResultAsync<Restored, RestoreInstallationError> {
  return storageDriverOf(settings).restore<RestoreInstallationError>({
    ...options,
    nowMicros: clock.nowMicros(),
    checkKeys: (backedUp) => checkKeys(backedUp, { keysFile: settings.keysFile, clock }),
  })
}

/** Ok with the kids of the backup's keys that the key file holds. It may lack a key that no row is under. */
function checkKeys(
  { instanceId, keys }: BackedUpKeys,
  { keysFile, clock }: { readonly keysFile: string; readonly clock: Clock },
): Result<readonly number[], RestoreInstallationError> {
  const ring = createKeyRing({ keyFile: keysFile, instanceId, clock })
  if (ring.isErr()) return err(ring.error)
  const unfit = compareKeyRing(ring.value, keys)
  const isUsed = (kid: number): boolean => keys.some((key) => key.kid === kid && key.isUsed)
  const fatal = unfit.find(({ kid, reason }) => reason === 'wrong' || isUsed(kid))
  if (fatal !== undefined) {
    const { kid, reason } = fatal
    return err({ code: `backup_key_${reason}`, path: keysFile, kid })
  }
  const missing = unfit.map(({ kid }) => kid)
  return ok(keys.map(({ kid }) => kid).filter((kid) => !missing.includes(kid)))
}
