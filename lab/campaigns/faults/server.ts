import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild, type Child } from '../support/child.ts'
import type { Place } from '../support/place.ts'

/** A server whose machine can be given faults. */
export interface FaultyServer {
  readonly child: Child
  /** Where it listens. */
  readonly origin: string
  /** Sets its wall clock ahead, or back, of the machine's. */
  setClock(aheadMillis: number): Promise<void>
}

/** Starts `sotto serve`. Rejects with what it has logged when it does not listen. */
export async function startFaultyServer(place: Place, program: URL): Promise<FaultyServer> {
  const clockFile = join(place.directory, 'clock')
  const clock = new URL('./machine.ts', import.meta.url)
  const env = { ...place.env, CLOCK_FILE: clockFile, NODE_OPTIONS: `--import ${clock.href}` }
  const child = startChild({ program, args: ['serve', '--json'], env })
  child.send('go')
  const { listening } = JSON.parse(await child.line()) as { readonly listening: string }
  return {
    child,
    origin: listening,
    async setClock(aheadMillis) {
      writeFileSync(clockFile, String(aheadMillis))
      child.process.kill('SIGUSR2')
      await pause(20)
    },
  }
}
