import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../support/child.ts'
import { makePlace } from '../support/place.ts'
import { readTrace, tracedCalls, type Event } from './trace.ts'

export interface RecordOptions {
  readonly seed: number
  /** How often the installation is opened and closed. */
  readonly sessions: number
  /** Rounds of a few concurrent requests. */
  readonly roundsPerSession: number
  /** FULL is what the server uses. */
  readonly synchronous: 'FULL' | 'NORMAL'
  /** Whether contents of files are synced, as the server does. */
  readonly syncsFiles?: boolean
}

export interface Recording {
  readonly events: readonly Event[]
  /** The directory in which everything happened. */
  readonly directory: string
}

/** Whether strace is installed and allowed to trace. */
export function hasStrace(): boolean {
  return spawnSync('strace', ['-f', '-e', 'trace=fsync', '-o', '/dev/null', 'true']).status === 0
}

/** Runs the workload under strace, beginning with an empty directory, and reads what it did. */
export async function record({
  seed,
  sessions,
  roundsPerSession,
  synchronous,
  syncsFiles = true,
}: RecordOptions): Promise<Recording> {
  const place = makePlace()
  try {
    const directory = join(place.directory, 'disk')
    const trace = join(place.directory, 'trace')
    mkdirSync(directory)
    const calls = `trace=${tracedCalls.map((call) => `?${call}`).join(',')}`
    const under = ['strace', '-f', '--seccomp-bpf', '-xx', '-s', '16777216', '-e', calls, '-o', trace]
    const child = startChild({
      program: new URL('./workload-process.ts', import.meta.url),
      args: [
        directory,
        ...[seed, sessions, roundsPerSession].map(String),
        synchronous,
        ...(syncsFiles ? [] : ['unsynced-files']),
      ],
      env: place.env,
      under,
    })
    child.onLine(() => undefined)
    const code = await child.ended
    if (code !== 0) throw new Error(`the workload failed: ${child.stderr()}`)
    return { events: await readTrace(trace, directory), directory }
  } finally {
    place.remove()
  }
}
