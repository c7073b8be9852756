import { availableParallelism } from 'node:os'
import type { Clock, Finding, StorageOpenError } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { createSystemClock } from '@sotto/system'
import { readEnvironment } from '../config/environment.ts'
import { openIdentityProvider } from '../installation/identity-provider.ts'
import { checkSettings, readSettings, type Settings } from '../config/settings.ts'
import { storageDriverOf, type StorageSettings } from '../installation/storage-driver.ts'
import { clockOffsetMicros } from '../shared/clock-offset.ts'
import { checkClock, createClockWatch, type ClockWatch } from '../storage/check-clock.ts'
import { counted } from '../shared/text.ts'
import { bad, good, unchecked } from '../shared/finding.ts'
import { checkFiles } from '../files/check-files.ts'
import { largestFiles } from '../files/largest-files.ts'
import { checkKeyFile, checkKeyPlace } from '../keys/check-key-file.ts'
import { checkKeys } from '../keys/check-keys.ts'
import { checkOwner } from '../accounts/check-owner.ts'
import { defaultOwnerEmail } from '../config/settings-schema.ts'
import { checkNotifications } from '../notifications/check-notifications.ts'
import { checkPasskeys } from '../passkeys/check-passkeys.ts'
import { checkRows } from '../storage/check-rows.ts'
import { checkSealing } from '../sealed/check-sealing.ts'
import { checkSignIn } from '../single-sign-on/check-sign-in.ts'
import { checkSweep } from '../storage/check-sweep.ts'

export interface ExamineOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** The clock; by default the one that decides. */
  readonly clock?: Clock
  /** How an error is described in a sentence. */
  readonly textOf: (error: StorageOpenError) => string
}

/** The settings that say where an installation is. */
type Places = StorageSettings & Pick<Settings, 'keysFile'>

/**
 * Examines an installation, while a server runs on it or not. Every check is made that is possible, whatever the others find. Where there
 * is no installation it creates nothing. Otherwise it opens the storage, which completes erasures that are due, but creates, migrates and
 * replaces nothing.
 */
export async function examine({ env, cwd, clock, textOf }: ExamineOptions): Promise<readonly Finding[]> {
  const watch = createClockWatch()
  const read = readSettings(env, cwd)
  const settings = read.isOk()
    ? [checkSettingsHere(read.value), ...checkSealing(read.value)]
    : read.error.errors.map(settingFinding)
  const places = read.isOk() ? read.value : placesAlone(env, cwd)
  if (places === undefined) return [...settings, unchecked('everything else', 'the paths are not known')]
  const valid = read.isOk() ? read.value : undefined
  return [...settings, ...(await examinePlaces(places, { clock, watch, textOf, settings: valid }))]
}

/** Whether valid settings suit this machine. */
function checkSettingsHere({ workers }: Pick<Settings, 'workers'>): Finding {
  const processors = availableParallelism()
  if (workers <= Math.max(1, processors)) return good('settings', 'all are valid')
  return bad(
    'settings',
    `SOTTO_WORKERS is ${workers}, and ${counted(processors, 'processor', 'processors')} can be used here: more workers are slower`,
  )
}

function settingFinding(error: string): Finding {
  return bad('settings', error)
}

/**
 * The paths as they are without the other settings, which are not valid; `undefined` when the paths are not valid either, or may be in a
 * settings file that cannot be used.
 */
function placesAlone(env: NodeJS.ProcessEnv, cwd: string): Places | undefined {
  const names = [
    'SOTTO_DATA_DIR',
    'SOTTO_DATABASE_URL',
    'SOTTO_DATABASE_CONNECTIONS',
    'SOTTO_DATABASE_PIPELINE',
    'SOTTO_DATABASE_PREPARE',
    'SOTTO_KEYS_FILE',
  ]
  const { values, errors } = readEnvironment(env, cwd)
  const paths = Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
  const checked = checkSettings({ values: paths, namesInFile: [], errors }, cwd)
  return checked.isOk() ? checked.value : undefined
}

interface Tools extends Pick<ExamineOptions, 'textOf'> {
  readonly clock: Clock | undefined
  readonly watch: ClockWatch
  /** `undefined` while the settings are not valid. */
  readonly settings: Settings | undefined
}

async function examinePlaces(places: Places, tools: Tools): Promise<readonly Finding[]> {
  const driver = await storageDriverOf(places)
  const hasData = await driver.hasData()
  const found = [
    ...(await driver.examine()),
    ...checkKeyPlace(places.keysFile),
    checkKeyFile(places.keysFile, hasData.unwrapOr(undefined)),
  ]
  if (hasData.isErr()) return [...found, ...notOpened(tools.textOf(hasData.error))]
  if (!hasData.value) {
    const { location } = driver
    return [...found, bad('database', tools.textOf({ code: 'database_missing', location }))]
  }
  // If the disk fails, writing fails as well, which is found.
  const opened = await driver.open({ onFatal: () => undefined, log: () => undefined, create: false })
  if (opened.isErr()) return [...found, ...notOpened(tools.textOf(opened.error))]
  const storage = opened.value
  try {
    return [...found, ...(await examineStorage(storage, places, tools))]
  } finally {
    await storage.close()
  }
}

/** What is found when the database cannot be opened. */
function notOpened(why: string): readonly Finding[] {
  const rest = ['keys', 'rows', 'clock', 'sweep', 'files', 'notifications']
  return [bad('database', why), ...rest.map((check) => unchecked(check, 'the database cannot be opened'))]
}

async function examineStorage(
  storage: FullOpenStorage,
  { keysFile }: Places,
  { clock: given, watch, settings }: Tools,
): Promise<readonly Finding[]> {
  const { upkeep } = storage
  const clock = given ?? storage.databaseClock ?? createSystemClock()
  return [
    ...(await upkeep.examine()),
    ...(await checkKeys({ storage, keysFile, clock })),
    ...(await checkRows({ storage, keysFile, clock })),
    await checkClock({ upkeep, clock, offsetMicros: clockOffsetMicros(storage), watch }),
    await checkSweep({ upkeep, clock }),
    ...(await checkOwner({ storage, keysFile, clock, email: defaultOwnerEmail })),
    ...(await checkFiles({ ...storage, clock, policy: settings?.policy.files })),
    ...(await largestFiles({ storage, keysFile, clock, policy: settings?.policy.files })),
    ...(await checkNotifications({ storage, clock })),
    ...(await checkPasskeys({ passkeys: storage.passkeys, baseUrl: settings?.baseUrl })),
    ...(settings === undefined
      ? []
      : await checkSignIn({
          ...{ storage, clock, policy: settings.policy, baseUrl: settings.baseUrl },
          identityProvider: await openIdentityProvider(settings, clock),
        })),
  ]
}
