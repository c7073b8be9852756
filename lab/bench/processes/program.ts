import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The processor that a process runs on, where processes can be pinned: as a rule, servers have one and the load generator the other. */
export type Processor = 0 | 1 | 'any'

export interface Program {
  readonly child: ChildProcess
  /** The id of the program's own process, which may be a child of {@link ProgramOptions.under}. */
  readonly pid: number
  /** The time from the program's start to its first line on the standard output. */
  readonly startMillis: number
  stop(): Promise<void>
}

export interface ProgramOptions {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly processor: Processor
  /**
   * Where its log goes: to that of the bench by default, nowhere, to an open file, or to a stream socket that the bench reads, as journald
   * reads its own.
   */
  readonly log?: 'inherit' | 'ignore' | number | 'read'
  /** A command that runs the program, such as strace. */
  readonly under?: readonly string[]
}

export const canPin =
  process.platform === 'linux' && availableParallelism() > 1 && existsSync('/usr/bin/taskset')

/** Starts a Node.js program. Resolves when it has written its first output. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const start = performance.now()
  const { child } = spawnPinned(options, [
    'ignore',
    'pipe',
    options.log === 'read' ? 'pipe' : (options.log ?? 'inherit'),
  ])
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`${options.args.join(' ')} ended with ${String(code)}`)))
  })
  child.stdout?.resume()
  child.stderr?.resume()
  const pid = options.under === undefined ? (child.pid ?? 0) : onlyChildOf(child.pid ?? 0)
  return {
    child,
    pid,
    startMillis: performance.now() - start,
    stop: async () => {
      if (child.exitCode !== null) return
      const exit = new Promise((resolve) => child.once('exit', resolve))
      process.kill(pid, 'SIGTERM')
      await exit
    },
  }
}

/** `taskset` replaces itself by the program that it starts, so the process id is the program's. */
export function spawnPinned(
  { args, env = {}, processor, under = [] }: ProgramOptions,
  stdio: ('ignore' | 'pipe' | 'inherit' | 'ipc' | number)[],
): { readonly child: ChildProcess } {
  const pin = canPin && processor !== 'any' ? ['taskset', '-c', String(processor)] : []
  const [command = '', ...rest] = [...pin, ...under, process.execPath, ...args]
  return { child: spawn(command, rest, { env: { ...process.env, ...env }, stdio }) }
}

/** The processor time of all threads of a process so far, in seconds. NaN where there is no /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const nanos = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return nanos.reduce((sum, value) => sum + value, 0) / 1e9
  } catch {
    return NaN
  }
}

/**
 * Resident memory in MiB: now, and the maximum since {@link forgetPeak}. The anonymous part is the process's own: the rest is pages of files,
 * most of them of Node.js itself.
 */
export function memoryMiB(pid: number): Readonly<Record<'now' | 'anonymous' | 'peak', number>> {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  const value = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: value('VmRSS'), anonymous: value('RssAnon'), peak: value('VmHWM') }
}

export function forgetPeak(pid: number): void {
  if (existsSync(`/proc/${pid}/clear_refs`)) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function onlyChildOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
}
