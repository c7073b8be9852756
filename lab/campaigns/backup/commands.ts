import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundle } from '../support/bundle.ts'
import type { Place } from '../support/place.ts'

/** The command `sotto`, in processes that may be killed. */
export interface Commands {
  /**
   * Runs a command that begins with a temporary file in this directory, and kills it so many milliseconds after that. Throws when it fails.
   */
  run(
    place: Place,
    args: readonly string[],
    options: { readonly directory: string; readonly killAfterMillis: number | undefined },
  ): Promise<Ran>
  remove(): void
}

export interface Ran {
  readonly isKilled: boolean
  /** How long it ran from its temporary file on. */
  readonly millis: number
}

/** Bundles the command, so that it starts as fast as the published one. */
export async function bundleCommands(): Promise<Commands> {
  const { programs, remove } = await bundle({
    command: new URL('../crash/command-process.ts', import.meta.url),
  })
  const program = fileURLToPath(programs.command)
  return {
    async run({ directory: cwd, env }, args, { directory, killAfterMillis }) {
      const command = spawn(process.execPath, [program, ...args], { cwd, env })
      command.stdout.resume()
      command.stdin.write('\n')
      const errors = text(command.stderr)
      const ended = once(command, 'close') as Promise<[code: number | null, signal: string | null]>
      const before = temporaryFilesIn(directory).length
      while (command.exitCode === null && temporaryFilesIn(directory).length === before) await pause(1)
      const began = performance.now()
      if (killAfterMillis !== undefined) {
        await Promise.race([pause(killAfterMillis), ended])
        command.kill('SIGKILL')
      }
      const [code, signal] = await ended
      const isKilled = signal === 'SIGKILL'
      if (code !== 0 && !isKilled) throw new Error(`${args.join(' ')} ended with ${code}: ${await errors}`)
      return { isKilled, millis: performance.now() - began }
    },
    remove,
  }
}

/** The paths of what processes that were killed left in a directory. */
export function temporaryFilesIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return []
  const names = readdirSync(directory).filter((name) => name.startsWith('.sotto-'))
  return names.map((name) => join(directory, name))
}

/** Ages what processes that were killed left in a directory, so that the next command removes it. */
export function ageTemporaryFiles(directory: string): void {
  const longAgo = Date.now() / 1_000 - 2 * 3_600
  for (const path of temporaryFilesIn(directory)) utimesSync(path, longAgo, longAgo)
}
