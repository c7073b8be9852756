import type { RestoreInstallationError } from '../errors/errors.ts'
import { createKeyRing } from '@sotto/adapter-node-crypto'
import {
  type BackedUpKeys,
  type Backup,
  type BackUpError,
  type BackUpOptions,
  type Clock,
  compareKeyRing,
  type CorruptedRow,
  type RestoreChoices,
  type Restored,
  type StorageOpenError,
} from '@sotto/core'
import type { FullStorageDriver } from '@sotto/identity'
import { createSystemClock } from '@sotto/system'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Settings } from '../config/settings.ts'
import { authenticateStorage, type AuthenticationError } from './corruption.ts'
import { storageDriverOf, type StorageSettings } from '../installation/storage-driver.ts'

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
  return driverOf(settings).andThen((driver) =>
    driver.backUp({ file, onProgress, nowMicros: clock.nowMicros() }),
  )
}

export interface RestoredInstallation extends Restored {
  /** The rows that do not decrypt; an error when what was restored could not be read again. The database stays in both cases. */
  readonly corrupted: Result<readonly CorruptedRow[], AuthenticationError | StorageOpenError>
}

/**
 * Creates the database of an installation from a backup, then authenticates everything in it that is encrypted. Needs the key file, and a
 * place without a database. Corrupted rows are restored as they are: a backup with one is better than none.
 */
export function restoreInstallation({
  settings,
  clock = createSystemClock(),
  ...options
}: RestoreInstallationOptions): ResultAsync<RestoredInstallation, RestoreInstallationError> {
  const restored = driverOf(settings).andThen((driver) =>
    driver.restore<RestoreInstallationError>({
      ...options,
      nowMicros: clock.nowMicros(),
      checkKeys: (backedUp) => checkKeys(backedUp, { keysFile: settings.keysFile, clock }),
    }),
  )
  return restored.andThen((done) =>
    ResultAsync.fromSafePromise(authenticateRestored(settings, clock)).map((corrupted) => ({
      ...done,
      corrupted,
    })),
  )
}

function driverOf(settings: StorageSettings): ResultAsync<FullStorageDriver, never> {
  return ResultAsync.fromSafePromise(storageDriverOf(settings))
}

async function authenticateRestored(
  settings: RestoreInstallationOptions['settings'],
  clock: Clock,
): Promise<RestoredInstallation['corrupted']> {
  // The restore has synced everything already. If the disk fails, reading reports it.
  const quiet = { onFatal: () => undefined, log: () => undefined, create: false }
  const driver = await storageDriverOf(settings)
  const opened = await driver.open(quiet)
  if (opened.isErr()) return err(opened.error)
  try {
    return await authenticateStorage({ storage: opened.value, keysFile: settings.keysFile, clock })
  } finally {
    await opened.value.close()
  }
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
