import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Generator } from '../load/load.ts'
import { loadsOf, type StraightKind, type StraightSubject } from './straight.ts'
import type { Store } from '../stores/store.ts'

const meter = join(import.meta.dirname, '../processes/garbage-meter.ts')

/** The settings with which a process writes its garbage into a file of this directory. */
export function garbageSettings(directory: string): Record<'NODE_OPTIONS' | 'BENCH_GARBAGE', string> {
  return { NODE_OPTIONS: `--import=${meter}`, BENCH_GARBAGE: join(directory, 'garbage') }
}

/** KiB of the heap that a request leaves as garbage. Buffers keep their bytes elsewhere. */
export async function measureGarbage(
  { port, pid }: StraightSubject,
  options: {
    readonly generator: Generator
    readonly store: Store
    readonly kind: StraightKind
    readonly millis: number
    /** The file that {@link garbageSettings} names. */
    readonly file: string
  },
): Promise<number> {
  const { generator, store, kind, millis, file } = options
  const load = { ...loadsOf(store)[kind], port, connections: 64 }
  await generator.run([{ ...load, millis: 3 * millis }])
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  await wait(100)
  const [{ requests }] = await generator.run([{ ...load, millis }])
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await wait(50)
  return Number(readFileSync(file, 'utf8')) / requests / 1024
}
