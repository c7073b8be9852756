import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundle } from '../support/bundle.ts'
import { makePlace, type Place } from '../support/place.ts'
import { serve, type Served } from '../support/served.ts'
import type { Sample } from './judge.ts'
import { createLoad, type Load } from './load.ts'
import { seed } from './seed.ts'

export interface SoakOptions {
  readonly seconds: number
  /** The share of the server's most that the load is. */
  readonly percent: number
  /** The length of a window that gives one sample. */
  readonly windowSeconds: number
  readonly onSample?: (sample: Sample) => void
}

export interface Soak {
  readonly samples: readonly Sample[]
  readonly figures: Readonly<Record<string, number>>
  /** A sentence for each answer or command that failed. */
  readonly failures: readonly string[]
}

/** Seconds of full load from which the rate of the steady one is taken. */
const fullLoadSeconds = 3

export async function runSoak(options: SoakOptions): Promise<Soak> {
  // Files of spent secrets count until their tickets are over.
  const place = makePlace(undefined, { SOTTO_FILES_MAX_BYTES: String(2 ** 40) })
  const { programs, remove } = await bundle({
    main: new URL('../../../packages/server/src/main.ts', import.meta.url),
  })
  const program = fileURLToPath(programs.main)
  try {
    const seeded = await seed(place, options.seconds)
    const server = await serve(program, place)
    try {
      const load = createLoad(new URL(server.origin), seeded)
      return await runUnderLoad(options, { place, program, server, load })
    } finally {
      await server.stop()
    }
  } finally {
    place.remove()
    remove()
  }
}

interface Running {
  readonly place: Place
  readonly program: string
  readonly server: Served
  readonly load: Load
}

async function runUnderLoad(options: SoakOptions, running: Running): Promise<Soak> {
  const { load } = running
  const atMost = await load.rateAtMost(fullLoadSeconds)
  const perSecond = Math.max(1, Math.round((atMost * options.percent) / 100))
  const end = performance.now() + options.seconds * 1000
  const isOver = (): boolean => performance.now() >= end
  const [samples, failedCommands] = await Promise.all([
    takeSamples(options, running, isOver),
    operate(options, running, isOver),
    load.run({ perSecond, isOver }),
  ])
  return {
    samples,
    figures: { requestsPerSecondAtMost: Math.round(atMost), requestsPerSecond: perSecond, ...load.figures() },
    failures: [...load.failures(), ...failedCommands],
  }
}

async function takeSamples(
  { windowSeconds, onSample = () => undefined }: SoakOptions,
  { place, server, load }: Running,
  isOver: () => boolean,
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  const start = performance.now()
  while (!isOver()) {
    await pause(windowSeconds * 1000)
    // The load has closed its connections by then.
    if (isOver() && samples.length > 0) break
    const { pid } = server
    const sample = {
      minute: (performance.now() - start) / 60_000,
      memoryMebibytes: residentMebibytes(pid),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      logMebibytes: statSync(join(place.settings.dataDir, 'sotto.sqlite-wal')).size / 2 ** 20,
      ...load.timesSinceLastCall(),
    }
    samples.push(sample)
    onSample(sample)
  }
  return samples
}

function residentMebibytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Makes a backup after every tenth of the run but the last, and rotates the keys after every fifth. Returns what failed. */
async function operate(
  { seconds }: SoakOptions,
  { place, program }: Running,
  isOver: () => boolean,
): Promise<readonly string[]> {
  const failures: string[] = []
  const backup = join(place.directory, 'backup.sqlite')
  const start = performance.now()
  for (let tenths = 1; tenths < 10 && !isOver(); tenths += 1) {
    await pause(start + tenths * seconds * 100 - performance.now())
    for (const args of [['backup', backup], ...(tenths % 2 === 0 ? [['keys', 'rotate']] : [])]) {
      const code = await exitCodeOf([program, ...args], place)
      if (code !== 0) failures.push(`sotto ${args.join(' ')} ended with ${code}`)
    }
    rmSync(backup, { force: true })
  }
  return failures
}

async function exitCodeOf(args: readonly string[], { directory, env }: Place): Promise<number | null> {
  const command = spawn(process.execPath, args, {
    cwd: directory,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(command, 'close')) as [number | null]
  return code
}
