import { openDatabase, type Database, type OpenError } from '@sotto/adapter-sqlite'
import type { Clock } from '@sotto/core'
import type { Result } from 'neverthrow'
import { readSettings, type Settings } from '../config/settings.ts'
import { hasDatabase } from '../installation-keys.ts'
import { createSystemClock } from '../system-clock.ts'
import { checkClock, createClockWatch } from './clock.ts'
import { checkDatabase, checkErasure, checkPragmas } from './database.ts'
import { checkDisk } from './disk.ts'
import { checkDataDirectory, checkKeyFile } from './files.ts'
import { unchecked, well, wrong, type Finding } from './finding.ts'
import { checkKeys } from './keys.ts'

export interface ExamineInput {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly clock?: Clock
  /** What a fault is called in a sentence. */
  readonly textOf: (fault: OpenError) => string
}

/**
 * Examines an installation, whether a server runs on it or not, as far as it can be: what is wrong with one thing does not keep it
 * from looking at the others. Makes nothing that is not there, and changes nothing but that it finishes what was to be erased.
 */
export async function examine({
  env,
  cwd,
  clock = createSystemClock(),
  textOf,
}: ExamineInput): Promise<readonly Finding[]> {
  const read = readSettings(env, cwd)
  const faults = read.isErr() ? read.error.faults.map((fault) => wrong('settings', fault)) : []
  const settings = read.isOk() ? read.value : pathsAlone(env, cwd)
  if (settings === undefined) return [...faults, unchecked('everything else', 'the paths are not known')]
  const inForce = [well('settings', 'all are valid')]
  return [...(read.isOk() ? inForce : faults), ...(await examinePlaces(settings, clock, textOf))]
}

/** The settings as they would be without what is wrong with the others; `undefined` when it is the paths. */
function pathsAlone(env: NodeJS.ProcessEnv, cwd: string): Settings | undefined {
  const names = ['SOTTO_DATA_DIR', 'SOTTO_KEYS_FILE']
  const paths = Object.fromEntries(Object.entries(env).filter(([name]) => names.includes(name)))
  const read = readSettings(paths, cwd)
  return read.isOk() ? read.value : undefined
}

async function examinePlaces(
  { dataDir, keysFile }: Settings,
  clock: Clock,
  textOf: ExamineInput['textOf'],
): Promise<readonly Finding[]> {
  const watch = createClockWatch()
  const exists = hasDatabase(dataDir)
  const places = [...checkDataDirectory(dataDir), checkKeyFile(keysFile, exists)]
  const disk = checkDisk(dataDir)
  if (!exists)
    return [...places, well('database', `there is none in ${dataDir} yet: the first start makes it`), disk]
  const opened: Result<Database, OpenError> = await openDatabase({
    dataDir,
    // Whatever it writes then fails, which is told.
    onFatal: () => undefined,
  })
  if (opened.isErr()) {
    const rest = ['pragmas', 'keys', 'clock', 'erasure'].map((check) =>
      unchecked(check, 'the database cannot be opened'),
    )
    return [...places, wrong('database', textOf(opened.error)), ...rest, disk]
  }
  const database = opened.value
  try {
    const inspected = await database.upkeep.inspect()
    return [
      ...places,
      ...(await checkDatabase(database, inspected)),
      checkPragmas(inspected),
      ...(await checkKeys({ database, keysFile, clock })),
      await checkClock({ database, inspected, clock, watch }),
      await checkErasure(database),
      disk,
    ]
  } finally {
    await database.close()
  }
}
