import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { program } from './program.ts'

export interface SpawnOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  readonly stdin?: string
  /** The file of the command, where it is not the usual {@link program}. */
  readonly file?: string
  /** Arguments of Node.js itself. */
  readonly nodeArgs?: readonly string[]
  /** A command that runs Node.js, such as strace with its options. */
  readonly under?: readonly string[]
}

/** The command `sotto` in a process of its own. */
export interface Spawned {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | string>
  /** Waits until standard output matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** The same for standard error, where the log is. */
  logged(pattern: RegExp): Promise<RegExpExecArray>
}

/** A server that listens, with the document that it printed. */
export interface SpawnedServer extends Spawned {
  readonly baseUrl: string
  readonly firstStart: { readonly account: string; readonly folder_id: string; readonly token: string } | null
}

export function spawnSotto(t: Test, args: readonly string[], options: SpawnOptions): Spawned {
  const { cwd, env = {}, stdin = '', file = program, nodeArgs = [], under = [] } = options
  const { PATH, NODE_COMPILE_CACHE } = process.env
  // The environment is not inherited: neither settings nor what the test runner loads into each process. Only the cache of compiled
  // modules is, with which the process starts in half the time.
  const [command = process.execPath, ...rest] = [...under, process.execPath, ...nodeArgs, file, ...args]
  const child = spawn(command, rest, {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, SOTTO_PORT: '0', ...env },
  })
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => (text[name] += chunk))
  }
  child.stdin.on('error', () => {}) // the command may end before it has read all of it
  child.stdin.end(stdin)
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  t.teardown(() => child.kill('SIGKILL'))
  const until = async (name: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(text[name])
      if (match !== null) return match
      const outcome = await Promise.race([once(child[name], 'data'), ended])
      if (!Array.isArray(outcome)) throw new Error(`ended with ${outcome}: ${text.stderr}`)
    }
  }
  return {
    child,
    ended,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    printed: (pattern) => until('stdout', pattern),
    logged: (pattern) => until('stderr', pattern),
  }
}

export async function spawnServer(t: Test, options: SpawnOptions): Promise<SpawnedServer> {
  const spawned = spawnSotto(t, ['serve', '--json'], options)
  const [document] = await spawned.printed(/^.*\n/)
  const { base_url: baseUrl, first_start: firstStart } = JSON.parse(document) as {
    base_url: string
    first_start: SpawnedServer['firstStart']
  }
  return { ...spawned, baseUrl, firstStart }
}

/** Runs a command to its end. */
export async function runSotto(t: Test, args: readonly string[], options: SpawnOptions) {
  const spawned = spawnSotto(t, args, options)
  const code = await spawned.ended
  return { code, stdout: spawned.stdout(), stderr: spawned.stderr() }
}
