import type { FullSotto } from '@sotto/identity'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { startRepeater } from '../shared/repeater.ts'
import type { Timers } from '../shared/timers.ts'

const everyMillis = 5_000

export interface ShownServerOptions {
  readonly sotto: Pick<FullSotto, 'showServer' | 'hideServer'>
  /** Where it listens. */
  readonly address: string
  readonly timers: Timers
  readonly log: { warn(details: object, message: string): void }
}

/**
 * Shows every few seconds that a server with a key file of its own runs, and which keys it holds, until it is stopped. When the database
 * cannot be reached it goes on at the same pace: then a rotation cannot reach it either.
 */
export function startShowing({ sotto, address, timers, log }: ShownServerOptions): { stop(): Promise<void> } {
  const id = randomUUID()
  const name = `${hostname()}:${new URL(address).port}`
  let isLogged = false
  const repeater = startRepeater({
    step: async () => {
      const shown = await sotto.showServer({ id, name })
      if (shown.isErr() && !isLogged)
        log.warn({ error: shown.error }, 'a rotation of keys cannot see this server')
      isLogged = shown.isErr()
      return everyMillis
    },
    timers,
  })
  return {
    async stop() {
      await repeater.stop()
      const hidden = await sotto.hideServer({ id })
      if (hidden.isErr())
        log.warn({ error: hidden.error }, 'a rotation of keys may wait for this server for a minute')
    },
  }
}
