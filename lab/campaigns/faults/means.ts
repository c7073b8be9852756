import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Ends a fault. */
export type End = () => Promise<void>

/** What a fault may need of the machine. */
export type Means = keyof typeof means

/** Whether faults of these means can be made here. */
export const means = {
  nothing: () => true,
  /** Setting the limits of another process, which Linux allows to its own user. */
  prlimit: () => succeeds('prlimit', '--pid', String(process.pid), '--fsize'),
  /** Attaching to a process that runs; some systems allow that to its ancestors or to root alone. */
  strace: () => {
    const sleeper = spawn('sleep', ['5'])
    const traced = spawnSync('timeout', ['1', 'strace', '-p', String(sleeper.pid), '-o', '/dev/null'])
    sleeper.kill()
    return String(traced.stderr).includes('attached')
  },
  /** A file system in memory, for root alone. */
  mount: () => {
    const disk = mountSmallDisk(65_536)
    disk?.unmount()
    return disk !== undefined
  },
} as const

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0
}

export interface SmallDisk {
  readonly path: string
  unmount(): void
}

/** `undefined` where it cannot be mounted. */
export function mountSmallDisk(bytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'sotto-small-'))
  const unmount = (): void => {
    spawnSync('umount', ['-l', path])
    rmSync(path, { recursive: true, force: true })
  }
  if (succeeds('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path)) return { path, unmount }
  unmount()
  return undefined
}

/** Fills the disk, and again whatever becomes free, until the fault ends. */
export async function fillDisk(directory: string): Promise<End> {
  const path = join(directory, 'filler')
  const file = openSync(path, 'w')
  fill(file)
  const refill = setInterval(() => fill(file), 50)
  await pause(0)
  return () => {
    clearInterval(refill)
    closeSync(file)
    rmSync(path)
    return Promise.resolve()
  }
}

function fill(file: number): void {
  for (let bytes = 65_536; bytes >= 512;) {
    try {
      if (writeSync(file, Buffer.alloc(bytes, 1)) < bytes) bytes /= 2
    } catch {
      bytes /= 2
    }
  }
}

/** Lets no file of the process be written: each write fails with EFBIG. */
export function refuseWrites(pid: number): Promise<End> {
  const limit = (bytes: string): boolean => succeeds('prlimit', '--pid', String(pid), `--fsize=${bytes}:`)
  if (!limit('0')) throw new Error('the limit cannot be set')
  return Promise.resolve(() => {
    limit('unlimited')
    return Promise.resolve()
  })
}

export interface Injection {
  /** System calls, such as `pwrite64`. */
  readonly calls: string
  /** What they fail with, such as `EIO`. */
  readonly error: string
  /** The calls that fail, in the form that strace takes; all by default. */
  readonly when?: string | undefined
  /** The only files that fail; all by default. */
  readonly paths?: readonly string[] | undefined
}

/** Lets system calls of a process that runs fail. */
export async function inject(pid: number, { calls, error, when, paths = [] }: Injection): Promise<End> {
  const injected = `inject=${calls}:error=${error}${when === undefined ? '' : `:when=${when}`}`
  const only = paths.flatMap((path) => ['-P', path])
  const args = ['-f', '-o', '/dev/null', ...only, '-e', `trace=${calls}`, '-e', injected, '-p', String(pid)]
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(strace, 'close')
  let said = ''
  strace.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  while (!said.includes('attached') && strace.exitCode === null)
    await Promise.race([once(strace.stderr, 'data'), ended])
  if (strace.exitCode !== null) throw new Error(`strace does not attach: ${said}`)
  return async () => {
    strace.kill('SIGTERM')
    await ended
  }
}

/** Holds the lock that writers need, as another program may. */
export function lockDatabase(path: string): Promise<End> {
  const require = createRequire(new URL('../../../packages/adapter-sqlite/package.json', import.meta.url))
  const Sqlite = require('better-sqlite3') as new (path: string) => { exec(sql: string): void; close(): void }
  const stranger = new Sqlite(path)
  stranger.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE')
  return Promise.resolve(() => {
    stranger.exec('ROLLBACK')
    stranger.close()
    return Promise.resolve()
  })
}
