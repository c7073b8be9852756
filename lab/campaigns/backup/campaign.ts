import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { databaseOf, placeIn, type Place } from '../support/place.ts'
import { check } from './check.ts'
import { ageTemporaryFiles, temporaryFilesIn, type Commands, type Ran } from './commands.ts'
import type { Writer } from './writer.ts'

/** What is backed up, and by what. */
export interface BackupContext {
  readonly place: Place
  readonly writer: Writer
  readonly commands: Commands
  /** Where backups are made; the place's directory by default. */
  readonly scratch?: string
}

/** What a round did. */
export interface Round {
  readonly killedBackups: number
  readonly killedRestores: number
  /** A sentence for each observation that contradicts the promises. */
  readonly errors: readonly string[]
}

/**
 * Makes a backup while the writer writes, restores it into a directory of its own, and checks that. Both commands are first killed at some point in
 * their work, then repeated. A backup that has its name, and a restored database that has its, must be whole.
 */
export async function runRound(context: BackupContext, chance = Math.random): Promise<Round> {
  const { place, writer, commands, scratch = place.directory } = context
  const elsewhere = withKeysOf(place, join(scratch, 'restored'))
  const file = join(scratch, 'one.backup')
  let acknowledged = 0
  const backUp: Run = (killAfterMillis) => {
    acknowledged = writer.acknowledged()
    return commands.run(place, ['backup', file], { directory: scratch, killAfterMillis })
  }
  const { dataDir } = elsewhere.settings
  const restore: Run = (killAfterMillis) =>
    commands.run(elsewhere, ['restore', file, '--keep-limited', '--keep-tokens'], {
      directory: dataDir,
      killAfterMillis,
    })
  try {
    const { millis } = await backUp()
    rmSync(file)
    const backup = await killThenRepeat(backUp, chance() * millis, { target: file, directory: scratch })
    const restored = await killThenRepeat(restore, chance() * millis, {
      target: databaseOf(elsewhere),
      directory: dataDir,
    })
    return {
      killedBackups: Number(backup.isKilled),
      killedRestores: Number(restored.isKilled),
      errors: [
        ...(await check(elsewhere, writer.owner, acknowledged)),
        ...[...backup.left, ...restored.left].map((path) => `${path} is left`),
      ],
    }
  } finally {
    rmSync(file, { force: true })
    elsewhere.remove()
  }
}

type Run = (killAfterMillis?: number) => Promise<Ran>

/** Kills a command, and runs it again unless its target is there. The second run must remove what the first one left in the directory. */
async function killThenRepeat(
  run: Run,
  killAfterMillis: number,
  { target, directory }: { readonly target: string; readonly directory: string },
): Promise<{ readonly isKilled: boolean; readonly left: readonly string[] }> {
  const { isKilled } = await run(killAfterMillis)
  if (existsSync(target)) return { isKilled, left: [] }
  ageTemporaryFiles(directory)
  await run()
  return { isKilled, left: temporaryFilesIn(directory) }
}

/** Checks a plain copy of these files and directories in the data directory, which is not a backup. */
export async function checkCopy(
  { place, writer }: Pick<BackupContext, 'place' | 'writer'>,
  names: readonly string[],
): Promise<readonly string[]> {
  const acknowledged = writer.acknowledged()
  const elsewhere = withKeysOf(place, join(place.directory, 'copied'))
  const { dataDir } = elsewhere.settings
  mkdirSync(dataDir, { recursive: true })
  try {
    for (const name of names)
      cpSync(join(place.settings.dataDir, name), join(dataDir, name), { recursive: true })
    return await check(elsewhere, writer.owner, acknowledged)
  } catch (error) {
    return [`it cannot be read: ${error instanceof Error ? error.message : String(error)}`]
  } finally {
    elsewhere.remove()
  }
}

/** A place with the keys of another one, and nothing else. */
function withKeysOf({ settings: { keysFile } }: Place, directory: string): Place {
  const place = placeIn(directory)
  cpSync(dirname(keysFile), dirname(place.settings.keysFile), { recursive: true })
  return place
}
