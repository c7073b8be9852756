import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  openInstallation,
  readSettings,
  type Installation,
  type InstallationOptions,
  type Settings,
} from '@sotto/server'
import { expectOk } from '@sotto/test-kit'

/** Calls that an account may make in a day. Fewer than in a minute, so that `x-ratelimit-remaining` shows the day's count exactly. */
export const callsPerDay = 900_000

/** A directory for one installation, which need not exist yet. */
export interface Place {
  readonly directory: string
  /** The environment of the processes that work on it. */
  readonly env: NodeJS.ProcessEnv
  readonly settings: Settings
  remove(): void
}

/**
 * Describes an installation in a directory. Its data and its keys share nothing but that directory.
 * @param more further settings
 */
export function placeIn(directory: string, more: Readonly<Record<string, string>> = {}): Place {
  const env = {
    PATH: process.env['PATH'],
    SOTTO_PORT: '0',
    SOTTO_DATA_DIR: join(directory, 'var', 'data'),
    SOTTO_KEYS_FILE: join(directory, 'etc', 'keys.json'),
    SOTTO_LIMIT_PER_MINUTE: '1000000',
    SOTTO_LIMIT_PER_DAY: String(callsPerDay),
    SOTTO_LOG_LEVEL: 'error',
    ...more,
  }
  const settings = expectOk(readSettings(env, directory), 'the settings')
  return { directory, env, settings, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/**
 * A fresh temporary directory.
 * @param parent where to create it; the system's by default
 * @param more further settings
 */
export function makePlace(parent = tmpdir(), more: Readonly<Record<string, string>> = {}): Place {
  return placeIn(mkdtempSync(join(parent, 'sotto-campaign-')), more)
}

/** The file of a place's database on SQLite. */
export function databaseOf({ settings }: Pick<Place, 'settings'>): string {
  return join(settings.dataDir, 'sotto.sqlite')
}

/** Opens the installation of a place in this process, as the server opens it. Throws when it does not open. */
export async function openPlace(
  place: Place,
  replace: InstallationOptions['replace'] = {},
): Promise<Installation> {
  const opened = await openInstallation({
    settings: place.settings,
    onFatal: () => {
      throw new Error('an fsync has failed')
    },
    log: () => undefined,
    replace,
  })
  return expectOk(opened, 'opening the installation')
}
