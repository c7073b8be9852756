import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings, type Settings } from '../../../packages/server/src/config/settings.ts'
import { openInstallation, type Installation } from '../../../packages/server/src/installation.ts'

/** Calls that an account may make in a day. Fewer than in a minute, so that `x-ratelimit-remaining` tells the day's count exactly. */
export const callsPerDay = 900_000

/** A directory with an installation in it, or none yet. */
export interface Place {
  readonly directory: string
  /** The environment of processes that work on it. */
  readonly env: NodeJS.ProcessEnv
  readonly settings: Settings
  remove(): void
}

/** Describes an installation below a directory. Its data and its keys have nothing but that directory in common. */
export function placeIn(directory: string): Place {
  const env = {
    PATH: process.env['PATH'],
    SOTTO_PORT: '0',
    SOTTO_DATA_DIR: join(directory, 'var', 'data'),
    SOTTO_KEYS_FILE: join(directory, 'etc', 'keys.json'),
    SOTTO_LIMIT_PER_MINUTE: '1000000',
    SOTTO_LIMIT_PER_DAY: String(callsPerDay),
    SOTTO_LOG_LEVEL: 'error',
  }
  const settings = readSettings(env, directory)._unsafeUnwrap()
  return { directory, env, settings, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** A fresh temporary directory. @param parent where to make it; the system's by default */
export function makePlace(parent = tmpdir()): Place {
  return placeIn(mkdtempSync(join(parent, 'sotto-campaign-')))
}

/** Opens the installation of a place in this process, as the server opens it. Throws when that is refused. */
export async function openPlace(place: Place): Promise<Installation> {
  const opened = await openInstallation({
    settings: place.settings,
    onFatal: () => {
      throw new Error('an fsync has failed')
    },
    log: () => undefined,
  })
  if (opened.isErr()) throw new Error(`the installation does not open: ${JSON.stringify(opened.error)}`)
  return opened.value
}
